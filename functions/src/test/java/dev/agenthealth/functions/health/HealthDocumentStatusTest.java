package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.health.MeasurementInputs;
import dev.agenthealth.functions.storage.health.MeasurementStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status in the health document over the life of an agent: measured, overdue, archived, gone (Agent Health State §4). */
class HealthDocumentStatusTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());

    private final Healths healths = new Healths(system);

    @ParameterizedTest
    @Tag("AHS-01")
    @CsvSource({"10,0,healthy", "90,10,degraded", "49,51,unhealthy", "9,0,unknown"})
    void the_outcomes_determine_the_status_while_the_agent_is_active_or_draining(
            long successes, long failures, String word) {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, successes, failures);
        assertThat(client.status(agent)).isEqualTo(word);
        assertThat(agent.sendHeartbeat("draining", ",\"current_load\":1").status())
                .isEqualTo(200);
        assertThat(client.status(agent)).isEqualTo(word);
    }

    @Test
    @Tag("AHS-01")
    @Tag("AHS-07")
    void the_current_lifecycle_status_is_used() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        agent.becomeUnhealthy();
        String end = Timestamps.text(system.clock().instant());
        assertThat(client.status(agent)).isEqualTo("degraded");
        assertThat(client.lastHealthyAt(agent)).isEqualTo(end);
        system.clock().advanceSeconds(10);
        assertThat(client.lastHealthyAt(agent)).as("it no longer changes").isEqualTo(end);
        agent.sendHeartbeat();
        assertThat(client.status(agent)).isEqualTo("healthy");
        assertThat(client.lastHealthyAt(agent))
                .isEqualTo(Timestamps.text(system.clock().instant()));
        agent.becomeDead();
        assertThat(client.status(agent)).isEqualTo("unhealthy");
    }

    @Test
    @Tag("AHS-07")
    void the_uptime_of_a_dead_agent_ends_at_its_last_heartbeat_also_after_it_is_archived() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        system.clock().advanceSeconds(25);
        agent.sendHeartbeat();
        agent.becomeDead();
        String tag = tag(agent);
        assertThat(uptime(agent)).isEqualTo(25);
        system.clock().advanceSeconds(3_600);
        assertThat(uptime(agent)).isEqualTo(25);
        assertThat(tag(agent)).isEqualTo(tag);
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(uptime(agent)).isEqualTo(25);
        TestAgent unmeasured = TestAgent.registered(system, "unmeasured");
        system.clock().advanceSeconds(40);
        unmeasured.sendHeartbeat();
        unmeasured.becomeDead();
        assertThat(uptime(unmeasured)).isEqualTo(40);
    }

    private int uptime(TestAgent agent) {
        return client.document(agent).at("/health/uptime_seconds").asInt();
    }

    @Test
    @Tag("AHS-07")
    @Tag("AHS-14")
    void the_uptime_restarts_with_a_registration_before_the_first_computation() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        String tag = tag(agent);
        agent.becomeDead();
        assertThat(agent.register("").status()).isEqualTo(201);
        system.clock().advanceSeconds(7);
        assertThat(client.document(agent).path("health").path("uptime_seconds").asInt())
                .isEqualTo(7);
        String restarted = tag(agent);
        assertThat(restarted).isNotEqualTo(tag);
        healths.compute(agent, 20, 0);
        assertThat(tag(agent)).as("the same start").isEqualTo(restarted);
    }

    @Test
    @Tag("AHS-06")
    @Tag("AHS-14")
    void the_status_is_unknown_when_the_health_is_overdue_by_five_minutes() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        system.clock().advanceSeconds(3_600);
        assertThat(client.status(agent)).as("no change since the computation").isEqualTo("healthy");
        new DueStore(system.database()).markDue(agent.id());
        String marked = Timestamps.text(system.clock().instant());
        system.clock().advanceSeconds(200);
        new DueStore(system.database()).markDue(agent.id());
        system.clock().advanceSeconds(100);
        assertThat(client.status(agent)).isEqualTo("healthy");
        system.clock().advanceSeconds(1);
        for (JsonNode document : List.of(client.document(agent), client.document(agent, TestSystem.AGENT_KEY))) {
            assertThat(document.path("health").path("status").asText()).isEqualTo("unknown");
            assertThat(document.path("health").path("last_healthy_at").asText()).isEqualTo(marked);
            assertThat(document.path("calibration").path("sample_count").asInt())
                    .isZero();
        }
        agent.becomeDead();
        assertThat(client.status(agent))
                .as("a dead agent is unhealthy without a computation")
                .isEqualTo("unhealthy");
        healths.compute(agent, 20, 0);
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(client.status(agent)).isEqualTo("healthy");
    }

    @Test
    @Tag("AHS-06")
    void the_overdue_time_is_measured_from_the_latest_computation() {
        TestAgent agent = TestAgent.registered(system, "a");
        MeasurementStore measurements = new MeasurementStore(system.database());
        AgentHealth health = healths.compute(agent, 20, 0);
        new DueStore(system.database()).markDue("a");
        system.clock().advanceSeconds(200);
        MeasurementInputs inputs = measurements.read("a");
        assertThat(measurements.settle(inputs, system.clock().instant().plusSeconds(60)))
                .isTrue();
        system.clock().advanceSeconds(360);
        assertThat(client.status(agent))
                .as("due without a mark for five minutes")
                .isEqualTo("healthy");
        system.clock().advanceSeconds(1);
        assertThat(client.status(agent)).isEqualTo("unknown");
        assertThat(measurements.settle(inputs, Instant.MAX)).isTrue();
        system.clock().advanceSeconds(3_600);
        new DueStore(system.database()).markDue("a");
        assertThat(client.status(agent))
                .as("due since the latest mark, not the first")
                .isEqualTo("healthy");
        inputs = measurements.read("a");
        system.clock().advanceSeconds(200);
        new DueStore(system.database()).markDue("a");
        AgentHealth newer = HealthRule.computed(
                "a",
                health.subject(),
                health.measurement(),
                new HealthRule.Lifecycle(LifecycleStatus.ACTIVE, health.computedAt()),
                Optional.of(health),
                system.clock().instant());
        assertThat(measurements.put(newer, inputs, Instant.MAX))
                .as("it stays due because of another mark")
                .isTrue();
        system.clock().advanceSeconds(200);
        assertThat(client.status(agent)).isEqualTo("healthy");
    }

    @Test
    @Tag("AHS-07")
    void the_last_healthy_time_is_kept_while_the_agent_is_not_healthy() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 10, 10);
        assertThat(client.lastHealthyAt(agent)).as("never healthy so far").isEmpty();
        system.clock().advanceSeconds(60);
        healths.compute(agent, 40, 0);
        system.clock().advanceSeconds(60);
        healths.compute(agent, 40, 40);
        String end = Timestamps.text(system.clock().instant());
        system.clock().advanceSeconds(3_600);
        healths.compute(agent, 40, 40);
        assertThat(client.lastHealthyAt(agent)).isEqualTo(end);
    }

    @Test
    @Tag("AHS-01")
    void an_archived_agent_keeps_its_last_health() {
        TestAgent agent = TestAgent.registered(system, "a");
        agent.becomeDead();
        healths.compute(agent, 20, 0);
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(client.status(agent)).isEqualTo("unhealthy");
        assertThat(agent.deregister().status()).isEqualTo(204);
        healths.compute(agent, 20, 0);
        assertGone(client.ofAgent("a"));
    }

    @Test
    @Tag("AHS-01")
    void an_archived_agent_is_not_healthy_even_if_it_was_computed_as_healthy() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        String computed = Timestamps.text(system.clock().instant());
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(client.status(agent)).isEqualTo("unhealthy");
        assertThat(client.lastHealthyAt(agent)).isEqualTo(computed);
    }

    @Test
    @Tag("AHS-01")
    void an_archived_agent_without_outcomes_differs_from_an_unknown_agent() {
        TestAgent dead = TestAgent.registered(system, "dead");
        dead.becomeDead();
        dead.finishCleanUp();
        assertThat(dead.archive()).isTrue();
        assertThat(client.status(dead)).isEqualTo("unhealthy");
        TestAgent left = TestAgent.registered(system, "left");
        left.deregister();
        assertGone(client.ofAgent("left"));
        left.finishCleanUp();
        assertThat(left.archive()).isTrue();
        assertGone(client.ofAgent("left"));
        Response unknown = client.ofAgent("never").send();
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.json().path("error").asText()).isEqualTo("agent_not_found");
        assertThat(unknown.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    @Tag("AHS-01")
    void a_deregistered_agent_has_no_health_document() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        agent.deregister();
        assertGone(client.ofAgent("a"));
        assertGone(client.ofHost().query("agent_id", "a"));
        assertGone(client.ofAgent("a").key(TestSystem.AGENT_KEY));
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(client.status(agent)).as("its outcomes are kept").isEqualTo("healthy");
    }

    private static void assertGone(Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(410);
        assertThat(response.json().path("error").asText()).isEqualTo("agent_gone");
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
    }

    private String tag(TestAgent agent) {
        return client.read(client.ofAgent(agent.id())).header("ETag");
    }
}
