package dev.agenthealth.functions.storage.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.registry.outcome.LatencyBuckets;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

class ClosedSlicesItemPropertyTest {

    @Property
    void what_is_written_is_read(
            @ForAll("slices") Map<Slice, OutcomeCounts> slices,
            @ForAll @LongRange(min = 0, max = 2_000_000_000) long start) {
        MeasurementWindow window =
                new MeasurementWindow(MeasurementWindow.DEFAULT.length(), Instant.ofEpochSecond(start));
        ClosedSlices closed = new ClosedSlices(window, (int) (start * 31), 1_767_225_600, new TreeMap<>(slices));
        assertThat(ClosedSlicesItem.read(ClosedSlicesItem.of("agent", closed, 7, Instant.EPOCH)))
                .contains(closed);
    }

    @Property
    void slices_in_another_layout_are_not_read(@ForAll("slices") Map<Slice, OutcomeCounts> slices) {
        ClosedSlices closed = new ClosedSlices(MeasurementWindow.DEFAULT, -7, 0, new TreeMap<>(slices));
        var item = ClosedSlicesItem.of("agent", closed, 1, Instant.EPOCH);
        item.put("layout", Values.n(2));
        assertThat(ClosedSlicesItem.read(item)).isEmpty();
    }

    @Provide
    Arbitrary<Map<Slice, OutcomeCounts>> slices() {
        Arbitrary<Slice> slice = Combinators.combine(
                        Arbitraries.longs().between(0, 100_000_000), Arbitraries.of(10, 600, 1_800, 14_400))
                .as((index, width) -> new Slice(index * width, width));
        Arbitrary<Map<OutcomeCounter, Long>> counters = Arbitraries.maps(
                Arbitraries.of(OutcomeCounter.class),
                Arbitraries.oneOf(
                        Arbitraries.longs().between(0, 300), Arbitraries.longs().between(0, Long.MAX_VALUE)));
        Arbitrary<LatencyHistogram> latencies = Arbitraries.maps(
                        Arbitraries.integers().between(0, LatencyBuckets.COUNT - 1),
                        Arbitraries.longs().between(0, Integer.MAX_VALUE))
                .map(LatencyHistogram::of);
        return Arbitraries.maps(
                        slice,
                        Combinators.combine(counters, latencies, latencies)
                                .as((numbers, others, reported) ->
                                        OutcomeCounts.of(numbers, others.plus(reported), reported)))
                .ofMaxSize(20);
    }
}
