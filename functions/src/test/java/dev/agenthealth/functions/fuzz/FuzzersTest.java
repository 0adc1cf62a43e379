package dev.agenthealth.functions.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bytes of others against each parser: those that are kept in {@code src/test/resources/fuzz}, and in the long form those that Jazzer makes of them. The
 * fuzzers have the form of OSS-Fuzz; each one's corpus is the folder of its name.
 */
@Tag(Attack.TAG)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzersTest {

    private static final Path CORPORA = ProjectFiles.path("functions/src/test/resources/fuzz");
    private static final Path SOURCES = ProjectFiles.path("functions/src/test/java");
    private static final String ENDING = "Fuzzer.java";
    private static final Duration EACH = Duration.ofMinutes(2);
    private static final String INSTRUMENTED = "--instrumentation_includes=dev.agenthealth.**:org.snakeyaml.**"
            + ":com.nimbusds.**:com.fasterxml.jackson.core.**";
    private static final Pattern RUNS = Pattern.compile("Done (\\d+) runs in");

    private final Attack attack = Attack.begin("fuzzers");
    private long inputs;
    private int fuzzers;

    @AfterAll
    void report() {
        attack.figure("parsers", fuzzers).figure("inputs", inputs).end();
    }

    private static List<String> fuzzers() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.map(file -> SOURCES.relativize(file).toString())
                    .filter(file -> file.endsWith(ENDING))
                    .map(file ->
                            file.substring(0, file.length() - ".java".length()).replace('/', '.'))
                    .sorted()
                    .toList();
        }
    }

    private static String simple(String fuzzer) {
        return fuzzer.substring(fuzzer.lastIndexOf('.') + 1);
    }

    @Test
    void each_fuzzer_has_a_corpus() throws IOException {
        assertThat(ProjectFiles.list(CORPORA).stream()
                        .map(folder -> folder.getFileName().toString()))
                .containsExactlyInAnyOrderElementsOf(
                        fuzzers().stream().map(FuzzersTest::simple).toList())
                .hasSizeGreaterThan(15);
    }

    @TestFactory
    Stream<DynamicTest> no_kept_input_breaks_a_parser() throws IOException {
        return fuzzers().stream().flatMap(fuzzer -> ProjectFiles.list(CORPORA.resolve(simple(fuzzer))).stream()
                .map(file -> dynamicTest(simple(fuzzer) + " " + file.getFileName(), () -> replay(fuzzer, file))));
    }

    private void replay(String fuzzer, Path file) throws ReflectiveOperationException, IOException {
        try {
            Class.forName(fuzzer).getMethod("fuzzerTestOneInput", byte[].class).invoke(null, (Object)
                    Files.readAllBytes(file));
        } catch (InvocationTargetException e) {
            throw new AssertionError(file.toString(), e.getCause());
        }
        inputs++;
    }

    @TestFactory
    Stream<DynamicTest> no_input_that_jazzer_makes_breaks_a_parser(@TempDir Path scratch) throws IOException {
        List<String> all = Attack.isLong() ? fuzzers() : List.of();
        fuzzers = fuzzers().size();
        return all.stream().map(fuzzer -> dynamicTest(simple(fuzzer), () -> fuzz(fuzzer, scratch)));
    }

    private void fuzz(String fuzzer, Path scratch) throws IOException, InterruptedException {
        Path found = Files.createDirectories(scratch.resolve(simple(fuzzer)));
        Path log = scratch.resolve(simple(fuzzer) + ".log");
        Process jazzer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + fuzzer,
                        INSTRUMENTED,
                        "--reproducer_path=" + scratch,
                        "-artifact_prefix=" + scratch + "/",
                        "-max_total_time=" + EACH.toSeconds(),
                        "-timeout=120",
                        "-rss_limit_mb=2500",
                        "-seed=" + (attack.seed() & Integer.MAX_VALUE),
                        found.toString(),
                        CORPORA.resolve(simple(fuzzer)).toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor(5 * EACH.toSeconds(), TimeUnit.SECONDS))
                    .as(fuzzer)
                    .isTrue();
        } finally {
            jazzer.destroyForcibly();
        }
        String said = Files.readString(log, StandardCharsets.ISO_8859_1);
        assertThat(jazzer.exitValue()).as(said).isZero();
        inputs += RUNS.matcher(said)
                .results()
                .mapToLong(run -> Long.parseLong(run.group(1)))
                .sum();
    }
}
