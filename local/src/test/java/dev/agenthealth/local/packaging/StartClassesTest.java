package dev.agenthealth.local.packaging;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The classes that a registry loads until it is ready. Each of them costs time at every start. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StartClassesTest {

    /** Classes of this project and of its libraries, without lambdas. */
    private static final int MAX_CLASSES = 2_100;

    /** The same until the function that answers the first requests has its handler. */
    private static final int MAX_UNTIL_FIRST_HANDLER = 1_300;

    private List<String> classesOfAll;
    private List<String> classes;

    private List<String> classesOnExistingData;

    @BeforeAll
    void start_twice(@TempDir Path folder) throws IOException {
        classesOfAll = classesOfStart(folder);
        classes = ofJars(classesOfAll);
        classesOnExistingData = ofJars(classesOfStart(folder));
    }

    private static List<String> classesOfStart(Path folder) throws IOException {
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
            process.destroyForcibly().onExit().join();
        }
        try (Stream<String> lines = Files.lines(loaded)) {
            return lines.toList();
        }
    }

    private static List<String> ofJars(List<String> all) {
        return all.stream().filter(line -> line.contains(" source: file:")).toList();
    }

    @Test
    void a_start_loads_a_bounded_number_of_classes() {
        assertThat(classes).hasSizeBetween(MAX_CLASSES / 2, MAX_CLASSES);
    }

    @Test
    void a_start_on_existing_data_neither_creates_nor_describes_tables() {
        assertThat(classes)
                .anyMatch(
                        line -> line.startsWith("software.amazon.awssdk.services.dynamodb.model.CreateTableRequest "));
        assertThat(classesOnExistingData)
                .hasSizeGreaterThan(MAX_CLASSES / 2)
                .noneMatch(line -> line.startsWith("software.amazon.awssdk.services.dynamodb.model.CreateTable"))
                .noneMatch(line -> line.startsWith("software.amazon.awssdk.services.dynamodb.model.TableDescription"));
    }

    @Test
    void no_class_of_this_project_prepares_method_handles_for_texts() {
        assertThat(classes)
                .filteredOn(line -> line.startsWith("dev.agenthealth.") && !line.contains("$$"))
                .hasSizeGreaterThan(300)
                .noneMatch(line -> codeOf(line.substring(0, line.indexOf(' '))).contains("StringConcatFactory"));
    }

    private static String codeOf(String name) {
        String file = name.replace('.', '/') + ".class";
        try (InputStream code = StartClassesTest.class.getClassLoader().getResourceAsStream(file)) {
            return new String(requireNonNull(code, file).readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void the_port_is_open_before_the_functions_load_their_classes() {
        assertThat(classes)
                .filteredOn(line -> line.startsWith("org.eclipse.jetty.server.handler.GracefulHandler ")
                        || line.startsWith("dev.agenthealth.functions.sweep.Sweep ")
                        || line.startsWith("dev.agenthealth.functions.registry.AgentRoutes "))
                .hasSize(3)
                .first()
                .asString()
                .startsWith("org.eclipse.jetty");
    }

    @Test
    void a_start_on_existing_data_loads_few_classes_for_its_first_answer() {
        List<String> untilFirst = classesOnExistingData.stream()
                .takeWhile(line -> !line.startsWith("dev.agenthealth.functions.registry.heartbeat."))
                .toList();
        assertThat(untilFirst)
                .hasSizeBetween(MAX_UNTIL_FIRST_HANDLER / 2, MAX_UNTIL_FIRST_HANDLER)
                .anyMatch(line -> line.startsWith("dev.agenthealth.functions.registry.openintent.OpenIntentRoutes "))
                .noneMatch(line -> line.startsWith("com.fasterxml.jackson.databind.json.JsonMapper "));
        assertThat(classesOnExistingData)
                .anyMatch(line -> line.startsWith("com.fasterxml.jackson.databind.json.JsonMapper "));
    }

    @Test
    void a_start_loads_no_data_of_locales() {
        assertThat(classesOfAll)
                .anyMatch(line -> line.startsWith("sun.util.locale.provider.LocaleProviderAdapter "))
                .noneMatch(line -> line.startsWith("sun.util.cldr."));
    }

    @Test
    void a_start_without_a_mail_server_loads_no_class_for_mails() {
        assertThat(classes).noneMatch(line -> line.startsWith("jakarta.mail."));
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
