package dev.agenthealth.local.crash;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.crash.HistoryChecker.Verdict;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker of histories itself, with histories that a registry may have and others that it must not have. */
@Tag("other-programs")
@Tag(Attack.TAG)
class HistoryCheckerTest {

    private static final Path HISTORIES = ProjectFiles.path("local").resolve("src/test/linearizability/histories");
    private static final int SECONDS = 10;

    private static HistoryChecker checker;

    @TempDir
    private Path folder;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        checker = HistoryChecker.in(Path.of("target/history-checker"));
    }

    @Test
    void possible_histories_are_explained() throws IOException, InterruptedException {
        assertThat(verdicts("good-", 0)).hasSizeGreaterThan(8).allMatch(Verdict::isOk);
    }

    @Test
    void each_impossible_history_is_found_and_only_by_its_last_request() throws IOException, InterruptedException {
        assertThat(verdicts("bad-", 0)).hasSizeGreaterThan(20).allSatisfy(verdict -> assertThat(verdict.result())
                .as("%s", verdict)
                .isEqualTo("Illegal"));
        assertThat(verdicts("bad-", 1)).hasSizeGreaterThan(20).allSatisfy(verdict -> assertThat(verdict.isOk())
                .as("%s", verdict)
                .isTrue());
    }

    /** @param leftOut how many requests are left out at the end of each history */
    private List<Verdict> verdicts(String prefix, int leftOut) throws IOException, InterruptedException {
        Path together = folder.resolve(prefix + leftOut + ".jsonl");
        try (Stream<Path> files = Files.list(HISTORIES)) {
            List<Path> chosen = files.filter(
                            file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
            StringBuilder text = new StringBuilder();
            for (Path file : chosen) {
                List<String> lines = Files.readAllLines(file);
                text.append(lines.subList(0, lines.size() - leftOut).stream().collect(joining("\n", "", "\n")));
            }
            Files.writeString(together, text);
            List<Verdict> verdicts = checker.check(together, SECONDS);
            assertThat(verdicts).hasSameSizeAs(chosen);
            return verdicts;
        }
    }
}
