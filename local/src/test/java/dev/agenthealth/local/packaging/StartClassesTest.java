package dev.agenthealth.local.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes that a registry loads until it is ready. Each of them costs time at every start. */
class StartClassesTest {

    /** Classes of this project and of its libraries, without lambdas. */
    private static final int MAX_CLASSES = 2_100;

    @TempDir
    private Path folder;

    private List<String> classes;

    @BeforeEach
    void start_a_registry() throws IOException {
        Path loaded = folder.resolve("loaded");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load:file=" + loaded + ":none:filecount=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.agenthealth.local.cli.Main",
                        "serve",
                        "--port",
                        "0",
                        "--data-dir",
                        folder.resolve("data").toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = process.inputReader()) {
            String line = output.readLine();
            while (line != null && !line.startsWith("Agent Health is ready")) {
                line = output.readLine();
            }
            assertThat(line).as("the registry is ready").isNotNull();
        } finally {
            process.destroyForcibly();
        }
        try (Stream<String> lines = Files.lines(loaded)) {
            classes = lines.filter(line -> line.contains(" source: file:")).toList();
        }
    }

    @Test
    void a_start_loads_a_bounded_number_of_classes() {
        assertThat(classes).hasSizeBetween(MAX_CLASSES / 2, MAX_CLASSES);
    }

    @Test
    void a_start_on_existing_data_neither_creates_nor_describes_tables() throws IOException {
        assertThat(classes)
                .anyMatch(
                        line -> line.startsWith("software.amazon.awssdk.services.dynamodb.model.CreateTableRequest "));
        start_a_registry();
        assertThat(classes)
                .hasSizeGreaterThan(MAX_CLASSES / 2)
                .noneMatch(line -> line.startsWith("software.amazon.awssdk.services.dynamodb.model.CreateTable"))
                .noneMatch(line -> line.startsWith("software.amazon.awssdk.services.dynamodb.model.TableDescription"));
    }

    @Test
    void a_start_reads_no_yaml() {
        assertThat(classes).noneMatch(line -> line.startsWith("org.snakeyaml."));
    }

    @Test
    void a_start_reads_no_file_of_the_page() {
        assertThat(classes)
                .anyMatch(line -> line.startsWith("dev.agenthealth.functions.api.page.PageRoutes "))
                .noneMatch(line -> line.startsWith("dev.agenthealth.functions.api.page.PageFiles$File "));
    }
}
