package dev.agenthealth.local.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.local.testing.ScriptedAgent;
import dev.agenthealth.local.testing.ScriptedAgent.Behaviour;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The official clients of MCP, of both eras, with the local system. */
@Tag("other-programs")
class McpClientsTest {

    private static final String KEY = "test-administrator-key";
    private static final Path SCRIPT = Path.of("src/test/resources/mcp/client.cjs");
    private static final int LIMIT_SECONDS = 60;

    @ParameterizedTest
    @CsvSource({
        "2025-11-25, @modelcontextprotocol/sdk/client/index.js, -32002",
        "2026-07-28, @modelcontextprotocol/client, -32602"
    })
    @Timeout(3 * LIMIT_SECONDS)
    void the_official_client_uses_every_tool_and_the_resources(String version, String module, int unknownResource)
            throws IOException, InterruptedException {
        assumeTrue(
                isInstalled(module),
                "node cannot load " + module
                        + ": npm install it, and NODE_PATH to its node_modules (docs/recipes/testing.md)");
        try (LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                        .byHand()
                        .allowLoopbackEndpoints()
                        .out(new PrintStream(OutputStream.nullOutputStream())));
                ScriptedAgent agents = new ScriptedAgent(duration -> {})) {
            register(system, agents);
            system.runSchedules();
            JsonNode found = Json.read(run(version, system.baseUrl() + "/mcp"));
            assertThat(found.path("errors")).isEmpty();
            assertThat(found.path("version").asText()).isEqualTo(version);
            assertThat(found.path("server").asText()).isEqualTo("agent-health");
            assertThat(found.path("tools")).hasSize(6);
            assertThat(found.at("/agents/0").asText()).isEqualTo("a");
            assertThat(found.path("health").asText()).isEqualTo("unknown");
            assertThat(found.path("advice").asText()).isEqualTo("caution");
            assertThat(found.path("answer").asText()).isEqualTo("succeeded");
            assertThat(found.path("fleet").asInt()).isEqualTo(2);
            assertThat(found.path("drain").asText()).isEqualTo("pending");
            assertThat(found.at("/refused/0").asBoolean()).isTrue();
            assertThat(found.at("/refused/1").asText()).startsWith("agent_not_found: ");
            assertThat(found.path("unknownTool").asInt()).isEqualTo(-32602);
            assertThat(found.path("resources")).hasSize(5);
            assertThat(found.path("templates").asInt()).isEqualTo(3);
            assertThat(found.path("read"))
                    .hasToString(
                            """
                            ["a active","unknown","a","without-card active","unknown"]\
                            """);
            assertThat(found.path("unknownResource").asInt()).isEqualTo(unknownResource);
            assertThat(agents.calls()).hasSize(1);
        }
    }

    private static void register(LocalSystem system, ScriptedAgent agents) {
        var agent = Json.object().put("agent_id", "a").put("owner_key_id", "administrator");
        agent.put("endpoint", agents.endpoint(Behaviour.COMPLETES));
        agent.putArray("capabilities").add("billing");
        var withoutCard = Json.object().put("agent_id", "without-card").put("owner_key_id", "administrator");
        for (var one : List.of(agent, withoutCard)) {
            var answer = new RegistryCaller(system.baseUrl(), KEY).post("/api/v1/agents", one);
            assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        }
    }

    private static boolean isInstalled(String module) throws InterruptedException {
        try {
            return start(Path.of("/dev/null"), List.of("-e", "require('" + module + "')"))
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(String version, String url) throws IOException, InterruptedException {
        Path printed = Files.createTempFile("mcp", ".out");
        Process process = start(printed, List.of(SCRIPT.toString(), version, url, KEY));
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        String text = Files.readString(printed);
        Files.delete(printed);
        assertThat(ended).as("ended in time: " + text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private static Process start(Path printed, List<String> arguments) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("node").redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.command().addAll(arguments);
        return builder.start();
    }
}
