package dev.agenthealth.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.TreeSet;

/** Loads this project's classes anew, like a starting process, and records their names. Libraries are shared with the test. */
public class RecordingClassLoader extends ClassLoader {

    private static final String OURS = "dev.agenthealth.";

    private final Set<String> loaded = new TreeSet<>();

    public RecordingClassLoader() {
        super(RecordingClassLoader.class.getClassLoader());
    }

    /** Returns the names of the project's classes loaded so far. */
    public Set<String> loaded() {
        synchronized (loaded) {
            return new TreeSet<>(loaded);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    /** Returns the class file to load instead of the class file of a class of this project. */
    protected byte[] changed(String name, byte[] classFile) {
        return classFile;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = changed(name, in.readAllBytes());
            synchronized (loaded) {
                loaded.add(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
