package dev.agenthealth.functions.storage.pulses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.Watch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The health summary in an agent's row, and the writes that change it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHM-08")
@Tag("AHS-18")
class PulseHealthSummaryTest {

    private static final String OF_ACME = ",\"provider_id\":\"acme\",\"platform\":\"Plain Linux\"";
    private static final HealthSummary ACME = HealthSummary.NONE.in("acme", "Plain Linux");

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final FleetScan fleet = new FleetScan(system.database());
    private int ids;

    @Test
    void storing_a_computed_health_takes_one_write_unit_and_writes_no_index() {
        TestAgent agent = agent(OF_ACME);
        system.meter().reset();
        assertThat(fleet.putHealth(agent.id(), 1, HealthStatus.HEALTHY, false, 9_731))
                .isTrue();
        assertThat(system.meter().operations()).containsExactly("UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(1);
        assertThat(system.meter().indexUnits()).isZero();
        assertThat(agent.stored().health())
                .isEqualTo(new HealthSummary(
                        HealthStatus.HEALTHY, 9_731, ACME.providerNumber(), ACME.platformNumber(), Instant.EPOCH));
    }

    @Test
    void health_of_an_earlier_incarnation_is_not_written() {
        TestAgent agent = agent("");
        assertThat(fleet.putHealth(agent.id(), 2, HealthStatus.HEALTHY, false, 9_000))
                .isFalse();
        assertThat(fleet.putHealth("unknown", 1, HealthStatus.HEALTHY, false, 9_000))
                .isFalse();
        agent.deregister();
        agent.register("");
        assertThat(fleet.putHealth(agent.id(), 1, HealthStatus.HEALTHY, false, 9_000))
                .isFalse();
        assertThat(fleet.putHealth(agent.id(), 2, HealthStatus.HEALTHY, false, 9_000))
                .isTrue();
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(fleet.putHealth(agent.id(), 2, HealthStatus.HEALTHY, false, 9_000))
                .isFalse();
        assertThat(rows()).noneMatch(row -> row.pulse().agentId().equals(agent.id()));
    }

    @Test
    void no_transition_changes_the_health_summary() {
        TestAgent agent = agent(OF_ACME);
        fleet.putHealth(agent.id(), 1, HealthStatus.DEGRADED, false, 7_000);
        HealthSummary health = agent.stored().health();
        for (Runnable something : List.<Runnable>of(
                () -> agent.sendHeartbeat("active", ",\"current_load\":1,\"tasks_in_progress\":[\"t\"]"),
                agent::becomeUnhealthy,
                agent::sendHeartbeat,
                () -> patch(agent, "{\"name\":\"n\",\"capabilities\":[\"c\"]}"),
                () -> agent.drain(system.api()),
                agent::deregister)) {
            something.run();
            assertThat(agent.stored().health()).isEqualTo(health);
        }
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    void health_written_meanwhile_does_not_prevent_a_transition() {
        TestAgent agent = agent("");
        StoredAgent seen = agent.stored();
        system.clock().advanceSeconds(91);
        Transition due = HeartbeatTimeoutRule.due(
                        seen.pulse(), Instant.EPOCH, system.clock().instant())
                .orElseThrow();
        fleet.putHealth(agent.id(), 1, HealthStatus.HEALTHY, false, 9_000);
        assertThat(new AgentStore(system.database()).change(due, seen.profile()))
                .isTrue();
        assertThat(agent.stored().health().hundredths()).isEqualTo(9_000);
    }

    @Test
    void a_profile_change_moves_an_agent_to_another_provider_and_platform_or_to_none() {
        TestAgent agent = agent(OF_ACME);
        fleet.putHealth(agent.id(), 1, HealthStatus.HEALTHY, false, 9_000);
        HealthSummary measured = new HealthSummary(HealthStatus.HEALTHY, 9_000, 0, 0, Instant.EPOCH);
        patch(agent, "{\"provider_id\":\"globex\"}");
        assertThat(agent.stored().health()).isEqualTo(measured.in("globex", "Plain Linux"));
        patch(agent, "{\"provider_id\":null,\"platform\":\"Mainframe\"}");
        assertThat(agent.stored().health()).isEqualTo(measured.in("", "Mainframe"));
        patch(agent, "{\"platform\":null,\"capacity\":{\"max_concurrent_tasks\":3}}");
        assertThat(agent.stored().health()).isEqualTo(measured);
        assertThat(agent.pulse().workload().maxConcurrentTasks()).isEqualTo(3);
        assertThat(names(GroupKind.PROVIDER)).contains("acme", "globex");
        assertThat(names(GroupKind.PLATFORM)).contains("Plain Linux", "Mainframe");
    }

    @Test
    void an_agent_that_returns_keeps_its_health_as_its_outcomes_are_kept() {
        TestAgent agent = agent(OF_ACME);
        fleet.putHealth(agent.id(), 1, HealthStatus.UNHEALTHY, false, 4_000);
        agent.deregister();
        agent.register(",\"platform\":\"Mainframe\"");
        assertThat(agent.stored().health())
                .isEqualTo(new HealthSummary(HealthStatus.UNHEALTHY, 4_000, 0, 0, Instant.EPOCH).in("", "Mainframe"));
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(agent.stored().health()).isEqualTo(HealthSummary.NONE);
        agent.register(OF_ACME);
        assertThat(agent.stored().health())
                .as("computed again from what is kept")
                .isEqualTo(ACME);
    }

    @Test
    void a_registration_writes_until_when_restarts_degrade_and_the_next_replaces_it() {
        TestAgent agent = agent("");
        Instant first = system.clock().instant();
        for (int i = 0; i < 2; i++) {
            agent.register(",\"replace\":true");
            assertThat(agent.stored().health().restartsDegradeUntil()).isEqualTo(Instant.EPOCH);
            system.clock().advanceSeconds(60);
        }
        agent.register(",\"replace\":true");
        assertThat(agent.stored().health().restartsDegradeUntil()).isEqualTo(first.plusSeconds(3_600));
        fleet.putHealth(agent.id(), 4, HealthStatus.HEALTHY, false, 9_000);
        patch(agent, "{\"provider_id\":\"globex\"}");
        agent.becomeUnhealthy();
        assertThat(agent.stored().health().restartsDegradeUntil()).isEqualTo(first.plusSeconds(3_600));
        system.clock().advanceSeconds(3_600);
        agent.register(",\"replace\":true");
        assertThat(agent.stored().health().restartsDegradeUntil()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void the_scan_reads_pulse_and_health_summary_together() {
        TestAgent agent = agent(OF_ACME);
        assertThat(rows()).contains(new FleetRow(agent.pulse(), ACME, Watch.NOT_WATCHED));
    }

    @Test
    void providers_and_platforms_are_listed_once() {
        agent(",\"provider_id\":\"listed\",\"platform\":\"listed too\"");
        assertThat(names(GroupKind.PROVIDER)).containsOnlyOnce("listed");
        assertThat(names(GroupKind.PLATFORM)).containsOnlyOnce("listed too");
        assertThat(names(GroupKind.ROLE)).contains("worker");
        assertThat(new GroupStore(system.database()).names(GroupKind.ROLE, "", 1))
                .hasSize(1);
        TestAgent second = new TestAgent(system, "second");
        system.meter().reset();
        second.register(",\"provider_id\":\"listed\",\"platform\":\"listed too\"");
        assertThat(system.meter().operations())
                .as("the second agent of a provider writes its own items only")
                .doesNotContain("PutItem");
        system.meter().reset();
        patch(second, "{\"name\":\"n\"}");
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "TransactWriteItems");
    }

    private List<String> names(GroupKind kind) {
        return new GroupStore(system.database()).names(kind, "", 1_000);
    }

    private List<FleetRow> rows() {
        List<FleetRow> rows = new ArrayList<>();
        fleet.segment(0, 1, rows::add, (id, placedAt) -> {});
        return rows;
    }

    private TestAgent agent(String more) {
        TestAgent agent = new TestAgent(system, "agent-" + ids++);
        assertThat(agent.register(more).status()).isEqualTo(201);
        return agent;
    }

    private static void patch(TestAgent agent, String body) {
        assertThat(agent.change(body).status()).isEqualTo(200);
    }
}
