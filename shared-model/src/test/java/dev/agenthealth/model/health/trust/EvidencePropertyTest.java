package dev.agenthealth.model.health.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What holds of every reputation, whatever happened and in whatever order it was noted. */
@Tag("SN-02")
class EvidencePropertyTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    /** What may be lost by rounding weights to whole numbers, and by forgetting nothing exactly. */
    private static final double CLOSE = 1e-4;

    /** Something that happened. */
    record Happening(boolean success, Instant at) {

        EvidenceSums sums() {
            return EvidenceSums.of(success, at);
        }
    }

    @Provide
    Arbitrary<Happening> happenings() {
        Arbitrary<Long> secondsAgo = Arbitraries.oneOf(
                Arbitraries.longs().between(-300, 86_400 * 30L),
                Arbitraries.longs().between(0, 86_400 * 1_100L));
        return Combinators.combine(Arbitraries.of(true, false), secondsAgo)
                .as((success, ago) -> new Happening(success, NOW.minusSeconds(ago)));
    }

    @Provide
    Arbitrary<Instant> moments() {
        return Arbitraries.longs().between(1_600_000_000, 2_500_000_000L).map(Instant::ofEpochSecond);
    }

    @Example
    void it_starts_at_one_half() {
        assertThat(Evidence.NONE.reputation()).isEqualTo("0.5");
        assertThat(EvidenceSums.NONE.at(NOW).reputation()).isEqualTo("0.5");
    }

    @Property
    void it_is_from_0_to_1_with_four_decimals_at_most(
            @ForAll @Size(max = 200) List<@From("happenings") Happening> all) {
        BigDecimal reputation = sum(all).at(NOW).reputation();
        assertThat(reputation).isBetween(BigDecimal.ZERO, BigDecimal.ONE);
        assertThat(reputation.scale()).isBetween(0, 4);
    }

    @Property
    void it_does_not_depend_on_the_order_or_on_how_the_outcomes_are_spread(
            @ForAll @Size(max = 100) List<@From("happenings") Happening> all,
            @ForAll Random random,
            @ForAll @IntRange(min = 1, max = 64) int shards) {
        List<Happening> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);
        List<EvidenceSums> spread = new ArrayList<>(Collections.nCopies(shards, EvidenceSums.NONE));
        for (Happening one : shuffled) {
            int shard = random.nextInt(shards);
            spread.set(shard, spread.get(shard).plus(one.sums()));
        }
        Collections.shuffle(spread, random);
        assertThat(spread.stream().reduce(EvidenceSums.NONE, EvidenceSums::plus))
                .isEqualTo(sum(all));
    }

    @Property
    void it_rises_with_a_success_and_falls_with_a_failure(
            @ForAll @Size(max = 50) List<@From("happenings") Happening> all, @ForAll("happenings") Happening one) {
        Evidence before = sum(all).at(NOW);
        Evidence after = sum(all).plus(one.sums()).at(NOW);
        if (one.success()) {
            assertThat(after.reputation()).isGreaterThanOrEqualTo(before.reputation());
            assertThat(exact(after)).isGreaterThan(exact(before));
        } else {
            assertThat(after.reputation()).isLessThanOrEqualTo(before.reputation());
            assertThat(exact(after)).isLessThan(exact(before));
        }
    }

    @Property
    void evidence_loses_half_of_its_worth_in_30_days_wherever_an_era_ends(
            @ForAll("moments") Instant at, @ForAll @IntRange(max = 700) int daysLater) {
        Instant later = at.plus(Duration.ofDays(daysLater));
        EvidenceSums one = EvidenceSums.of(true, at);
        double worth = one.at(later).good();
        assertThat(worth).isCloseTo(Math.pow(0.5, daysLater / 30.0), within(CLOSE));
        assertThat(one.at(later.plus(Duration.ofDays(30))).good()).isCloseTo(worth / 2, within(CLOSE * worth));
        assertThat(EvidenceSums.of(false, at).at(later)).isEqualTo(new Evidence(0, worth));
    }

    @Property
    void it_goes_back_towards_one_half_while_nothing_happens(
            @ForAll @Size(min = 1, max = 50) List<@From("happenings") Happening> all,
            @ForAll @IntRange(min = 1, max = 400) int days) {
        Evidence now = sum(all).at(NOW);
        Evidence later = sum(all).at(NOW.plus(Duration.ofDays(days)));
        assertThat(later.good()).isLessThanOrEqualTo(now.good());
        assertThat(later.bad()).isLessThanOrEqualTo(now.bad());
        assertThat(sum(all).at(NOW.plus(Duration.ofDays(6_000))).reputation()).isEqualTo("0.5");
    }

    @Property
    void what_an_agent_says_about_itself_never_matters(
            @ForAll @Size(max = 50) List<OutcomeResult> said, @ForAll("moments") Instant at) {
        for (OutcomeResult result : said) {
            assertThat(EvidenceSums.reported(OutcomeSource.SELF, result, at)).isEqualTo(EvidenceSums.NONE);
        }
    }

    @Property
    void what_a_coordinator_says_counts_like_what_the_gateway_saw(@ForAll("happenings") Happening one) {
        assertThat(EvidenceSums.reported(
                        OutcomeSource.COORDINATOR,
                        one.success() ? OutcomeResult.SUCCESS : OutcomeResult.FAILURE,
                        one.at()))
                .isEqualTo(one.sums());
        assertThat(EvidenceSums.reported(OutcomeSource.COORDINATOR, OutcomeResult.TRIGGER_FAILURE, one.at()))
                .isEqualTo(EvidenceSums.NONE);
    }

    private static EvidenceSums sum(List<Happening> all) {
        return all.stream().map(Happening::sums).reduce(EvidenceSums.NONE, EvidenceSums::plus);
    }

    /** The reputation before it is rounded. */
    private static double exact(Evidence evidence) {
        return (5 + evidence.good()) / (10 + evidence.good() + 5 * evidence.bad());
    }
}
