package dev.agenthealth.model.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** A track record says the same however it was put together. */
@Tag("SN-05")
@Tag("SN-08")
class TrackRecordPropertyTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @Provide
    Arbitrary<List<Call>> calls() {
        Arbitrary<Call> call = Combinators.combine(
                        Arbitraries.of(true, false), Arbitraries.longs().between(0, 60_000))
                .as((success, latency) -> new Call(success, latency, NOW));
        // At moments of their own: which of two calls of the same millisecond is the later one is unknown.
        return call.list().ofMaxSize(60).map(list -> IntStream.range(0, list.size())
                .mapToObj(i -> new Call(list.get(i).success(), list.get(i).latencyMs(), NOW.minusSeconds(600L * i)))
                .toList());
    }

    @Property
    void its_parts_may_be_put_together_in_any_order(
            @ForAll("calls") List<Call> calls, @ForAll Random random, @ForAll @IntRange(min = 1, max = 64) int parts) {
        List<TrackRecord> spread = new ArrayList<>(Collections.nCopies(parts, TrackRecord.NONE));
        List<Call> shuffled = new ArrayList<>(calls);
        Collections.shuffle(shuffled, random);
        for (Call call : shuffled) {
            int part = random.nextInt(parts);
            spread.set(part, spread.get(part).plus(of(call)));
        }
        Collections.shuffle(spread, random);
        TrackRecord together = spread.stream().reduce(TrackRecord.NONE, TrackRecord::plus);
        assertThat(together.successes() + together.failures()).isEqualTo(calls.size());
        assertThat(together.latest())
                .isEqualTo(calls.stream().limit(OnlineStatus.MAX_CALLS).toList());
        assertThat(together.last()).isEqualTo(calls.stream().findFirst());
        assertThat(together.evidenceAt())
                .isEqualTo(calls.isEmpty() ? Instant.EPOCH : calls.get(0).at());
        assertThat(together)
                .isEqualTo(calls.stream().map(TrackRecordPropertyTest::of).reduce(TrackRecord.NONE, TrackRecord::plus));
    }

    @Property
    void the_success_rate_is_rounded_half_up_to_three_decimals(
            @ForAll @LongRange(max = Long.MAX_VALUE / 2) long successes,
            @ForAll @LongRange(max = Long.MAX_VALUE / 2) long failures) {
        BigDecimal rate =
                new TrackRecord(successes, failures, EvidenceSums.NONE, NOW, List.of(), Optional.empty()).successRate();
        assertThat(rate).isBetween(BigDecimal.ZERO, BigDecimal.ONE);
        assertThat(rate.scale()).isBetween(0, 3);
        BigDecimal all = BigDecimal.valueOf(successes).add(BigDecimal.valueOf(failures));
        BigDecimal half = new BigDecimal("0.0005").multiply(all);
        assertThat(BigDecimal.valueOf(successes))
                .isBetween(rate.multiply(all).subtract(half), rate.multiply(all).add(half));
    }

    @Example
    void a_call_that_is_no_evidence_is_the_last_one_and_counts_in_no_status() {
        Call evidence = new Call(true, 5, NOW);
        Call other = new Call(false, 7, NOW.plusSeconds(1));
        TrackRecord record = of(evidence)
                .plus(new TrackRecord(0, 1, EvidenceSums.NONE, Instant.EPOCH, List.of(), Optional.of(other)));
        assertThat(record.last()).contains(other);
        assertThat(record.latest()).containsExactly(evidence);
        assertThat(record.failures()).isEqualTo(1);
        assertThat(record.plus(of(new Call(true, 1, NOW.plusSeconds(2))))
                        .last()
                        .orElseThrow()
                        .latencyMs())
                .isEqualTo(1);
    }

    @Example
    void the_success_rate_is_that_of_the_specification() {
        assertThat(rate(831, 4)).isEqualTo("0.995");
        assertThat(rate(0, 0)).isEqualTo("0");
        assertThat(rate(0, 3)).isEqualTo("0");
        assertThat(rate(7, 0)).isEqualTo("1");
        assertThat(rate(1_000_000, 1)).isEqualTo("1");
        assertThat(rate(1_999, 1)).isEqualTo("1");
        assertThat(rate(2_997, 2)).isEqualTo("0.999");
        assertThat(rate(2, 1)).isEqualTo("0.667");
        assertThat(rate(1, 1)).isEqualTo("0.5");
    }

    @Property
    @Tag("SN-06")
    void a_status_fits_its_calls(
            @ForAll("calls") List<Call> calls, @ForAll @LongRange(max = 400_000) long secondsLater) {
        OnlineStatus status = OnlineStatus.of(calls, Expectations.NONE, NOW.plusSeconds(secondsLater));
        assertThat(status == OnlineStatus.UNKNOWN).isEqualTo(calls.isEmpty());
        if (status == OnlineStatus.OFFLINE) {
            assertThat(calls.get(0).success()).isFalse();
        }
        if (calls.stream().allMatch(Call::success) && !calls.isEmpty()) {
            assertThat(status).isEqualTo(OnlineStatus.ONLINE);
        }
        if (calls.stream().noneMatch(Call::success) && !calls.isEmpty()) {
            assertThat(status).isEqualTo(OnlineStatus.OFFLINE);
        }
    }

    @Property
    @Tag("SN-06")
    void a_baseline_makes_no_status_better(
            @ForAll("calls") List<Call> calls, @ForAll @IntRange(min = 1, max = 30_000) int baseline) {
        Expectations expected = new Expectations(Map.of(Expectation.BASELINE_LATENCY_MS, (double) baseline));
        assertThat(OnlineStatus.of(calls, expected, NOW))
                .isGreaterThanOrEqualTo(OnlineStatus.of(calls, Expectations.NONE, NOW));
    }

    private static TrackRecord of(Call call) {
        return new TrackRecord(
                call.success() ? 1 : 0,
                call.success() ? 0 : 1,
                EvidenceSums.of(call.success(), call.at()),
                call.at(),
                List.of(call),
                Optional.empty());
    }

    private static String rate(long successes, long failures) {
        return new TrackRecord(successes, failures, EvidenceSums.NONE, NOW, List.of(), Optional.empty())
                .successRate()
                .toPlainString();
    }
}
