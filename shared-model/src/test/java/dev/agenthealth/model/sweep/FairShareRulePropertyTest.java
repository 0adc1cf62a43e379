package dev.agenthealth.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;

@Tag("SYS-02")
class FairShareRulePropertyTest {

    @Provide
    Arbitrary<Map<Long, Long>> demands() {
        return Arbitraries.maps(
                        Arbitraries.longs().between(0, 1_000),
                        Arbitraries.longs().between(0, 200))
                .ofMaxSize(30);
    }

    @Property
    void no_owner_gets_more_than_it_asks_for_and_the_sum_is_all_there_is(
            @ForAll("demands") Map<Long, Long> demands,
            @ForAll @LongRange(max = 3_000) long allowance,
            @ForAll long cursor) {
        Map<Long, Long> shares = FairShareRule.share(allowance, demands, cursor).byOwner();
        assertThat(shares.keySet()).isEqualTo(demands.keySet());
        shares.forEach((owner, share) -> assertThat(share).isBetween(0L, demands.get(owner)));
        assertThat(sum(shares)).isEqualTo(Math.min(allowance, sum(demands)));
    }

    @Property
    void no_owner_gets_less_than_an_equal_share_unless_it_asks_for_less(
            @ForAll("demands") Map<Long, Long> demands,
            @ForAll @LongRange(max = 3_000) long allowance,
            @ForAll long cursor) {
        FairShareRule.share(allowance, demands, cursor).byOwner().forEach((owner, share) -> assertThat(share)
                .isGreaterThanOrEqualTo(Math.min(demands.get(owner), allowance / demands.size())));
    }

    @Property
    void no_owner_gets_two_units_more_than_one_that_asked_for_more(
            @ForAll("demands") Map<Long, Long> demands,
            @ForAll @LongRange(max = 3_000) long allowance,
            @ForAll long cursor) {
        Map<Long, Long> shares = FairShareRule.share(allowance, demands, cursor).byOwner();
        shares.forEach((owner, share) -> {
            if (share < demands.get(owner)) {
                assertThat(shares.values()).allMatch(other -> other <= share + 1);
            }
        });
    }

    /** Also where the allowance is smaller than the number of owners, and while others come and go. */
    @Property
    void no_owner_waits_for_ever(
            @ForAll("demands") Map<Long, Long> others,
            @ForAll @LongRange(min = 1, max = 5) long allowance,
            @ForAll @LongRange(min = 1, max = 20) long demand,
            @ForAll long cursor) {
        long waiting = 500;
        long maxOwners = 38;
        long after = cursor;
        long got = 0;
        for (long round = 0; round < maxOwners * demand && got < demand; round++) {
            Map<Long, Long> demands = new HashMap<>(others);
            demands.put(round % 7, 10L);
            demands.put(waiting, demand - got);
            FairShareRule.Shares shares = FairShareRule.share(allowance, demands, after);
            got += shares.byOwner().get(waiting);
            after = shares.cursor();
        }
        assertThat(got).isEqualTo(demand);
    }

    @Example
    void small_demands_are_met_and_large_ones_share_the_rest() {
        Map<Long, Long> demands = Map.of(1L, 150L, 2L, 10L, 3L, 40L, 4L, 0L);
        assertThat(FairShareRule.share(60, demands, 0).byOwner()).isEqualTo(Map.of(1L, 25L, 2L, 10L, 3L, 25L, 4L, 0L));
        assertThat(FairShareRule.share(0, demands, 0).byOwner().values()).containsOnly(0L);
        assertThat(FairShareRule.share(500, demands, 0).byOwner()).isEqualTo(demands);
    }

    @Example
    void units_that_cannot_be_divided_go_round() {
        Map<Long, Long> demands = Map.of(10L, 9L, 20L, 9L, 30L, 9L);
        FairShareRule.Shares first = FairShareRule.share(2, demands, 0);
        assertThat(first).isEqualTo(new FairShareRule.Shares(Map.of(10L, 1L, 20L, 1L, 30L, 0L), 20));
        assertThat(FairShareRule.share(2, demands, first.cursor()))
                .isEqualTo(new FairShareRule.Shares(Map.of(10L, 1L, 20L, 0L, 30L, 1L), 10));
    }

    private static long sum(Map<Long, Long> numbers) {
        return numbers.values().stream().mapToLong(Long::longValue).sum();
    }
}
