package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Heartbeats that the registry sends: when they are sent, and what they change. */
@Tag("R16-11")
class SignOfLifeRuleTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:30:00Z");
    private static final HeartbeatConfig EVERY_MINUTE = new HeartbeatConfig(60, 120, 300);

    @ParameterizedTest(name = "{0} ms after the last heartbeat, {1}, every {2} s")
    @CsvSource({
        "0, ACTIVE, 0, true",
        "53999, ACTIVE, 0, true",
        "54000, ACTIVE, 0, false",
        "54001, ACTIVE, 0, false",
        "53999, DRAINING, 0, true",
        "54000, DRAINING, 0, false",
        // Signs of an agent that is silent end its silence, also after a change of thresholds.
        "1, UNHEALTHY, 0, false",
        // A run that was due is seen although the last heartbeat is recent.
        "9999, ACTIVE, 10, true",
        "10000, ACTIVE, 10, false",
        "54000, ACTIVE, 3600, false",
    })
    void a_sign_within_nine_tenths_of_the_interval_is_too_early(
            long millis, LifecycleStatus status, int everySeconds, boolean expected) {
        HeartbeatConfig config = everySeconds == 0
                ? EVERY_MINUTE
                : EVERY_MINUTE.with(
                        new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.of(new FixedInterval(everySeconds, 60))));
        Pulse pulse = pulse(config);
        if (status != LifecycleStatus.ACTIVE) {
            pulse = pulse.withStatus(status, Drain.NONE, NOW);
        }
        assertThat(SignOfLifeRule.isTooEarly(pulse, NOW.plusMillis(millis))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "of a sign given {0} s ago, {1} s after the last heartbeat, {2}")
    @CsvSource({
        "0, 53, ACTIVE, false",
        "0, 54, ACTIVE, true",
        // One that would leave the agent silent by now shows nothing.
        "120, 100, ACTIVE, true",
        "121, 122, UNHEALTHY, false",
        "120, 122, UNHEALTHY, true",
        "0, 1, UNHEALTHY, true",
        // A clock that is ahead.
        "-3600, 60, ACTIVE, true",
        "0, 1, DEAD, true",
        "121, 400, DEAD, false",
        "0, 60, DEREGISTERED, false",
    })
    void a_sign_counts_that_is_declared_and_recent(
            long age, long sinceHeartbeat, LifecycleStatus status, boolean expected) {
        Pulse pulse = pulse(EVERY_MINUTE.with(
                new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.empty(), false, Set.of(SignOfLife.SPANS))));
        if (status == LifecycleStatus.DEAD) {
            pulse = pulse.withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, NOW);
        }
        if (status != LifecycleStatus.ACTIVE) {
            pulse = pulse.withStatus(status, Drain.NONE, NOW);
        }
        Instant now = NOW.plusSeconds(sinceHeartbeat);
        assertThat(SignOfLifeRule.counts(pulse, SignOfLife.SPANS, now.minusSeconds(age), now))
                .isEqualTo(expected);
        assertThat(SignOfLifeRule.counts(pulse, SignOfLife.CALLS, now, now)).isFalse();
    }

    @Test
    void the_first_sign_after_a_registration_is_never_too_early() {
        assertThat(SignOfLifeRule.isTooEarly(registered(EVERY_MINUTE), NOW.plusMillis(1)))
                .isFalse();
    }

    @Test
    void a_heartbeat_of_the_registry_keeps_what_the_agent_reported() {
        Heartbeat reported = new Heartbeat(
                false,
                3,
                false,
                List.of(),
                NOW,
                NOW,
                Pulse.ANY_INCARNATION,
                new ReportedActivity(Phase.TOOL, Duration.ofSeconds(5)),
                SeenBy.HEARTBEAT);
        Pulse before = pulse(EVERY_MINUTE).withHeartbeat(reported, NOW);
        Pulse after = before.withHeartbeat(Heartbeat.ofRegistry(SeenBy.PROBE), NOW.plusSeconds(60));
        assertThat(after.seenBy()).isEqualTo(SeenBy.PROBE);
        assertThat(after.lastHeartbeatAt()).isEqualTo(NOW.plusSeconds(60));
        assertThat(after.heartbeatCount()).isEqualTo(before.heartbeatCount() + 1);
        assertThat(after.activity()).isEqualTo(before.activity());
        assertThat(after.workload()).isEqualTo(before.workload());
        assertThat(after.startedAt()).isEqualTo(before.startedAt());
        assertThat(after.withHeartbeat(Heartbeat.BARE, NOW.plusSeconds(61)).seenBy())
                .isEqualTo(SeenBy.HEARTBEAT);
    }

    @Test
    @Tag("R16-19")
    void an_agent_does_not_know_of_a_drain_by_the_heartbeats_that_the_registry_sends() {
        Pulse draining = DrainRule.start(pulse(EVERY_MINUTE), Drain.DEFAULT_TIMEOUT, "key", false, NOW)
                .after();
        Pulse probed = draining.withHeartbeat(Heartbeat.ofRegistry(SeenBy.PROBE), NOW.plusSeconds(60));
        assertThat(DrainRule.mayEnd(probed, Instant.EPOCH, NOW.plusSeconds(61))).isFalse();
        assertThat(DrainRule.mayEnd(
                        probed.withHeartbeat(Heartbeat.BARE, NOW.plusSeconds(61)), Instant.EPOCH, NOW.plusSeconds(62)))
                .isTrue();
        Pulse asked = DrainRule.start(pulse(EVERY_MINUTE), Drain.DEFAULT_TIMEOUT, "key", true, NOW)
                .after();
        assertThat(DrainRule.mayEnd(
                        asked.withHeartbeat(Heartbeat.ofRegistry(SeenBy.PING), NOW.plusSeconds(60)),
                        Instant.EPOCH,
                        NOW.plusSeconds(61)))
                .isTrue();
    }

    private static Pulse pulse(HeartbeatConfig config) {
        return registered(config).withHeartbeat(Heartbeat.BARE, NOW);
    }

    private static Pulse registered(HeartbeatConfig config) {
        return RegistrationRule.first("agent_1", config, 5, Coordination.NONE, Owner.NONE, NOW);
    }
}
