package dev.agenthealth.local.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The conformance checks of ARD, as Lighthouse has them, with the local system. */
@Tag("other-programs")
class OfficialArdTest {

    private static final String KEY = "test-administrator-key";
    private static final Path SCRIPT = Path.of("src/test/resources/ard/validate.cjs");
    private static final int LIMIT_SECONDS = 40;

    @Test
    @Timeout(2 * LIMIT_SECONDS)
    void the_catalogue_its_results_and_its_entries_pass_the_checks_of_ard() throws IOException, InterruptedException {
        assumeTrue(
                node(Path.of("/dev/null"), "-e", "require.resolve('lighthouse/third-party/ard/ard.js')") == 0,
                "node cannot load lighthouse: npm install lighthouse, and NODE_PATH to its node_modules (docs/recipes/testing.md)");
        try (LocalSystem system = LocalSystem.start(
                LocalOptions.of(Template.find(), KEY).byHand().out(new PrintStream(OutputStream.nullOutputStream())))) {
            RegistryCaller caller = new RegistryCaller(system.baseUrl(), KEY);
            for (String id : List.of("biller", "invoicer")) {
                register(caller, id);
            }
            JsonNode found = Json.read(run(system.baseUrl()));
            assertThat(found.at("/catalogue/errors")).as(found.toString()).isEmpty();
            assertThat(found.at("/catalogue/warnings")).as(found.toString()).isEmpty();
            assertThat(found.path("aiCatalog")).isEqualTo(found.path("catalogue"));
            assertThat(found.at("/entry/errors")).as(found.toString()).isEmpty();
            assertThat(found.at("/entry/warnings")).as(found.toString()).isEmpty();
            assertThat(found.path("results")).as(found.toString()).isEmpty();
            assertThat(found.path("broken").asInt()).isPositive();
            assertThat(found.path("identifier").asText()).isEqualTo("urn:air:localhost:agent:biller");
            assertThat(found.path("scores")).hasSize(2);
            assertThat(found.path("card").asText()).isEqualTo("biller");
        }
    }

    private static void register(RegistryCaller caller, String id) {
        var agent = Json.object().put("agent_id", id).put("owner_key_id", "administrator");
        agent.put("endpoint", "https://agent.example.com/a2a").put("listed", true);
        agent.putArray("capabilities").add("billing");
        var answer = caller.post("/api/v1/agents", agent);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        var heartbeat = Json.object()
                .put("status", "active")
                .put("client_timestamp", Instant.now().toString());
        assertThat(caller.post("/api/v1/agents/" + id + "/heartbeat", heartbeat).status())
                .isEqualTo(200);
    }

    private static String run(String url) throws IOException, InterruptedException {
        Path printed = Files.createTempFile("ard", ".out");
        int exit = node(printed, SCRIPT.toString(), url, KEY);
        String text = Files.readString(printed);
        Files.delete(printed);
        assertThat(exit).as(text).isZero();
        return text;
    }

    /** The exit code of Node.js with these arguments; -1 where there is none. */
    private static int node(Path printed, String... arguments) throws InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("node").redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.command().addAll(List.of(arguments));
        try {
            Process process = builder.start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("node does not end");
            }
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }
}
