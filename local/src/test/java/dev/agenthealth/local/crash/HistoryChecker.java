package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program in {@code src/test/linearizability}: Porcupine with models of leases and agents. Skips the test where it cannot be built. */
final class HistoryChecker {

    private static final Path SOURCE = ProjectFiles.path("local").resolve("src/test/linearizability");
    private static final Duration LIMIT = Duration.ofMinutes(45);
    private static final String RESULT = "result";

    private final Path folder;

    private HistoryChecker(Path folder) {
        this.folder = folder;
    }

    /**
     * What the checker says of a part of a history.
     *
     * @param result {@code Ok}, {@code Illegal}, or {@code Unknown} where the time was up
     * @param why the end of the longest order that was found; empty where all is explained
     */
    record Verdict(String part, String result, long requests, long unanswered, long millis, String why) {

        boolean isOk() {
            return result.equals("Ok");
        }
    }

    /** @param folder for the program, and for pictures of what no order explains */
    static HistoryChecker in(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        HistoryChecker checker = new HistoryChecker(folder.toAbsolutePath());
        assumeThat(checker.printed("go", "version")).as("go is installed").startsWith("go version");
        assumeThat(checker.printed("go", "mod", "download"))
                .as("go of the version in go.mod, and the module of Porcupine, which it downloads once")
                .isEmpty();
        assertThat(checker.printed("go", "build", "-o", checker.program(), "."))
                .as("go build")
                .isEmpty();
        return checker;
    }

    private String program() {
        return folder.resolve("linearizability").toString();
    }

    /** @param seconds the time for each part */
    List<Verdict> check(Path history, int seconds) throws IOException, InterruptedException {
        String printed =
                printed(program(), history.toAbsolutePath().toString(), String.valueOf(seconds), folder.toString());
        List<Verdict> verdicts = new ArrayList<>();
        for (String line : printed.lines().toList()) {
            assertThat(line).as(printed).startsWith("{");
            JsonNode json = Json.read(line);
            verdicts.add(new Verdict(
                    json.path("part").asText(),
                    json.path(RESULT).asText(),
                    json.path("ops").asLong(),
                    json.path("unknown").asLong(),
                    json.path("millis").asLong(),
                    json.path("why").asText()));
        }
        return verdicts;
    }

    /** What a program printed; what it says of its failure where it ended with one. */
    private String printed(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "printed", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(SOURCE.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("GOTOOLCHAIN", "local");
            Process process = builder.start();
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output).trim();
            return process.exitValue() == 0 ? text : String.join(" ", command) + " failed: " + text;
        } catch (IOException e) {
            return command[0] + " is not there: " + e.getMessage();
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
