package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent that names coordinators is drained by these, by itself and by administrators. */
class NamedCoordinatorsTest {

    private static final String OTHER = "other-coordinator";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeEach
    void register() {
        system.addKey(OTHER, Role.COORDINATOR, Set.of());
        TestAgent agent = new TestAgent(system, "a");
        String named = "\"" + TestSystem.keyId(TestSystem.COORDINATOR_KEY) + "\"";
        assertThat(agent.register(",\"coordinator_key_ids\":[" + named + "," + named + "]")
                        .json()
                        .path("coordinator_key_ids")
                        .size())
                .isOne();
    }

    @ParameterizedTest
    @CsvSource({
        TestSystem.COORDINATOR_KEY + ", true",
        OTHER + ", false",
        TestSystem.AGENT_KEY + ", true",
        TestSystem.ADMINISTRATOR_KEY + ", true"
    })
    void only_a_named_coordinator_drains_restarts_or_removes_it(String key, boolean may) {
        TestApi api = system.api();
        assertThat(send(api.get("/api/v1/agents/a"), key, "")).isEqualTo(200);
        assertThat(send(api.post("/api/v1/agents/a/commands"), key, "{\"command\":\"drain\"}"))
                .isEqualTo(may ? 202 : 403);
        assertThat(send(api.delete("/api/v1/agents/a/commands/drain"), key, "")).isEqualTo(may ? 204 : 403);
        assertThat(send(api.patch("/api/v1/agents/a"), key, "{\"name\":\"Billing\"}"))
                .isEqualTo(200);
        assertThat(send(
                        api.patch("/api/v1/agents/a"),
                        key,
                        "{\"coordinator_key_ids\":[\"" + TestSystem.keyId(key) + "\"]}"))
                .isEqualTo(may ? 200 : 403);
        assertThat(send(api.patch("/api/v1/agents/a/status"), key, "{\"status\":\"draining\"}"))
                .isEqualTo(may ? 200 : 403);
        assertThat(send(api.delete("/api/v1/agents/a"), key, "")).isEqualTo(may ? 204 : 403);
    }

    @ParameterizedTest
    @CsvSource({TestSystem.COORDINATOR_KEY + ", 200", OTHER + ", 403", TestSystem.AGENT_KEY + ", 200"})
    void no_other_coordinator_lets_it_restart_by_a_declaration(String key, int status) {
        String stall = "{\"heartbeat_config\":{\"stall_after_seconds\":%d%s}}";
        TestApi api = system.api();
        assertThat(send(api.patch("/api/v1/agents/a"), key, stall.formatted(60, "")))
                .isEqualTo(status);
        String restart = ",\"restart_when_stalled\":true";
        assertThat(send(api.patch("/api/v1/agents/a"), key, stall.formatted(60, restart)))
                .isEqualTo(status);
        assertThat(send(api.patch("/api/v1/agents/a"), TestSystem.AGENT_KEY, stall.formatted(60, restart)))
                .isEqualTo(200);
        assertThat(send(api.patch("/api/v1/agents/a"), key, stall.formatted(1, "")))
                .isEqualTo(status);
    }

    @Test
    void without_names_every_coordinator_of_its_role_drains_it() {
        assertThat(send(system.api().patch("/api/v1/agents/a"), TestSystem.AGENT_KEY, "{\"coordinator_key_ids\":null}"))
                .isEqualTo(200);
        assertThat(send(system.api().post("/api/v1/agents/a/commands"), OTHER, "{\"command\":\"drain\"}"))
                .isEqualTo(202);
    }

    @ParameterizedTest
    @CsvSource({"'[\"a b\"]'", "'[1]'", "'[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]'"})
    void other_names_are_refused(String ids) {
        assertThat(send(
                        system.api().patch("/api/v1/agents/a").undescribed(),
                        TestSystem.AGENT_KEY,
                        "{\"coordinator_key_ids\":" + ids + "}"))
                .isEqualTo(400);
    }

    private static int send(TestApi.Request request, String key, String body) {
        return request.key(key).header("if-match", "*").body(body).send().status();
    }
}
