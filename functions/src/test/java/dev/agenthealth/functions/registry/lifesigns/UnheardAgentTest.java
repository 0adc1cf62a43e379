package dev.agenthealth.functions.registry.lifesigns;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An agent that sent no heartbeat since its registration. */
class UnheardAgentTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private JsonNode get(String path) {
        return system.api().get(path).key(TestSystem.ADMINISTRATOR_KEY).send().json();
    }

    @Test
    void its_record_and_its_row_say_so_until_its_first_heartbeat() {
        TestAgent agent = TestAgent.registered(system, "a");
        JsonNode record = get("/api/v1/agents/a");
        assertThat(record.path("heard").asBoolean(true)).isFalse();
        assertThat(record.path("last_heartbeat_at")).isEqualTo(record.path("registered_at"));
        assertThat(get("/api/v1/agents").at("/agents/0/heard").asBoolean(true)).isFalse();
        agent.sendHeartbeat();
        assertThat(get("/api/v1/agents/a").has("heard")).isFalse();
        assertThat(get("/api/v1/agents").at("/agents/0").has("heard")).isFalse();
    }

    @Test
    void its_verdict_names_its_registration_and_no_heartbeat() {
        TestAgent.registered(system, "a");
        String registered = get("/api/v1/agents/a").path("registered_at").asText();
        system.clock().advanceSeconds(120);
        system.sweep().passes(TestContext.of("SweepFunction"));
        assertThat(get("/api/v1/agents/a/health").at("/reasons/0").asText())
                .startsWith("There is no heartbeat since the registration at " + registered + ", longer ago than");
    }
}
