package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An operator says that a dead agent will not come back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DismissalTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private TestAgent dead(String id) {
        TestAgent agent = TestAgent.registered(system, id);
        agent.becomeDead();
        return agent;
    }

    /** Ids of the agents that a list with this verdict shows. */
    private List<String> listed(String verdict) {
        return system.api()
                .get("/api/v1/agents")
                .query("verdict", verdict)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("agents")
                .findValuesAsText("agent_id");
    }

    @Test
    void a_dismissed_agent_is_gone_with_one_event_until_it_registers_again() {
        TestAgent agent = dead("dismissed");
        assertThat(listed("down")).contains("dismissed");
        agent.dismiss("scrapped");
        agent.dismiss("again");
        assertThat(listed("down")).doesNotContain("dismissed");
        assertThat(listed("gone")).contains("dismissed");
        assertThat(agent.events())
                .filteredOn(event -> event.path("type").asText().equals("agent.dismissed"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.path("note").asText()).isEqualTo("scrapped");
                    assertThat(event.path("dismissed_by").asText()).isEqualTo("administrator");
                    assertThat(event.path("severity").asText()).isEqualTo("info");
                });
        agent.assertHistoryIsWhole("after a dismissal");
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.pulse().dismissed()).isFalse();
        agent.becomeDead();
        assertThat(listed("down")).contains("dismissed");
    }

    @Test
    void a_dead_agent_is_down_for_30_days_and_its_list_row_says_why_it_is_gone() {
        TestAgent agent = dead("old");
        system.clock().advance(Duration.ofDays(30).minusSeconds(1));
        assertThat(listed("down")).contains("old");
        system.clock().advanceSeconds(1);
        assertThat(listed("down")).doesNotContain("old");
        JsonNode row = system
                .api()
                .get("/api/v1/agents")
                .query("status", "dead")
                .query("role_id", "worker")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("agents")
                .findParents("agent_id")
                .stream()
                .filter(found -> found.path("agent_id").asText().equals("old"))
                .findFirst()
                .orElseThrow();
        assertThat(row.path("verdict").asText()).isEqualTo("gone");
        assertThat(row.path("reasons")).extracting(JsonNode::asText).containsExactly("dismissed", "dead");
        agent.dismiss("too late");
        assertThat(agent.pulse().dismissed()).isFalse();
    }

    @Test
    void only_a_dead_agent_can_be_dismissed() {
        TestAgent active = TestAgent.registered(system, "active");
        assertThatThrownBy(() -> active.dismiss(""))
                .isInstanceOf(ApiError.class)
                .hasMessageContaining("only a dead");
        TestAgent unknown = new TestAgent(system, "unknown");
        assertThatThrownBy(() -> unknown.dismiss("")).isInstanceOf(ApiError.class);
        active.deregister();
        active.dismiss("");
        assertThat(active.pulse().dismissed()).as("gone already").isFalse();
    }

    @Test
    void a_registration_meanwhile_is_not_dismissed() {
        TestAgent agent = dead("faster");
        Pulse seen = agent.pulse();
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(new AgentStore(system.database()).dismiss(seen, "worker", "key", ""))
                .isFalse();
        assertThat(agent.pulse().dismissed()).isFalse();
    }
}
