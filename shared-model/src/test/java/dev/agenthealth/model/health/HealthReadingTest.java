package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Description;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.ModelInfo;
import dev.agenthealth.model.registry.profile.RegistrationHistory;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthReadingTest {

    private static final Instant COMPUTED = Instant.parse("2026-02-08T10:00:00Z");
    private static final Instant STARTED = COMPUTED.minusSeconds(3_600);

    @ParameterizedTest
    @Tag("AHS-03")
    @Tag("AHS-05")
    @CsvSource({
        "20,0,ACTIVE,HEALTHY,HEALTHY",
        "20,0,DRAINING,HEALTHY,HEALTHY",
        "20,0,UNHEALTHY,DEGRADED,HEALTHY",
        "20,0,DEAD,UNHEALTHY,UNHEALTHY",
        "18,2,ACTIVE,DEGRADED,HEALTHY",
        "2,18,ACTIVE,UNHEALTHY,UNHEALTHY",
        "2,18,UNHEALTHY,UNHEALTHY,UNHEALTHY",
        "9,0,ACTIVE,UNKNOWN,UNKNOWN",
        "9,0,UNHEALTHY,UNKNOWN,UNKNOWN",
        "0,0,DEAD,UNHEALTHY,UNHEALTHY"
    })
    void the_status_is_what_was_measured_under_the_lifecycle_status_that_holds_now(
            long successes, long failures, LifecycleStatus lifecycle, HealthStatus status, HealthStatus coarse) {
        HealthReading reading = new HealthReading(
                health(successes, failures), new HealthRule.Lifecycle(lifecycle, COMPUTED), COMPUTED.plusSeconds(1));
        assertThat(reading.status()).isEqualTo(status);
        assertThat(reading.coarseStatus()).isEqualTo(coarse);
        assertThat(reading.isOfDeregistered()).isFalse();
    }

    @Test
    @Tag("AHS-07")
    void the_last_healthy_moment_is_now_or_when_it_ended() {
        Instant now = COMPUTED.plusSeconds(100);
        Instant changed = COMPUTED.plusSeconds(40);
        AgentHealth healthy = health(20, 0);
        assertThat(reading(healthy, LifecycleStatus.ACTIVE, changed, now).lastHealthyAt())
                .contains(now);
        assertThat(reading(healthy, LifecycleStatus.UNHEALTHY, changed, now).lastHealthyAt())
                .contains(changed);
        assertThat(reading(healthy, LifecycleStatus.UNHEALTHY, now.plusSeconds(1), now)
                        .lastHealthyAt())
                .as("another host's clock is ahead")
                .contains(now);
        assertThat(reading(health(0, 20), LifecycleStatus.ACTIVE, changed, now).lastHealthyAt())
                .isEmpty();
    }

    @Test
    @Tag("AHS-06")
    void a_health_that_was_due_for_more_than_five_minutes_is_unknown_and_without_figures() {
        Instant due = COMPUTED.plusSeconds(60);
        Instant last = due.plus(Duration.ofMinutes(5));
        HealthReading known = reading(health(20, 0), LifecycleStatus.ACTIVE, STARTED, last);
        assertThat(known.ifDueSince(due)).isEqualTo(known);
        assertThat(known.ifDueSince(Instant.MAX)).isEqualTo(known);
        HealthReading overdue = reading(health(20, 0), LifecycleStatus.ACTIVE, STARTED, last.plusMillis(1))
                .ifDueSince(due);
        assertThat(overdue.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(overdue.coarseStatus()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(overdue.health().measurement().sampleCount()).isZero();
        assertThat(overdue.lastHealthyAt()).as("its figures held until then").contains(due);
        assertThat(overdue.computedAt()).contains(COMPUTED);
        assertThat(overdue.uptimeSeconds()).isEqualTo(3_600 + 360);
    }

    @Test
    @Tag("AHS-05")
    @Tag("AHS-07")
    void an_overdue_health_takes_nothing_from_what_is_known_otherwise() {
        Instant due = COMPUTED.plusSeconds(60);
        Instant now = due.plusSeconds(3_600);
        Instant fell = COMPUTED.plusSeconds(30);
        assertThat(reading(health(20, 0), LifecycleStatus.DEAD, fell, now)
                        .ifDueSince(due)
                        .status())
                .isEqualTo(HealthStatus.UNHEALTHY);
        assertThat(reading(health(20, 0), LifecycleStatus.UNHEALTHY, fell, now)
                        .ifDueSince(due)
                        .lastHealthyAt())
                .contains(fell);
        assertThat(reading(health(0, 20), LifecycleStatus.ACTIVE, STARTED, now)
                        .ifDueSince(due)
                        .lastHealthyAt())
                .isEmpty();
    }

    @Test
    @Tag("AHS-07")
    void uptime_counts_whole_seconds_of_an_agent_that_is_there() {
        Instant now = STARTED.plusMillis(61_999);
        assertThat(reading(health(20, 0), LifecycleStatus.UNHEALTHY, COMPUTED, now)
                        .uptimeSeconds())
                .isEqualTo(61);
        assertThat(reading(health(20, 0), LifecycleStatus.DEAD, COMPUTED, now).uptimeSeconds())
                .isZero();
        assertThat(reading(health(20, 0), LifecycleStatus.ACTIVE, COMPUTED, STARTED.minusSeconds(1))
                        .uptimeSeconds())
                .isZero();
    }

    @ParameterizedTest(name = "{0}: heard {1} s and read {2} s after the start: {3} s")
    @Tag("AHS-07")
    @CsvSource({
        "ACTIVE,        90, 1000, 1000",
        "UNHEALTHY,     90, 1000, 1000",
        "DRAINING,      90, 1000, 1000",
        "DEAD,          90, 1000, 90",
        "DEAD,          90, 2000000, 90",
        "DEAD,         100,   90, 90",
        "DEAD,           0, 1000, 0",
        "DEREGISTERED,  90, 1000, 90",
    })
    void the_uptime_of_an_agent_that_is_gone_ends_at_its_last_sign_of_life(
            LifecycleStatus status, long heard, long read, long uptime) {
        Pulse first = RegistrationRule.first("a", HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Pulses.OWNER, STARTED);
        Instant last = STARTED.plusSeconds(heard);
        Pulse pulse = in(status, Pulses.afterHeartbeat(first, last), last.plusSeconds(300));
        HealthReading reading = HealthReading.of(health(20, 0), pulse, STARTED.plusSeconds(read));
        assertThat(reading.uptimeSeconds()).isEqualTo(uptime);
        assertThat(reading.ifDueSince(STARTED).uptimeSeconds()).isEqualTo(uptime);
    }

    private static Pulse in(LifecycleStatus status, Pulse active, Instant now) {
        return switch (status) {
            case ACTIVE -> active;
            case DEAD -> in(LifecycleStatus.UNHEALTHY, active, now).withStatus(status, Drain.NONE, now);
            case DRAINING -> active.withStatus(status, Pulses.drain(Drain.DEFAULT_TIMEOUT), now);
            default -> active.withStatus(status, Drain.NONE, now);
        };
    }

    @ParameterizedTest
    @Tag("AHS-11")
    @CsvSource({"0,0", "86399,0", "86400,1", "172799,1", "31536000,365", "-5,0"})
    void days_since_the_model_changed_are_whole_days(long seconds, long days) {
        Instant changed = COMPUTED.minusSeconds(seconds);
        HealthReading reading = reading(
                new AgentHealth(
                        "a",
                        COMPUTED,
                        new HealthSubject("", false, false, STARTED, Restarts.NONE, changed, STARTED),
                        measurement(20, 0),
                        LifecycleStatus.ACTIVE,
                        COMPUTED,
                        Published.initially(HealthStatus.UNKNOWN),
                        HealthStatus.UNKNOWN,
                        Published.initially(ScoreState.INACTIVE)),
                LifecycleStatus.ACTIVE,
                STARTED,
                COMPUTED);
        assertThat(reading.daysSinceModelChange()).isEqualTo(OptionalLong.of(days));
        assertThat(reading.lastCapabilityUpdate()).contains(STARTED);
    }

    @Test
    @Tag("AHS-11")
    void a_model_that_was_never_named_has_no_days() {
        assertThat(reading(health(20, 0), LifecycleStatus.ACTIVE, COMPUTED, COMPUTED)
                        .daysSinceModelChange())
                .isEmpty();
    }

    @ParameterizedTest
    @Tag("AHS-05")
    @CsvSource({"ACTIVE,DEAD", "UNHEALTHY,DEAD", "DEAD,DEAD", "DEREGISTERED,DEREGISTERED"})
    void an_agent_without_a_pulse_is_gone_whatever_it_was_when_its_health_was_computed(
            LifecycleStatus computed, LifecycleStatus read) {
        AgentHealth health = HealthRule.computed(
                "a",
                new HealthSubject("", false, false, STARTED, Restarts.NONE, Instant.MIN, STARTED),
                measurement(20, 0),
                new HealthRule.Lifecycle(computed, STARTED),
                Optional.empty(),
                COMPUTED);
        HealthReading reading = HealthReading.ofArchived(health, COMPUTED.plusSeconds(7_200));
        assertThat(reading.lifecycle().status()).isEqualTo(read);
        assertThat(reading.status())
                .isEqualTo(read == LifecycleStatus.DEAD ? HealthStatus.UNHEALTHY : HealthStatus.HEALTHY);
        assertThat(reading.isOfDeregistered()).isEqualTo(read == LifecycleStatus.DEREGISTERED);
        assertThat(reading.uptimeSeconds()).isZero();
        assertThat(reading.lastHealthyAt())
                .isEqualTo(computed == LifecycleStatus.ACTIVE ? Optional.of(COMPUTED) : Optional.empty());
    }

    @Test
    @Tag("AHS-06")
    void before_the_first_computation_an_agent_is_unknown_and_what_it_declared() {
        Instant now = STARTED.plusSeconds(30);
        AgentProfile profile = new AgentProfile(
                "a",
                "",
                new Description(
                        "", "did:wba:example.com:a", "", "", "", true, false, List.of(), Description.NO_METADATA),
                new AgentInterface(AgentKind.AGENT, List.of(), "", A2aProtocol.DEFAULT, false, STARTED.minusSeconds(5)),
                Workload.NOT_DECLARED,
                HeartbeatConfig.DEFAULT,
                Watch.NONE,
                new MeasurementBasis(
                        ModelInfo.UNKNOWN, Expectations.NONE.with(Expectation.WINDOW_SECONDS, 600), Instant.EPOCH),
                new RegistrationHistory(STARTED.minusSeconds(9), STARTED, Restarts.NONE, ""));
        Pulse pulse = RegistrationRule.first("a", HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Pulses.OWNER, STARTED);
        HealthReading reading = HealthReading.uncomputed(profile, pulse, now);
        assertThat(reading.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(reading.computedAt()).isEmpty();
        assertThat(reading.lastHealthyAt()).isEmpty();
        assertThat(reading.uptimeSeconds()).isEqualTo(30);
        assertThat(reading.health().subject().personal()).isTrue();
        assertThat(reading.health().subject().agentUri()).isEqualTo("did:wba:example.com:a");
        assertThat(reading.health().measurement().expectations().window().length())
                .isEqualTo(Duration.ofMinutes(10));
        assertThat(reading.health().score().state()).isEqualTo(ScoreState.INACTIVE);
        assertThat(HealthReading.of(health(20, 0), pulse, now).lifecycle())
                .isEqualTo(new HealthRule.Lifecycle(LifecycleStatus.ACTIVE, STARTED));
    }

    private static HealthReading reading(AgentHealth health, LifecycleStatus status, Instant since, Instant now) {
        return new HealthReading(health, new HealthRule.Lifecycle(status, since), now);
    }

    private static AgentHealth health(long successes, long failures) {
        return HealthRule.computed(
                "a",
                new HealthSubject("", false, false, STARTED, Restarts.NONE, Instant.MIN, STARTED),
                measurement(successes, failures),
                new HealthRule.Lifecycle(LifecycleStatus.ACTIVE, STARTED),
                Optional.empty(),
                COMPUTED);
    }

    private static Measurement measurement(long successes, long failures) {
        OutcomeCounts counts = OutcomeCounts.of(
                Map.of(OutcomeCounter.SELF_SUCCESSES, successes, OutcomeCounter.SELF_FAILURES, failures),
                LatencyHistogram.EMPTY);
        return new Measurement(Expectations.NONE, counts, 0, 0, 0, 0, 1);
    }

    @Test
    @Tag("AHS-07")
    void a_start_that_came_after_the_computation_counts() {
        Instant again = COMPUTED.plusSeconds(20);
        Instant now = COMPUTED.plusSeconds(50);
        Pulse pulse = RegistrationRule.first("a", HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Pulses.OWNER, again);
        HealthReading registered = HealthReading.of(health(20, 0), pulse, now);
        assertThat(registered.uptimeSeconds()).isEqualTo(30);
        assertThat(registered.restarts()).isEqualTo(1);
        Pulse reported = pulse.withHeartbeat(
                new Heartbeat(false, 0, false, List.of(), now, COMPUTED.plusSeconds(10), Pulse.ANY_INCARNATION), now);
        HealthReading started = HealthReading.of(health(20, 0), reported, now);
        assertThat(started.uptimeSeconds()).isEqualTo(40);
        assertThat(started.restarts()).isZero();
    }

    @Test
    void probes_stand_in_where_there_are_no_executions() {
        assertThat(reading(health(0, 0), LifecycleStatus.ACTIVE, STARTED, COMPUTED)
                        .isWithoutExecutions())
                .isTrue();
        assertThat(reading(health(1, 0), LifecycleStatus.ACTIVE, STARTED, COMPUTED)
                        .isWithoutExecutions())
                .isFalse();
        Instant now = COMPUTED.plusSeconds(60);
        HealthReading none = reading(health(0, 0), LifecycleStatus.ACTIVE, STARTED, now);
        HealthReading answering = none.observed(new ProbeHealth(10, false, 5, COMPUTED.plusSeconds(30)));
        assertThat(answering.status()).isEqualTo(HealthStatus.HEALTHY);
        assertThat(answering.lastHealthyAt()).contains(now);
        assertThat(answering.computedAt()).contains(COMPUTED.plusSeconds(30));
        HealthReading failing = none.observed(new ProbeHealth(10, true, 5, COMPUTED.plusSeconds(30)));
        assertThat(failing.status()).isEqualTo(HealthStatus.UNHEALTHY);
        assertThat(failing.lastHealthyAt()).isEmpty();
    }

    @Test
    void a_measurement_counts_failures_over_its_age_and_at_least_an_hour() {
        MeasurementWindow day = Expectations.NONE.window();
        assertThat(HealthRule.observedHours(day, COMPUTED.minusSeconds(60), COMPUTED))
                .isEqualTo(1);
        assertThat(HealthRule.observedHours(day, COMPUTED.minusSeconds(9_000), COMPUTED))
                .isEqualTo(2.5);
        assertThat(HealthRule.observedHours(day, COMPUTED.minus(day.length().multipliedBy(2)), COMPUTED))
                .isEqualTo(day.length().toHours());
    }

    @Test
    void a_value_that_stays_keeps_when_it_began_and_one_that_changes_holds_since_now() {
        AgentHealth first = health(20, 0);
        AgentHealth same = computed(20, 0, LifecycleStatus.ACTIVE, first, COMPUTED.plusSeconds(60));
        assertThat(same.publishedStatus()).isEqualTo(first.publishedStatus());
        assertThat(same.publishedScore()).isEqualTo(first.publishedScore());
        Instant later = COMPUTED.plusSeconds(120);
        AgentHealth changed = computed(2, 18, LifecycleStatus.ACTIVE, first, later);
        assertThat(changed.publishedStatus())
                .isEqualTo(first.publishedStatus().changed(later))
                .isNotEqualTo(first.publishedStatus());
        assertThat(changed.publishedScore())
                .isEqualTo(first.publishedScore().changed(later))
                .isNotEqualTo(first.publishedScore());
    }

    @Test
    @Tag("AHS-07")
    void an_agent_that_was_gone_was_not_healthy() {
        AgentHealth gone = computed(20, 0, LifecycleStatus.DEREGISTERED, health(0, 0), COMPUTED);
        assertThat(computed(0, 20, LifecycleStatus.ACTIVE, gone, COMPUTED.plusSeconds(60))
                        .lastHealthyAt())
                .isEqualTo(Instant.MIN);
    }

    private static AgentHealth computed(
            long successes, long failures, LifecycleStatus lifecycle, AgentHealth before, Instant now) {
        return HealthRule.computed(
                "a",
                before.subject(),
                measurement(successes, failures),
                new HealthRule.Lifecycle(lifecycle, STARTED),
                Optional.of(before),
                now);
    }
}
