package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.lifecycle.Restarts;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The restarts within an hour, in health documents. */
@Tag("AHS-16")
class RestartCountTest {

    private static final String REPLACE = ",\"replace\":true";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());
    private final Healths healths = new Healths(system);

    @Test
    @Tag("AHS-07")
    void every_registration_of_a_known_id_within_the_last_hour_counts_and_restarts_the_uptime() {
        TestAgent agent = TestAgent.registered(system, "a");
        assertShown(agent, 0);
        system.clock().advanceSeconds(60);
        agent.register(REPLACE);
        assertShown(agent, 1);
        assertThat(client.document(agent).at("/health/uptime_seconds").longValue())
                .isZero();
        system.clock().advanceSeconds(60);
        agent.deregister();
        agent.register("");
        assertShown(agent, 2);
        system.clock().advanceSeconds(60);
        agent.register(REPLACE);
        assertShown(agent, 3);
        assertThat(agent.stored().profile().history().restarts().degradeUntil())
                .isAfter(system.clock().instant());
        system.clock().advanceSeconds(3_600 - 121);
        assertShown(agent, 3);
        system.clock().advanceSeconds(1);
        assertShown(agent, 2);
        system.clock().advanceSeconds(120);
        assertShown(agent, 0);
    }

    @Test
    void a_restart_after_the_health_was_computed_is_shown_before_the_next_computation() {
        TestAgent agent = TestAgent.registered(system, "a");
        system.clock().advanceSeconds(60);
        agent.register(REPLACE);
        healths.compute(agent, 20, 0);
        assertShown(agent, 1);
        system.clock().advanceSeconds(60);
        agent.register(REPLACE);
        assertShown(agent, 2);
        healths.compute(agent, 20, 0);
        assertShown(agent, 2);
    }

    @Test
    @Tag("AHS-01")
    void another_count_is_another_document() {
        TestAgent agent = TestAgent.registered(system, "a");
        agent.register(REPLACE);
        healths.compute(agent, 20, 0);
        String tag = client.read(client.ofAgent("a")).header("ETag");
        system.clock().advanceSeconds(3_599);
        assertThat(client.read(client.ofAgent("a")).header("ETag")).isEqualTo(tag);
        system.clock().advanceSeconds(1);
        assertThat(client.read(client.ofAgent("a")).header("ETag")).isNotEqualTo(tag);
    }

    @Test
    void a_process_that_crashes_all_the_time_is_counted_up_to_ten() {
        TestAgent agent = TestAgent.registered(system, "a");
        for (int i = 0; i < 15; i++) {
            agent.register(REPLACE);
        }
        assertShown(agent, Restarts.MAX_KEPT);
    }

    @Test
    @Tag("AHS-15")
    void restarts_of_personal_agents_are_not_shown() {
        TestAgent agent = new TestAgent(system, "a");
        agent.register(",\"personal\":true");
        agent.register(",\"personal\":true" + REPLACE);
        healths.compute(agent, 20, 0);
        for (JsonNode document : List.of(client.document(agent), client.document(agent, TestSystem.AGENT_KEY))) {
            assertThat(document.at("/extensions").has("dev.agenthealth.restarts"))
                    .isFalse();
        }
    }

    private void assertShown(TestAgent agent, int restarts) {
        for (JsonNode document : List.of(
                client.document(agent),
                client.document(agent, TestSystem.AGENT_KEY),
                client.document(agent, TestSystem.OTHER_AGENT_KEY))) {
            assertThat(document.at("/extensions/dev.agenthealth.restarts").intValue())
                    .isEqualTo(restarts);
        }
    }
}
