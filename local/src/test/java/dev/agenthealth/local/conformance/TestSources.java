package dev.agenthealth.local.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The source files of the tests of all modules. */
final class TestSources {

    /** Modules are folders of the project, or of a folder for modules of one kind, such as {@code clients}. */
    private static final int MODULE_DEPTH = 2;

    private TestSources() {}

    /** Returns every file in Java, sorted within its module. */
    static List<Path> below(Path root) throws IOException {
        try (Stream<Path> folders = Files.walk(root, MODULE_DEPTH)) {
            List<Path> modules = folders.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
            Stream<Path> all = Stream.empty();
            for (Path module : modules) {
                all = Stream.concat(all, Files.walk(module));
            }
            try (Stream<Path> files = all) {
                return files.filter(file -> file.toString().endsWith(".java"))
                        .sorted()
                        .toList();
            }
        }
    }
}
