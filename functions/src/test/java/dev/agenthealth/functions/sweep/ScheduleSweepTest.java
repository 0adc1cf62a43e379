package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sweep detects overdue runs of agents that run by the clock, and leaves agents alone whose silence is no fault. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScheduleSweepTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void a_run_that_does_not_come_makes_an_agent_unhealthy_after_its_grace_and_dead_after_the_threshold_beyond_it() {
        TestAgent job = scheduled(
                "nightly",
                """
                        {"cron":"0 2 * * *","time_zone":"Europe/Berlin","grace_seconds":600}\
                        """);
        Instant run = nextRun();
        assertThat(expectedAt(job)).isEqualTo(run);
        sweepAt(run.plusSeconds(600));
        assertThat(job.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        sweepAt(run.plusSeconds(600).plusMillis(1));
        assertThat(job.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        JsonNode unhealthy = job.events().get(1);
        assertThat(Instant.parse(unhealthy.get("expected_at").textValue())).isEqualTo(run);
        assertThat(Instant.parse(unhealthy.get("deadline_at").textValue())).isEqualTo(run.plusSeconds(600));
        sweepAt(run.plusSeconds(900));
        assertThat(job.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        sweepAt(run.plusSeconds(900).plusMillis(1));
        assertThat(job.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(Instant.parse(job.events().get(2).get("expected_at").textValue()))
                .isEqualTo(run);
        job.assertHistoryIsWhole("an overdue run");
    }

    @Test
    void a_late_run_within_the_grace_is_no_fault_and_one_after_it_recovers_the_agent() {
        TestAgent job = scheduled("hourly", "{\"every_seconds\":3600,\"grace_seconds\":600}");
        harness.system().clock().advanceSeconds(4_200);
        job.sendHeartbeat();
        sweepAt(harness.now());
        assertThat(job.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        sweepAt(harness.now().plusSeconds(4_201));
        assertThat(job.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        job.sendHeartbeat();
        assertThat(job.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(expectedAt(job)).isEqualTo(harness.now().plusSeconds(3_600));
    }

    @Test
    void a_heartbeat_of_a_job_names_no_moment_for_the_next_one() {
        TestAgent job = scheduled("no-interval", "{\"every_seconds\":3600}");
        assertThat(job.sendHeartbeat().json().has("next_heartbeat_in_seconds")).isFalse();
    }

    @Test
    @Tag("SN-09")
    void an_agent_without_heartbeats_is_active_until_it_is_deregistered() {
        TestAgent called = new TestAgent(harness.system(), "only-called");
        called.register(",\"heartbeat_config\":{\"mode\":\"none\"}");
        sweepAt(harness.now().plus(Duration.ofDays(3)));
        sweepAt(harness.now().plus(Duration.ofDays(3)));
        assertThat(called.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(called.events()).hasSize(1);
    }

    @Test
    void an_agent_that_begins_to_send_heartbeats_is_silent_from_then_on() {
        TestAgent agent = new TestAgent(harness.system(), "changed");
        agent.register(",\"heartbeat_config\":{\"mode\":\"none\"}");
        sweepAt(harness.now().plusSeconds(3_600));
        assertThat(agent.change("{\"heartbeat_config\":{\"mode\":null}}").status())
                .isEqualTo(200);
        agent.sendHeartbeat();
        harness.passTime(91);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
    }

    private Instant expectedAt(TestAgent agent) {
        JsonNode record = harness.system()
                .api()
                .get("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
        return Instant.parse(record.get("expected_at").textValue());
    }

    private TestAgent scheduled(String id, String schedule) {
        TestAgent agent = new TestAgent(harness.system(), id);
        assertThat(agent.register(",\"heartbeat_config\":{\"schedule\":" + schedule + "}")
                        .status())
                .isEqualTo(201);
        return agent;
    }

    /** The next 02:00 in Berlin, at least ten seconds from now. */
    private Instant nextRun() {
        ZonedDateTime now = harness.now().plusSeconds(10).atZone(ZoneId.of("Europe/Berlin"));
        ZonedDateTime today = now.toLocalDate().atTime(2, 0).atZone(now.getZone());
        return (today.isAfter(now)
                        ? today
                        : now.toLocalDate().plusDays(1).atTime(2, 0).atZone(now.getZone()))
                .toInstant();
    }

    private void sweepAt(Instant moment) {
        // Passes follow each other without a gap, which would begin a grace period.
        harness.system().clock().advance(Duration.between(harness.now(), moment));
        new SweepStateStore(harness.system().database()).stillSweeping(harness.now());
        harness.sweep();
    }
}
