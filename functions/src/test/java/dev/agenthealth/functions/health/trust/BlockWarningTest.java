package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A blocked agent finds the block in its own events, and is warned by its heartbeats. */
@Tag("SN-03")
class BlockWarningTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);

    @Test
    void blocks_and_unblocks_are_in_the_agents_own_events_with_its_role() {
        client.newAgent("a", "");
        client.block("agents/a", "policy violation");
        client.unblock("agents/a");
        JsonNode events = events(TestSystem.ADMINISTRATOR_KEY);
        assertThat(events).hasSize(3);
        assertThat(events.get(1).path("type").asText()).isEqualTo("agent.trust");
        assertThat(events.get(1).path("action").asText()).isEqualTo("blocked");
        assertThat(events.get(1).path("role_id").asText()).isEqualTo("worker");
        assertThat(events.get(1).path("reason").asText()).isEqualTo("policy violation");
        assertThat(events.get(1).path("sequence").asInt()).isEqualTo(2);
        assertThat(events.get(2).path("action").asText()).isEqualTo("unblocked");
        assertThat(events.get(2).path("sequence").asInt()).isEqualTo(3);
        assertThat(events(TestSystem.AGENT_KEY).toString())
                .as("the reason is for operators")
                .contains("blocked")
                .doesNotContain("policy violation");
    }

    @Test
    void a_blocked_agent_is_warned_by_its_heartbeats_which_go_on() {
        TestAgent agent = client.newAgent("a", "");
        assertThat(agent.sendHeartbeat().json().has("warnings")).isFalse();
        client.block("agents/a", "why");
        system.meter().reset();
        Response answer = agent.sendHeartbeat();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/warnings/0/field").asText()).isEqualTo("blocked");
        assertThat(system.meter().operations()).as("one write and no read").containsExactly("UpdateItem");
        client.unblock("agents/a");
        assertThat(agent.sendHeartbeat().json().has("warnings")).isFalse();
    }

    @Test
    void the_warning_ends_with_the_block_and_outlives_a_registration() {
        TestAgent agent = client.newAgent("a", "");
        String until = system.clock().instant().plusSeconds(600).toString();
        assertThat(system.api()
                        .post("/v1/admin/agents/a/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"until\":\"" + until + "\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(system.api()
                        .delete("/api/v1/agents/a")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().json().has("warnings")).isTrue();
        system.clock().advanceSeconds(600);
        assertThat(agent.sendHeartbeat().json().has("warnings")).isFalse();
    }

    @Test
    void an_archived_agent_is_blocked_in_its_own_events() {
        TestAgent agent = client.newAgent("a", "");
        assertThat(system.api()
                        .delete("/api/v1/agents/a")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        client.block("agents/a", "why");
        JsonNode events = events(TestSystem.ADMINISTRATOR_KEY);
        assertThat(events.get(events.size() - 1).path("action").asText()).isEqualTo("blocked");
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().json().has("warnings")).isTrue();
    }

    private JsonNode events(String key) {
        Response answer = system.api().get("/api/v1/agents/a/events").key(key).send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().path("events");
    }
}
