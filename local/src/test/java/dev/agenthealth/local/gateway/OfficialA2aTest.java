package dev.agenthealth.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The official SDK of A2A on both sides of the gateway: its client calls its server, in both versions. */
class OfficialA2aTest {

    private static final int COMPLETED = 3;
    private static final int FAILED = 4;
    private static final String NEEDED = "require('@a2a-js/sdk/client'); require('express')";

    @Test
    @Timeout(60)
    void the_official_client_calls_the_official_server_in_every_combination_of_versions(@TempDir Path folder)
            throws IOException, InterruptedException {
        assumeTrue(
                node(folder, Map.of(), "-e", NEEDED) == 0,
                "node cannot load @a2a-js/sdk and express: npm install @a2a-js/sdk express, and NODE_PATH to their node_modules");
        try (LocalGateway gateway = new LocalGateway()) {
            Path script = Path.of("src/test/resources/a2a/round.cjs").toAbsolutePath();
            Map<String, String> environment = Map.of(
                    "REGISTRY",
                    gateway.system().baseUrl(),
                    "KEYS",
                    gateway.newKey("agent") + " " + gateway.newKey("agent"));
            int exit = node(folder, environment, script.toString());
            assertThat(exit).as(Files.readString(folder.resolve("errors"))).isZero();
            JsonNode result = Json.read(Files.readAllBytes(folder.resolve("output")));
            for (String card : List.of("card of newer", "card of older")) {
                assertThat(result.path(card).at("/skills/0/id").asText()).isEqualTo("echo");
                assertThat(result.path(card).at("/capabilities/streaming").asBoolean())
                        .isTrue();
            }
            for (String round : List.of("1.0 to newer", "0.3 to newer", "1.0 to older", "0.3 to older")) {
                JsonNode got = result.path(round);
                assertThat(got.path("state").asInt()).as(round).isEqualTo(COMPLETED);
                assertThat(got.path("text").asText()).as(round).isEqualTo("Echo: Hello");
                assertThat(got.path("found").asInt()).as(round).isEqualTo(COMPLETED);
                assertThat(got.path("states")).as(round).hasSize(1);
                assertThat(got.path("states").get(0).asInt()).as(round).isEqualTo(COMPLETED);
                assertThat(got.path("failed").asInt()).as(round).isEqualTo(FAILED);
                assertThat(got.path("errors").path("missing").asText()).startsWith("TaskNotFoundError");
                assertThat(got.path("errors").path("cancel").asText())
                        .as("of a task that has ended")
                        .startsWith("TaskNotCancelableError");
            }
        }
    }

    /** The exit code of Node.js with these arguments; -1 where there is none. */
    private static int node(Path folder, Map<String, String> environment, String... arguments)
            throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of("node"), List.of(arguments).stream())
                        .toList())
                .redirectOutput(folder.resolve("output").toFile())
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            if (!process.waitFor(40, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("node does not end");
            }
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }
}
