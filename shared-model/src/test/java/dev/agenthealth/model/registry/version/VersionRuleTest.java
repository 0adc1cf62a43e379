package dev.agenthealth.model.registry.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.model.registry.outcome.LatencyBuckets;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.usage.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionRuleTest {

    private static final Instant HOUR = Instant.parse("2026-02-08T10:00:00Z");

    private static VersionFigures version(String name, int hour, long successes, long failures) {
        return version(name, hour, new VersionSums(successes, failures, LatencyHistogram.EMPTY, Map.of()));
    }

    private static VersionFigures version(String name, int hour, VersionSums sums) {
        return new VersionFigures(name, HOUR.plus(Duration.ofHours(hour)), HOUR.plus(Duration.ofHours(9)), sums);
    }

    private static VersionSums slow(long fast, long slow, double fastMs, double slowMs) {
        Map<Integer, Long> buckets = new HashMap<>();
        buckets.merge(LatencyBuckets.of(fastMs), fast, Long::sum);
        buckets.merge(LatencyBuckets.of(slowMs), slow, Long::sum);
        return new VersionSums(fast + slow, 0, LatencyHistogram.of(buckets), Map.of());
    }

    private static VersionSums using(long executions, long tokens) {
        TokenSums sums = new TokenSums(executions * tokens, (double) executions * tokens * tokens, executions);
        return new VersionSums(executions, 0, LatencyHistogram.EMPTY, Map.of(UsageSource.SELF, sums));
    }

    @ParameterizedTest
    @CsvSource({"10:59:59, true", "11:59:59, true", "12:00:00, false", "15:00:00, false"})
    void a_version_is_in_use_until_another_has_executions_two_hours_later(String other, boolean inUse) {
        VersionFigures version = new VersionFigures("1", HOUR, HOUR, VersionSums.NONE);
        Instant later = Instant.parse("2026-02-08T" + other + "Z");
        VersionFigures newer = new VersionFigures("2", HOUR, later, VersionSums.NONE);
        assertThat(VersionRule.isInUse(version, List.of(version, newer))).isEqualTo(inUse);
    }

    @Test
    void the_interval_is_the_score_interval_of_wilson() {
        WilsonInterval interval = WilsonInterval.of(81, 263, WilsonInterval.CONFIDENCE_95);
        assertThat(interval.low()).isCloseTo(0.2553, within(0.0001));
        assertThat(interval.high()).isCloseTo(0.3662, within(0.0001));
        assertThat(WilsonInterval.of(0, 0, WilsonInterval.CONFIDENCE_95)).isEqualTo(new WilsonInterval(0, 1));
        assertThat(WilsonInterval.of(30, 30, WilsonInterval.CONFIDENCE_95).high())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "194, 6, 160, 40, true",
        "160, 40, 194, 6, false",
        "194, 6, 194, 6, false",
        "10, 0, 8, 2, false",
        "194, 6, 0, 29, false",
        "194, 6, 0, 30, true",
        "29, 0, 0, 100, false",
        "30, 0, 0, 100, true"
    })
    void a_version_is_worse_if_fewer_executions_succeed(
            long before, long failedBefore, long after, long failedAfter, boolean worse) {
        assertThat(VersionRule.findings(version("2", 1, after, failedAfter), version("1", 0, before, failedBefore)))
                .isEqualTo(worse ? Set.of(VersionFinding.SUCCESS) : Set.of());
    }

    @ParameterizedTest
    @CsvSource({
        "200, 0, 100, 200, true",
        "200, 0, 100, 140, false",
        "0, 200, 100, 200, false",
        "196, 4, 100, 900, false",
        "29, 0, 100, 900, false"
    })
    void a_version_is_worse_if_its_slowest_executions_are_slower(
            long slowAfter, long slowBefore, double fastMs, double slowMs, boolean worse) {
        long executions = slowAfter + slowBefore;
        VersionFigures before = version("1", 0, slow(executions - slowBefore, slowBefore, fastMs, slowMs));
        VersionFigures after = version("2", 1, slow(executions - slowAfter, slowAfter, fastMs, slowMs));
        assertThat(VersionRule.findings(after, before).contains(VersionFinding.LATENCY))
                .isEqualTo(worse);
    }

    @Test
    void a_single_slow_execution_says_nothing() {
        VersionFigures before = version("1", 0, slow(1_000, 0, 100, 100));
        assertThat(VersionRule.findings(version("2", 1, slow(29, 1, 100, 9_000)), before))
                .isEmpty();
        assertThat(VersionRule.findings(version("2", 1, slow(28, 2, 100, 9_000)), before))
                .containsExactly(VersionFinding.LATENCY);
    }

    @ParameterizedTest
    @CsvSource({
        "30, 1000, 1500, true",
        "30, 1000, 1499, false",
        "29, 1000, 9000, false",
        "30, 1000, 500, false",
        "30, 0, 500, false"
    })
    void a_version_is_worse_if_an_execution_uses_more_tokens(long executions, long before, long after, boolean worse) {
        assertThat(VersionRule.findings(
                                version("2", 1, using(executions, after)), version("1", 0, using(executions, before)))
                        .contains(VersionFinding.TOKENS))
                .isEqualTo(worse);
    }

    @Test
    void a_single_execution_with_many_tokens_says_nothing() {
        VersionSums one = using(29, 1_000).plus(using(1, 100_000));
        assertThat(VersionRule.findings(version("2", 1, one), version("1", 0, using(1_000, 1_000))))
                .isEmpty();
    }

    @Test
    void a_version_is_compared_with_the_nearest_one_that_has_enough_executions() {
        List<VersionFigures> figures = List.of(
                version("3", 3, 160, 40),
                version(AgentVersion.OTHER, 1, 200, 0),
                version("1", 0, 194, 6),
                version("2", 2, 10, 0));
        List<VersionRule.Change> changes = VersionRule.changes(figures, Map.of());
        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).version().version()).isEqualTo("3");
        assertThat(changes.get(0).before().version()).isEqualTo("1");
        assertThat(changes.get(0).ended()).isEmpty();
    }

    @Test
    void a_problem_begins_once_and_ends_after_it_is_clearly_over() {
        WorseVersion open = new WorseVersion("billing", "2", "1", HOUR);
        VersionFigures before = version("1", 0, 970, 30);
        assertThat(VersionRule.changes(List.of(before, version("2", 1, 160, 40)), Map.of("2", open)))
                .as("still worse")
                .isEmpty();
        VersionFigures little = version("2", 1, 190, 10);
        assertThat(VersionRule.changes(List.of(before, little), Map.of()))
                .as("too little to begin")
                .isEmpty();
        assertThat(VersionRule.changes(List.of(before, version("2", 1, 188, 12)), Map.of("2", open)))
                .as("too much to end")
                .isEmpty();
        assertThat(VersionRule.changes(List.of(before, version("2", 1, 193, 7)), Map.of("2", open)))
                .extracting(VersionRule.Change::ended)
                .containsExactly(Optional.of(open));
        assertThat(VersionRule.changes(List.of(), Map.of("2", open)))
                .as("no executions are left")
                .extracting(VersionRule.Change::ended)
                .containsExactly(Optional.of(open));
    }

    @ParameterizedTest
    @CsvSource({"8, true", "7, false"})
    void a_version_that_is_no_longer_in_use_is_no_problem(int lastHour, boolean worse) {
        VersionFigures before = version("1", 0, 194, 6);
        VersionFigures after = new VersionFigures(
                "2",
                HOUR.plus(Duration.ofHours(1)),
                HOUR.plus(Duration.ofHours(lastHour)),
                version("2", 1, 160, 40).sums());
        assertThat(VersionRule.changes(List.of(before, after), Map.of())).hasSize(worse ? 1 : 0);
        WorseVersion open = new WorseVersion("billing", "2", "1", HOUR);
        assertThat(VersionRule.changes(List.of(before, after), Map.of("2", open)))
                .hasSize(worse ? 0 : 1);
    }

    /**
     * Two equal versions with a random success rate, latencies and tokens. The comparison is repeated after each ten executions of the second version, as
     * the registry repeats it.
     */
    @Test
    void equal_versions_are_rarely_reported() {
        int reported = 0;
        for (int run = 0; run < 1_000; run++) {
            Random random = new Random(run);
            double rate = 0.8 + 0.2 * random.nextDouble();
            VersionSums before = VersionSums.NONE;
            int executions = 200 + random.nextInt(800);
            before = more(before, executions, rate, random);
            VersionSums after = VersionSums.NONE;
            boolean worse = false;
            for (int count = 0; count < 300 && !worse; count += 10) {
                after = more(after, 10, rate, random);
                worse = !VersionRule.findings(version("2", 1, after), version("1", 0, before))
                        .isEmpty();
            }
            reported += worse ? 1 : 0;
        }
        assertThat(reported).isLessThan(30);
    }

    private static VersionSums more(VersionSums sums, int executions, double rate, Random random) {
        long successes = 0;
        Map<Integer, Long> latencies = new HashMap<>();
        long tokens = 0;
        double squares = 0;
        for (int i = 0; i < executions; i++) {
            successes += random.nextDouble() < rate ? 1 : 0;
            latencies.merge(LatencyBuckets.of(1_000 * Math.exp(0.8 * random.nextGaussian())), 1L, Long::sum);
            long used = Math.round(5_000 * Math.exp(0.8 * random.nextGaussian()));
            tokens += used;
            squares += (double) used * used;
        }
        return sums.plus(new VersionSums(
                successes,
                executions - successes,
                LatencyHistogram.of(latencies),
                Map.of(UsageSource.SELF, new TokenSums(tokens, squares, executions))));
    }
}
