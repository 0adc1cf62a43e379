package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.registry.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.profile.Watch;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

@Tag("SYS-02")
class FleetCountPropertyTest {

    private static final Instant NOW = T0.plusSeconds(3_600);

    @Provide
    Arbitrary<List<Pulse>> fleets() {
        Arbitrary<LifecycleStatus> statuses = Arbitraries.of(
                LifecycleStatus.ACTIVE,
                LifecycleStatus.DRAINING,
                LifecycleStatus.UNHEALTHY,
                LifecycleStatus.DEAD,
                LifecycleStatus.DEREGISTERED);
        Arbitrary<HeartbeatConfig> configs = Arbitraries.integers()
                .between(1, 3_600)
                .map(interval -> new HeartbeatConfig(interval, 2 * interval, 4 * interval));
        Arbitrary<Instant> heard =
                Arbitraries.longs().between(-60_000, 3_700_000).map(T0::plusMillis);
        return Combinators.combine(statuses, configs, heard)
                .as((status, config, at) -> Pulses.afterHeartbeat(Pulses.in(status, config), at))
                .list()
                .ofMaxSize(40);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void parts_add_up_to_the_whole_in_any_grouping_and_order(
            @ForAll("fleets") List<Pulse> fleet,
            @ForAll @IntRange(max = 40) int one,
            @ForAll @IntRange(max = 40) int two) {
        int first = Math.min(Math.min(one, two), fleet.size());
        int second = Math.min(Math.max(one, two), fleet.size());
        FleetCount a = count(fleet.subList(0, first));
        FleetCount b = count(fleet.subList(first, second));
        FleetCount c = count(fleet.subList(second, fleet.size()));
        FleetCount whole = count(fleet);

        same(a.plus(b).plus(c), whole);
        same(a.plus(b.plus(c)), whole);
        same(c.plus(a).plus(b), whole);
        assertThat(a.plus(b)).isEqualTo(b.plus(a));
    }

    @Property
    void adding_an_empty_count_changes_nothing(@ForAll("fleets") List<Pulse> fleet) {
        FleetCount whole = count(fleet);
        assertThat(whole.plus(FleetCount.EMPTY)).isEqualTo(whole);
        assertThat(FleetCount.EMPTY.plus(whole)).isEqualTo(whole);
    }

    /** Counted anew from the pulses' own numbers. */
    @Property
    void the_whole_is_what_is_there(@ForAll("fleets") List<Pulse> fleet) {
        FleetCount whole = count(fleet);
        List<Pulse> monitored =
                fleet.stream().filter(p -> p.status().isMonitored()).toList();
        assertThat(whole.get(FleetCounter.ACTIVE)).isEqualTo(with(LifecycleStatus.ACTIVE, fleet));
        assertThat(whole.get(FleetCounter.DRAINING)).isEqualTo(with(LifecycleStatus.DRAINING, fleet));
        assertThat(whole.get(FleetCounter.UNHEALTHY)).isEqualTo(with(LifecycleStatus.UNHEALTHY, fleet));
        assertThat(whole.monitored()).isEqualTo(monitored.size());
        assertThat(whole.get(FleetCounter.GONE)).isEqualTo(fleet.size() - monitored.size());
        assertThat(whole.get(FleetCounter.SILENT))
                .isEqualTo(monitored.stream()
                        .filter(p -> silentMillis(p) > p.config().unhealthyAfterSeconds() * 1_000L)
                        .count());
        assertThat(whole.get(FleetCounter.DYING))
                .isEqualTo(monitored.stream()
                        .filter(p -> p.status() == LifecycleStatus.DRAINING
                                ? NOW.isAfter(p.drain().deadline())
                                : silentMillis(p) > p.config().deadAfterSeconds() * 1_000L)
                        .count());
        assertThat(whole.get(FleetCounter.ESTABLISHED)).isEqualTo(monitored.size());
        assertThat(whole.get(FleetCounter.ESTABLISHED_SILENT)).isEqualTo(whole.get(FleetCounter.SILENT));
        OwnerCounts.Tally owners = new OwnerCounts.Tally();
        fleet.forEach(pulse -> owners.add(pulse, Watch.NOT_WATCHED, NO_GRACE, NOW));
        assertThat(owners.counts().dying().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(monitored.stream()
                        .filter(p -> p.status() != LifecycleStatus.DRAINING
                                || NOW.isAfter(p.drain().deadline()))
                        .filter(p -> silentMillis(p)
                                > (p.status() == LifecycleStatus.DRAINING
                                                ? p.config().unhealthyAfterSeconds()
                                                : p.config().deadAfterSeconds())
                                        * 1_000L)
                        .count());
        assertThat(whole.freshest())
                .isEqualTo(monitored.stream()
                        .map(Pulse::lastHeartbeatAt)
                        .max(Instant::compareTo)
                        .orElse(Instant.MIN));
    }

    private static FleetCount count(List<Pulse> pulses) {
        FleetCount.Tally tally = new FleetCount.Tally(NO_GRACE, NOW);
        pulses.forEach(tally::add);
        return tally.count();
    }

    /** Everything equal; the rate, a sum of fractions, up to its rounding. */
    private static void same(FleetCount actual, FleetCount expected) {
        assertThat(actual)
                .usingRecursiveComparison()
                .ignoringFields("heartbeatsPerSecond")
                .isEqualTo(expected);
        assertThat(actual.heartbeatsPerSecond()).isCloseTo(expected.heartbeatsPerSecond(), within(1e-12));
    }

    private static long with(LifecycleStatus status, List<Pulse> fleet) {
        return fleet.stream().filter(p -> p.status() == status).count();
    }

    private static long silentMillis(Pulse pulse) {
        return NOW.toEpochMilli() - pulse.lastHeartbeatAt().toEpochMilli();
    }
}
