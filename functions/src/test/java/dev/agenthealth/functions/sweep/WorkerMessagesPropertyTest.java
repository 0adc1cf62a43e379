package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.census.Census;
import dev.agenthealth.model.census.Figure;
import dev.agenthealth.model.census.FleetFigures;
import dev.agenthealth.model.census.GroupFigures;
import dev.agenthealth.model.census.GroupKind;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** What the sweep and its workers tell each other arrives as it was sent, by way of JSON. */
@Tag("SYS-02")
class WorkerMessagesPropertyTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @Property(tries = 200)
    void requests_arrive(
            @ForAll boolean act,
            @ForAll("ranges") SegmentRange range,
            @ForAll("moments") Instant amnestyFrom,
            @ForAll("moments") Instant now,
            @ForAll("marks") Instant markSince,
            @ForAll("orders") SweepDecision orders,
            @ForAll Set<@LongRange(min = 1) Long> roleNumbers) {
        Inspection inspection = new Inspection(amnestyFrom, now, markSince, roleNumbers);
        WorkerMessages.Request request = new WorkerMessages.Request(act, range, inspection, orders);
        assertThat(WorkerMessages.request(sent(WorkerMessages.of(request)))).isEqualTo(request);
    }

    @Property(tries = 200)
    void readings_arrive(
            @ForAll Map<FleetCounter, @LongRange(min = 0) Long> agents,
            @ForAll long due,
            @ForAll("freshest") Instant freshest,
            @ForAll double beats,
            @ForAll Map<@LongRange(min = 1) Long, @LongRange(min = 1) Long> active,
            @ForAll("censuses") Census census) {
        PoolCount pools = new PoolCount(active, true);
        FleetReading reading =
                new FleetReading(new FleetCount(new Counts<>(agents), freshest, beats), due, pools, census);
        assertThat(WorkerMessages.reading(sent(WorkerMessages.of(reading)))).isEqualTo(reading);
    }

    @Property(tries = 50)
    @Tag("AHM-08")
    void a_worker_that_knows_of_no_figures_makes_them_unknown(@ForAll("censuses") Census census) {
        FleetReading known = new FleetReading(FleetCount.EMPTY, 0, PoolCount.EMPTY, census);
        Map<String, Object> earlier = WorkerMessages.of(known);
        earlier.remove("census");
        assertThat(known.plus(WorkerMessages.reading(sent(earlier))).census().whole())
                .isFalse();
    }

    @Property(tries = 50)
    void a_worker_marks_nobody_for_a_sweep_that_knows_of_no_marks(
            @ForAll("ranges") SegmentRange range, @ForAll("moments") Instant now) {
        Inspection inspection = new Inspection(now, now, now, Set.of());
        Map<String, Object> earlier =
                WorkerMessages.of(new WorkerMessages.Request(true, range, inspection, SweepDecision.ALL));
        earlier.remove("mark_since");
        assertThat(WorkerMessages.request(sent(earlier)).inspection().markSince())
                .isEqualTo(Inspection.NOBODY);
    }

    @Example
    void how_many_a_worker_left_unmarked_that_knows_of_no_marks_is_not_known() {
        Map<String, Object> earlier = WorkerMessages.of(ActionCounts.NONE);
        earlier.remove("marked");
        earlier.remove("unmarked");
        assertThat(WorkerMessages.deeds(sent(earlier)).unmarked()).isPositive();
    }

    @Property(tries = 200)
    void deeds_arrive(@ForAll @Size(12) @LongRange(min = 0) long[] n) {
        ActionCounts deeds = new ActionCounts(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11]);
        assertThat(WorkerMessages.deeds(sent(WorkerMessages.of(deeds)))).isEqualTo(deeds);
    }

    @Provide
    Arbitrary<SegmentRange> ranges() {
        Arbitrary<Integer> number = Arbitraries.integers().between(0, 1_000_000);
        return Combinators.combine(number, number, number).as(SegmentRange::new);
    }

    @Provide
    Arbitrary<Instant> moments() {
        return Arbitraries.longs().between(0, 4_102_444_800_000L).map(Instant::ofEpochMilli);
    }

    @Provide
    Arbitrary<Instant> marks() {
        return Arbitraries.oneOf(moments(), Arbitraries.just(Inspection.NOBODY));
    }

    @Provide
    Arbitrary<Census> censuses() {
        Arbitrary<FleetFigures> figures = Arbitraries.maps(
                        Arbitraries.of(Figure.class), Arbitraries.longs().greaterOrEqual(0))
                .map(numbers -> new FleetFigures(new Counts<>(numbers)));
        Arbitrary<GroupFigures> groups = Combinators.combine(
                        Arbitraries.maps(Arbitraries.longs().between(1, (1L << 48) - 1), figures)
                                .ofMaxSize(5),
                        figures)
                .as(GroupFigures::new);
        return Combinators.combine(figures, groups, groups, groups)
                .as((fleet, roles, providers, platforms) -> new Census(
                        fleet,
                        Map.of(GroupKind.ROLE, roles, GroupKind.PROVIDER, providers, GroupKind.PLATFORM, platforms),
                        true));
    }

    @Provide
    Arbitrary<Instant> freshest() {
        return Arbitraries.oneOf(moments(), Arbitraries.just(Instant.MIN));
    }

    @Provide
    Arbitrary<SweepDecision> orders() {
        return Arbitraries.oneOf(
                Combinators.combine(
                                Arbitraries.of(true, false), Arbitraries.longs().greaterOrEqual(0))
                        .as(SweepDecision::new),
                Arbitraries.of(SweepDecision.ALL, SweepDecision.HOUSEKEEPING_ONLY));
    }

    private static Map<String, Object> sent(Map<String, Object> message) {
        try {
            return MAPPER.readValue(MAPPER.writeValueAsBytes(message), new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
