package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The command that compares the versions of a role, and the client's method. */
class VersionsCommandTest {

    private static final String ADMINISTRATOR = "test-administrator-key";

    private final MutableClock clock = MutableClock.atExampleTime();

    private void report(RegistryCaller caller, String version, int successes, int failures) {
        String id = "agent-" + version;
        ObjectNode agent =
                Json.object().put("agent_id", id).put("role_id", "billing").put("owner_key_id", "administrator");
        assertThat(caller.post("/api/v1/agents", agent.put("agent_version", version))
                        .status())
                .isEqualTo(201);
        ObjectNode batch = Json.object().put("batch_id", "b");
        for (int i = 0; i < successes + failures; i++) {
            batch.withArray("outcomes")
                    .addObject()
                    .put("result", i < successes ? "success" : "failure")
                    .put("latency_ms", 100);
        }
        assertThat(caller.post("/api/v1/agents/" + id + "/outcomes", batch).status())
                .isEqualTo(202);
    }

    private void measure(LocalSystem system) {
        clock.advanceSeconds(60);
        system.drainStreams();
        system.runSchedules();
    }

    @Test
    void versions_are_compared_and_a_worse_one_is_named() throws IOException {
        try (LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                .clock(clock, clock::advance)
                .byHand()
                .out(new PrintStream(OutputStream.nullOutputStream())))) {
            RegistryCaller caller = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
            Map<String, String> environment =
                    Map.of("AGENT_HEALTH_URL", system.baseUrl() + "/", "AGENT_HEALTH_KEY", ADMINISTRATOR);
            assertThat(CommandRun.of(environment, "versions", "billing").errors())
                    .contains("pool_not_found");
            report(caller, "1.0", 194, 6);
            assertThat(CommandRun.of(environment, "versions", "billing").errors())
                    .contains("no version of this role has an execution");
            measure(system);
            report(caller, "1.1", 160, 40);
            measure(system);
            CommandRun run = CommandRun.of(environment, "versions", "billing");
            assertThat(run.out()).contains("93.6 % to 98.6 %", "1.0: success");
            assertThat(run.out()).containsPattern("1\\.1 +200 +80\\.0 %");
            assertThat(CommandRun.of(environment, "versions", "billing", "--days", "31")
                            .status())
                    .isNotZero();
            try (AgentHealthClient client = AgentHealthClient.of(system.baseUrl() + "/", ADMINISTRATOR)) {
                assertThat(client.pools()
                                .versions("billing", 30)
                                .at("/versions/0/agent_version")
                                .asText())
                        .isEqualTo("1.1");
            }
        }
    }
}
