package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.registry.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetCountTest {

    private static final Instant NOW = T0.plusSeconds(3_600);

    @ParameterizedTest(name = "{0}, silent for {1} ms")
    @Tag("SYS-02")
    @CsvSource({
        // status, silence in ms, then: active, draining, unhealthy, gone, silent, dying
        "ACTIVE,       90000,  1, 0, 0, 0, 0, 0",
        "ACTIVE,       90001,  1, 0, 0, 0, 1, 0",
        "ACTIVE,       300000, 1, 0, 0, 0, 1, 0",
        "ACTIVE,       300001, 1, 0, 0, 0, 1, 1",
        "UNHEALTHY,    90000,  0, 0, 1, 0, 0, 0",
        "UNHEALTHY,    300000, 0, 0, 1, 0, 1, 0",
        "UNHEALTHY,    300001, 0, 0, 1, 0, 1, 1",
        "DRAINING,     90000,  0, 1, 0, 0, 0, 0",
        "DRAINING,     120000, 0, 1, 0, 0, 1, 0",
        "DRAINING,     120001, 0, 1, 0, 0, 1, 1",
        "DEAD,         300001, 0, 0, 0, 1, 0, 0",
        "DEREGISTERED, 0,      0, 0, 0, 1, 0, 0"
    })
    void an_agent_is_counted_by_status_and_silence(
            LifecycleStatus status,
            long silentMillis,
            long active,
            long draining,
            long unhealthy,
            long gone,
            long silent,
            long dying) {
        FleetCount count = Fleets.count(Pulses.in(status), NO_GRACE, T0.plusMillis(silentMillis));
        boolean monitored = gone == 0;
        assertThat(count)
                .isEqualTo(new FleetCount(
                        new Counts<>(Map.of(
                                FleetCounter.ACTIVE, active,
                                FleetCounter.DRAINING, draining,
                                FleetCounter.UNHEALTHY, unhealthy,
                                FleetCounter.GONE, gone,
                                FleetCounter.SILENT, silent,
                                FleetCounter.DYING, dying)),
                        monitored ? T0 : Instant.MIN,
                        monitored ? 1.0 / 30 : 0));
        assertThat(count.monitored()).isEqualTo(monitored ? 1 : 0);
    }

    @Test
    @Tag("SYS-02")
    @Tag("R16-20")
    void an_agent_that_sends_heartbeats_at_its_deadline_is_dying_but_not_limited() {
        Instant late = T0.plusSeconds(121);
        Pulse heard = Pulses.afterHeartbeat(Pulses.in(LifecycleStatus.DRAINING), late);
        assertThat(Fleets.count(heard, NO_GRACE, late).get(FleetCounter.DYING)).isEqualTo(1);
        assertThat(MassSilenceRule.isLimited(heard, NO_GRACE, late)).isFalse();
    }

    @Test
    @Tag("SYS-02")
    void only_agents_that_have_sent_a_heartbeat_in_this_incarnation_are_established() {
        Instant silent = T0.plusSeconds(91);
        FleetCount never = Fleets.count(Pulses.active(), NO_GRACE, silent);
        assertThat(never.get(FleetCounter.SILENT)).isEqualTo(1);
        assertThat(never.get(FleetCounter.ESTABLISHED)).isZero();
        assertThat(never.get(FleetCounter.ESTABLISHED_SILENT)).isZero();
        Pulse heard = Pulses.afterHeartbeat(Pulses.active(), T0);
        assertThat(Fleets.count(heard, NO_GRACE, T0).get(FleetCounter.ESTABLISHED))
                .isEqualTo(1);
        assertThat(Fleets.count(heard, NO_GRACE, T0).get(FleetCounter.ESTABLISHED_SILENT))
                .isZero();
        assertThat(Fleets.count(heard, NO_GRACE, silent).get(FleetCounter.ESTABLISHED_SILENT))
                .isEqualTo(1);
    }

    @Test
    @Tag("SYS-02")
    void during_a_grace_period_no_agent_counts_as_silent_or_dying() {
        FleetCount count = Fleets.count(Pulses.active(), NOW, NOW.plusSeconds(90));
        assertThat(count.get(FleetCounter.SILENT)).isZero();
        assertThat(count.get(FleetCounter.DYING)).isZero();
        assertThat(count.freshest()).isEqualTo(T0);
    }

    @Test
    @Tag("SYS-02")
    void expects_what_the_agents_promised_together() {
        FleetCount fleet = Fleets.count(Pulses.active(new HeartbeatConfig(2, 4, 8)), NO_GRACE, T0)
                .plus(Fleets.count(Pulses.active(new HeartbeatConfig(4, 8, 16)), NO_GRACE, T0));
        assertThat(fleet.heartbeatsExpectedSinceFreshest(T0.plusSeconds(20))).isEqualTo(15);
        assertThat(fleet.heartbeatsExpectedSinceFreshest(T0)).isZero();
        assertThat(fleet.heartbeatsExpectedSinceFreshest(T0.minusSeconds(20))).isZero();
        assertThat(FleetCount.EMPTY.heartbeatsExpectedSinceFreshest(T0)).isZero();
    }

    @ParameterizedTest(name = "{0}, last seen {1} s ago, {2} heartbeats")
    @CsvSource({
        "ACTIVE,       30,  1, 0, 1",
        "ACTIVE,       60,  1, 0, 1",
        "ACTIVE,       61,  1, 0, 0",
        "ACTIVE,       90,  1, 0, 0",
        "ACTIVE,       91,  1, 1, 0",
        "ACTIVE,       300, 1, 1, 0",
        "ACTIVE,       30,  0, 0, 0",
        "DEREGISTERED, 30,  1, 0, 0"
    })
    void a_watched_agent_counts_as_silent_or_heard_and_as_nothing_else(
            LifecycleStatus status, long ago, int heartbeats, long silent, long heard) {
        Pulse pulse = Pulses.in(status);
        Pulse seen = heartbeats == 0 ? pulse : Pulses.afterHeartbeat(pulse, Pulses.T0);
        FleetCount.Tally tally = new FleetCount.Tally(Pulses.NO_GRACE, Pulses.T0.plusSeconds(ago));
        tally.addWatched(seen, Pulses.NO_GRACE);
        FleetCount count = tally.count();
        assertThat(count.get(FleetCounter.SILENT)).isEqualTo(silent);
        assertThat(count.get(FleetCounter.HEARD)).isEqualTo(heard);
        assertThat(count.get(FleetCounter.ESTABLISHED)).isZero();
        assertThat(count.get(FleetCounter.DYING)).isZero();
        assertThat(count.monitored()).isEqualTo(status == LifecycleStatus.DEREGISTERED ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource({"true, 0, 1", "true, 60, 1", "true, 61, 0", "false, 0, 0"})
    void an_agent_is_heard_for_a_minute_after_its_last_heartbeat(boolean sent, long secondsAgo, long heard) {
        Pulse pulse = sent ? Pulses.afterHeartbeat(Pulses.active(), T0) : Pulses.active();
        assertThat(Fleets.count(pulse, NO_GRACE, T0.plusSeconds(secondsAgo)).get(FleetCounter.HEARD))
                .isEqualTo(heard);
    }
}
