package dev.agenthealth.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The project's own files, independent of the module that a test runs in. */
public final class ProjectFiles {

    private ProjectFiles() {}

    /**
     * Returns a file or folder of the project, such as {@code docs/events.md}.
     *
     * @throws AssertionError if it does not exist
     */
    public static Path path(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("template.yaml")) && Files.exists(at.resolve(name))) {
                return at.resolve(name);
            }
        }
        throw new AssertionError("there is no " + name);
    }

    /** Returns the text of a file of the project. */
    public static String text(String name) {
        return text(path(name));
    }

    /** Returns the text of a file. */
    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces a file of the project. */
    public static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the contents of a folder, sorted by name. */
    public static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
