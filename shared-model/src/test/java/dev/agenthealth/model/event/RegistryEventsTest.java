package dev.agenthealth.model.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.ProbeSample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events about the registry itself and about pools. */
class RegistryEventsTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Instant SINCE = NOW.minusSeconds(90);
    private static final FleetCount FLEET = new FleetCount(
            new Counts<>(Map.of(FleetCounter.ESTABLISHED, 100L, FleetCounter.ESTABLISHED_SILENT, 60L)), NOW, 0);
    private static final ProbeSample SAMPLE = new ProbeSample(List.of(
            new ProbeSample.Result(1, 1, 1, true, NOW, 60),
            new ProbeSample.Result(1, 2, 1, false, NOW, 60),
            new ProbeSample.Result(1, 3, 2, false, NOW, 60)));

    private static void assertDetail(Event event, EventType type, Map<String, Object> detail) {
        assertThat(event.type()).isEqualTo(type);
        assertThat(event.isOfRegistry()).isTrue();
        assertThat(event.at()).isEqualTo(NOW);
        assertThat(event.detail())
                .containsAllEntriesOf(detail)
                .containsEntry("type", type.wireName())
                .containsEntry("timestamp", "2026-02-08T10:00:00.000Z")
                .containsEntry("event_id", event.eventId());
    }

    @Test
    void each_says_what_was_counted() {
        assertDetail(
                RegistryEvents.blackout(5, 1, NOW),
                EventType.REGISTRY_BLACKOUT,
                Map.of("canaries_sent", 5L, "canaries_answered", 1L));
        assertDetail(
                RegistryEvents.blackoutOver(SINCE, NOW),
                EventType.REGISTRY_BLACKOUT_OVER,
                Map.of("since", "2026-02-08T09:58:30.000Z", "amnesty_from", "2026-02-08T10:00:00.000Z"));
        assertDetail(
                RegistryEvents.massSilence(FLEET, 10, NOW),
                EventType.REGISTRY_MASS_SILENCE,
                Map.of("monitored_agents", 100L, "silent_agents", 60L, "deaths_per_minute", 10L));
        assertDetail(
                RegistryEvents.massSilenceOver(FLEET, SINCE, NOW),
                EventType.REGISTRY_MASS_SILENCE_OVER,
                Map.of("monitored_agents", 100L, "silent_agents", 60L, "since", "2026-02-08T09:58:30.000Z"));
        assertDetail(
                RegistryEvents.probesInconclusive(SAMPLE, NOW),
                EventType.REGISTRY_PROBES_INCONCLUSIVE,
                Map.of("sampled_agents", 3L, "failing_agents", 1L, "hosts", 2L));
        assertDetail(
                RegistryEvents.probesInconclusiveOver(SAMPLE, SINCE, NOW),
                EventType.REGISTRY_PROBES_INCONCLUSIVE_OVER,
                Map.of(
                        "sampled_agents",
                        3L,
                        "since",
                        "2026-02-08T09:58:30.000Z",
                        "grace_from",
                        "2026-02-08T10:00:00.000Z"));
    }

    @Test
    void what_ended_was_later_than_its_beginning_though_another_clock_was_ahead() {
        Instant ahead = NOW.plusMillis(700);
        assertThat(List.of(
                        RegistryEvents.blackoutOver(ahead, NOW),
                        RegistryEvents.massSilenceOver(FLEET, ahead, NOW),
                        RegistryEvents.massRestartOver(FLEET, ahead, NOW),
                        RegistryEvents.probesInconclusiveOver(SAMPLE, ahead, NOW)))
                .allMatch(event -> event.at().equals(ahead.plusMillis(1)));
    }

    @Test
    void ids_are_those_of_the_moment_and_the_type() {
        assertThat(RegistryEvents.blackout(5, 1, NOW).eventId())
                .startsWith("registry:")
                .endsWith(":" + NOW.toEpochMilli())
                .isEqualTo(RegistryEvents.blackout(5, 0, NOW).eventId())
                .isNotEqualTo(RegistryEvents.blackoutOver(SINCE, NOW).eventId());
    }

    @Test
    void a_pool_says_how_many_it_has_and_needs() {
        Map<String, Object> detail = Map.of("role_id", "billing", "active_instances", 1L, "min_instances", 2L);
        assertDetail(PoolEvents.belowMinimum("billing", 1, 2, NOW), EventType.POOL_BELOW_MINIMUM, detail);
        assertDetail(PoolEvents.recovered("billing", 1, 2, NOW), EventType.POOL_RECOVERED, detail);
    }

    @Test
    void a_step_of_the_clock_says_how_large_it_is() {
        assertDetail(
                RegistryEvents.clockStepped(Duration.ofHours(-2), RegistryEvents.MONOTONIC_CLOCK, 3, NOW),
                EventType.REGISTRY_CLOCK_STEPPED,
                Map.of("step_ms", -7_200_000L, "measured_by", "monotonic_clock", "corrected_agents", 3L));
        assertDetail(
                RegistryEvents.clockSteady(SINCE, NOW),
                EventType.REGISTRY_CLOCK_STEADY,
                Map.of("since", "2026-02-08T09:58:30.000Z"));
    }

    @Test
    void a_mass_restart_says_how_many_wait() {
        FleetCount restarting =
                new FleetCount(new Counts<>(Map.of(FleetCounter.ACTIVE, 900L, FleetCounter.RESTARTED, 600L)), NOW, 0);
        assertDetail(
                RegistryEvents.massRestart(restarting, 40, NOW),
                EventType.REGISTRY_MASS_RESTART,
                Map.of("monitored_agents", 900L, "restarted_agents", 600L, "waiting_agents", 40L));
        assertDetail(
                RegistryEvents.massRestartOver(restarting, SINCE, NOW),
                EventType.REGISTRY_MASS_RESTART_OVER,
                Map.of("restarted_agents", 600L, "since", "2026-02-08T09:58:30.000Z"));
    }
}
