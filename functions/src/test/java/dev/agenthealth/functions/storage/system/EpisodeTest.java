package dev.agenthealth.functions.storage.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Episodes of the registry that sweeps with different clocks begin and end. */
@Tag("SYS-02")
class EpisodeTest {

    private static final FleetCount FLEET = new FleetCount(
            new Counts<>(Map.of(
                    FleetCounter.ACTIVE, 100L,
                    FleetCounter.ESTABLISHED, 100L,
                    FleetCounter.ESTABLISHED_SILENT, 60L,
                    FleetCounter.RESTARTED, 90L)),
            Instant.MIN,
            0);

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final SweepStateStore states = new SweepStateStore(system.database());
    private final Instant now = system.clock().instant();

    /** A beginning and an end as the store has them. */
    private interface Begin {

        boolean of(Instant now, Function<Instant, Event> event);
    }

    private interface End {

        boolean of(Instant since, Event event);
    }

    private void assertBeginsLater(
            Begin begin,
            Function<Instant, Event> beginning,
            End end,
            Function<Instant, Event> over,
            Function<SweepState, Instant> since) {
        assertThat(begin.of(now, beginning)).isTrue();
        assertThat(since.apply(states.current())).isEqualTo(now);
        Instant ahead = now.plusSeconds(5);
        assertThat(end.of(now, over.apply(ahead))).isTrue();
        assertThat(since.apply(states.current())).isEqualTo(Instant.MIN);

        Instant[] published = {Instant.EPOCH};
        Instant behind = now.plusSeconds(4).plusNanos(7);
        assertThat(begin.of(behind, at -> {
                    published[0] = at;
                    return beginning.apply(at);
                }))
                .isTrue();
        assertThat(published[0]).isEqualTo(ahead.plusMillis(1));
        assertThat(since.apply(states.current())).isEqualTo(published[0]);

        assertThat(end.of(published[0], over.apply(ahead.plusSeconds(1)))).isTrue();
        assertThat(begin.of(ahead.plusSeconds(2), beginning)).isTrue();
        assertThat(since.apply(states.current())).isEqualTo(ahead.plusSeconds(2));
    }

    @Test
    void a_blackout_begins_after_the_end_of_the_one_before() {
        assertBeginsLater(
                states::beginBlackout,
                at -> RegistryEvents.blackout(5, 0, at),
                (since, over) -> states.endBlackout(since, over.at(), over),
                at -> RegistryEvents.blackoutOver(now, at),
                SweepState::blackoutSince);
    }

    @Test
    void a_mass_silence_begins_after_the_end_of_the_one_before() {
        assertBeginsLater(
                states::beginMassSilence,
                at -> RegistryEvents.massSilence(FLEET, 1, at),
                states::endMassSilence,
                at -> RegistryEvents.massSilenceOver(FLEET, now, at),
                SweepState::massSilenceSince);
    }

    @Test
    void a_mass_restart_begins_after_the_end_of_the_one_before() {
        assertBeginsLater(
                states::beginMassRestart,
                at -> RegistryEvents.massRestart(FLEET, 1, at),
                states::endMassRestart,
                at -> RegistryEvents.massRestartOver(FLEET, now, at),
                SweepState::massRestartSince);
    }
}
