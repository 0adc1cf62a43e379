package dev.agenthealth.functions.registry.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Reported outcomes as signs of life. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-11")
class OutcomeSignsTest {

    private static final String DECLARED = ",\"heartbeat_config\":{\"signs_of_life\":[\"outcomes\"]}";
    private static final String FAILURE = "{\"result\":\"failure\"}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);
    private int batches;

    private TestAgent declared(String id) {
        TestAgent agent = new TestAgent(system, id);
        assertThat(agent.register(DECLARED).status()).isEqualTo(201);
        return agent;
    }

    private void report(String key, TestAgent agent, String... outcomes) {
        assertThat(client.report(key, agent, "b-" + ++batches, outcomes).status())
                .isEqualTo(202);
    }

    private void reportItself(TestAgent agent, String... outcomes) {
        report(TestSystem.AGENT_KEY, agent, outcomes);
    }

    @Test
    void an_agent_that_reports_lives_by_its_reports_and_recovers_with_one() {
        TestAgent agent = declared("reporting");
        system.clock().advanceSeconds(60);
        reportItself(agent, FAILURE);
        assertThat(agent.pulse().seenBy()).isEqualTo(SeenBy.OUTCOME);
        assertThat(agent.pulse().lastHeartbeatAt()).isEqualTo(system.clock().instant());
        agent.becomeUnhealthy();
        reportItself(agent, OutcomeClient.SUCCESS);
        assertThat(agent.changes()).last().isEqualTo("unhealthy->active heartbeat_resumed");
        agent.becomeDead();
        reportItself(agent, OutcomeClient.SUCCESS);
        assertThat(agent.changes()).last().isEqualTo("dead->active re_registered");
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
    }

    @Test
    void many_reports_in_an_interval_are_one_heartbeat_and_cost_nothing_more() {
        TestAgent agent = declared("busy");
        reportItself(agent, OutcomeClient.successAt(system.clock().instant()));
        system.clock().advanceSeconds(27);
        system.meter().reset();
        reportItself(agent, OutcomeClient.successAt(system.clock().instant()));
        assertThat(system.meter().operations())
                .as("agent, slice, slice; row, heartbeat")
                .containsExactly("BatchGetItem", "Query", "UpdateItem", "GetItem", "UpdateItem");
        for (int i = 0; i < 5; i++) {
            system.meter().reset();
            reportItself(agent, OutcomeClient.successAt(system.clock().instant()));
            assertThat(system.meter().operations()).containsExactly("BatchGetItem", "Query", "UpdateItem");
        }
        assertThat(agent.pulse().heartbeatCount())
                .as("the first sign, and one an interval later")
                .isEqualTo(2);
    }

    @Test
    void of_others_only_a_recent_success_shows_that_an_agent_lives() {
        TestAgent agent = declared("reported");
        agent.becomeUnhealthy();
        report(TestSystem.COORDINATOR_KEY, agent, FAILURE);
        report(
                TestSystem.COORDINATOR_KEY,
                agent,
                OutcomeClient.successAt(system.clock().instant().minusSeconds(91)));
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        report(
                TestSystem.COORDINATOR_KEY,
                agent,
                FAILURE,
                OutcomeClient.successAt(system.clock().instant().minusSeconds(90)));
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void a_coordinator_that_the_agent_does_not_name_shows_no_life_of_it() {
        TestAgent agent = new TestAgent(system, "naming");
        assertThat(agent.register(DECLARED + ",\"coordinator_key_ids\":[\"another-key\"]")
                        .status())
                .isEqualTo(201);
        agent.becomeDead();
        report(TestSystem.COORDINATOR_KEY, agent, OutcomeClient.SUCCESS);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        reportItself(agent, OutcomeClient.SUCCESS);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void an_agent_that_declares_no_signs_dies_in_spite_of_its_reports() {
        TestAgent agent = TestAgent.registered(system, "undeclared");
        system.clock().advanceSeconds(60);
        reportItself(agent, OutcomeClient.SUCCESS);
        assertThat(agent.pulse().heartbeatCount()).isZero();
        agent.becomeDead();
        reportItself(agent, OutcomeClient.SUCCESS);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }
}
