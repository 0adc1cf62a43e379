package dev.agenthealth.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class SweepStateTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Instant NEVER = Instant.MIN;

    private static SweepState state(Instant graceFrom, Instant blackout, Instant firstStartedAt, Instant startedAt) {
        return new SweepState(
                graceFrom,
                new SweepState.Episodes(blackout, NEVER, NEVER, NEVER),
                7,
                new SweepState.Passes(firstStartedAt, startedAt, NEVER, NEVER),
                ProbeEvidence.NONE,
                ClockEpisode.NONE);
    }

    @Test
    void before_the_first_pass_there_is_neither_outage_nor_grace() {
        SweepState state = state(Instant.EPOCH, NEVER, NEVER, NEVER);
        assertThat(state.hasStarted()).isFalse();
        assertThat(state.isBlackout()).isFalse();
        assertThat(state.isInconclusive()).isFalse();
        assertThat(state.isMassSilence()).isFalse();
        assertThat(state.isMassRestart()).isFalse();
        assertThat(state.runsSince()).isEqualTo(NEVER);
        assertThat(state.silenceFrom(NOW)).isEqualTo(Instant.EPOCH);
    }

    @Test
    void each_trouble_lasts_from_its_beginning_on() {
        SweepState state = new SweepState(
                Instant.EPOCH,
                new SweepState.Episodes(NOW, NEVER, NEVER, NEVER),
                7,
                new SweepState.Passes(NOW, NOW, NEVER, NEVER),
                ProbeEvidence.NONE,
                ClockEpisode.NONE);
        assertThat(state.isBlackout()).isTrue();
        assertThat(state.isInconclusive()).isFalse();
        SweepState others = new SweepState(
                Instant.EPOCH,
                new SweepState.Episodes(NEVER, NOW, NOW, NOW),
                7,
                new SweepState.Passes(NOW, NOW, NEVER, NEVER),
                ProbeEvidence.NONE,
                ClockEpisode.NONE);
        assertThat(others.isBlackout()).isFalse();
        assertThat(others.isInconclusive()).isTrue();
        assertThat(others.isMassSilence()).isTrue();
        assertThat(others.isMassRestart()).isTrue();
    }

    @ParameterizedTest(name = "{0} s after the last pass, blackout {1}")
    @CsvSource({
        "0,   false, true,  grace",
        "119, false, true,  grace",
        "120, false, true,  grace",
        "121, false, false, now",
        "0,   true,  true,  now"
    })
    void silence_counts_from_now_on_after_an_outage(int secondsAgo, boolean blackout, boolean onTime, String from) {
        Instant grace = NOW.minusSeconds(3_600);
        SweepState state = state(grace, blackout ? NOW : NEVER, grace, NOW.minusSeconds(secondsAgo));
        assertThat(state.hasStarted()).isTrue();
        assertThat(state.isOnTime(NOW)).isEqualTo(onTime);
        assertThat(state.silenceFrom(NOW)).isEqualTo(from.equals("now") ? NOW : grace);
    }

    @Test
    void the_sweep_runs_since_its_last_outage_or_its_first_pass() {
        Instant first = NOW.minusSeconds(86_400);
        assertThat(state(Instant.EPOCH, NEVER, first, NOW).runsSince()).isEqualTo(first);
        assertThat(state(NOW, NEVER, first, NOW).runsSince()).isEqualTo(NOW);
    }

    @Test
    void the_grace_period_only_rises() {
        SweepState state = state(NOW, NEVER, NOW, NOW);
        assertThat(state.withGraceFrom(NOW.minusSeconds(1))).isSameAs(state);
        assertThat(state.withGraceFrom(NOW)).isSameAs(state);
        assertThat(state.withGraceFrom(NOW.plusSeconds(1))).isEqualTo(state(NOW.plusSeconds(1), NEVER, NOW, NOW));
    }
}
