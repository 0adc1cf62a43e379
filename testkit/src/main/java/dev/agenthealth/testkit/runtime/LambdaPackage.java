package dev.agenthealth.testkit.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The jars that the template deploys, built by the module {@code functions}. */
public final class LambdaPackage {

    /** The jar of all functions. */
    public static final String WHOLE = "functions/target/agent-health-functions-lambda.jar";

    /** The jar of the heartbeat function. */
    public static final String HEARTBEAT = "functions/target/agent-health-functions-heartbeat.jar";

    /** The folders of the latest compiled classes in the jars. */
    private static final List<String> COMPILED = List.of("functions/target/classes", "shared-model/target/classes");

    private final Path root;

    /** Finds the package of the project that contains the working directory. */
    public LambdaPackage() {
        this(root());
    }

    public LambdaPackage(Path root) {
        this.root = root;
    }

    /** Returns why the jars do not match the current code: they were never built, or built before the last change. */
    public Optional<String> unusable() {
        return unusable(WHOLE).or(() -> unusable(HEARTBEAT));
    }

    private Optional<String> unusable(String name) {
        Path jar = root.resolve(name);
        if (!Files.isRegularFile(jar)) {
            return Optional.of(name + " is missing: run mvn verify");
        }
        try (JarFile packaged = new JarFile(jar.toFile())) {
            for (String folder : COMPILED) {
                Optional<String> other = firstOther(packaged, root.resolve(folder), name.equals(WHOLE));
                if (other.isPresent()) {
                    return Optional.of(name + " is older than " + folder + "/" + other.get() + ": run mvn verify");
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Unpacks a jar, as Lambda does into {@code /var/task}.
     *
     * @param name the template's {@code CodeUri}
     */
    public void unpack(String name, Path folder) {
        try (JarFile packaged = new JarFile(root.resolve(name).toFile())) {
            Enumeration<JarEntry> entries = packaged.entries();
            Set<Path> made = new HashSet<>();
            while (entries.hasMoreElements()) {
                JarEntry entry = entries.nextElement();
                Path file = folder.resolve(entry.getName()).normalize();
                if (!entry.isDirectory() && file.startsWith(folder)) {
                    if (made.add(file.getParent())) {
                        Files.createDirectories(file.getParent());
                    }
                    try (InputStream content = packaged.getInputStream(entry)) {
                        Files.copy(content, file);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> firstOther(JarFile packaged, Path compiled, boolean whole) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(compiled)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            String name = compiled.relativize(file).toString().replace('\\', '/');
            JarEntry entry = packaged.getJarEntry(name);
            boolean missing = entry == null && whole;
            if (missing || entry != null && !Arrays.equals(content(packaged, entry), Files.readAllBytes(file))) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    private static byte[] content(JarFile packaged, JarEntry entry) throws IOException {
        try (InputStream content = packaged.getInputStream(entry)) {
            return content.readAllBytes();
        }
    }

    private static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve("template.yaml"))) {
                return at;
            }
        }
        throw new AssertionError("there is no template.yaml above the working directory");
    }
}
