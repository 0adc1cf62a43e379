package dev.agenthealth.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws that hold for any fleet and any limits. */
class FleetSimulationTest {

    private static final int AGENTS = 1_000;
    private static final Limits PLENTY = new Limits(
            new Limits.Api(1e6, 1e6),
            new Limits.Functions(1e6, 1e6, 0.1, 0),
            new Limits.Table(1e6, 1e6, 1e6),
            new Limits.Feed(4, 1e6),
            new Limits.Events(1e6, 1e6));

    private static final Limits NARROW = new Limits(
            new Limits.Api(50, 50),
            new Limits.Functions(30, 1, 0.1, 0.3),
            new Limits.Table(60, 80, 5),
            new Limits.Feed(4, 50),
            new Limits.Events(50, 60));

    private static Scenario returning(int agents, boolean obeysNext) {
        return new Scenario(agents, 30, 1, obeysNext, 7, 1, 300, agents);
    }

    static Stream<Limits> limits() {
        return Stream.of(PLENTY, NARROW, NARROW.withApi(10), NARROW.withTable(7, 10));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void every_request_is_accepted_refused_once_or_under_way(Limits limits) {
        Outcome outcome = FleetSimulation.run(returning(AGENTS, true), limits, 1);
        double refused = outcome.refused().values().stream()
                .mapToDouble(number -> number)
                .sum();
        assertThat(outcome.sent()).isEqualTo(outcome.accepted() + refused + outcome.inFlight());
        assertThat(outcome.inFlight()).isBetween(0.0, (double) AGENTS);
        assertThat(outcome.first().isPresent()).isEqualTo(limits != PLENTY);
    }

    @Test
    void the_same_seed_gives_the_same_result_and_another_one_another() {
        Outcome once = FleetSimulation.run(returning(AGENTS, true), NARROW, 7);
        assertThat(FleetSimulation.run(returning(AGENTS, true), NARROW, 7)).isEqualTo(once);
        assertThat(FleetSimulation.run(returning(AGENTS, true), NARROW, 8)).isNotEqualTo(once);
    }

    @Test
    void without_limits_all_return_at_once_and_send_as_often_as_they_declare() {
        Outcome outcome = FleetSimulation.run(returning(AGENTS, false), PLENTY, 1);
        assertThat(outcome.returnedSeconds()).isLessThanOrEqualTo(1);
        assertThat(outcome.refused()).isEmpty();
        assertThat(outcome.accepted()).isEqualTo(AGENTS * 10.0, within(AGENTS * 0.1));
    }

    /** Little's law: the mean number of busy environments is the rate of arrivals times the time that each is kept. */
    @Test
    void busy_environments_are_the_rate_times_the_time_of_a_request() {
        Scenario usual = new Scenario(AGENTS, 30, 30, true, 1, 0, 300, AGENTS);
        Outcome outcome = FleetSimulation.run(usual, PLENTY, 1);
        assertThat(outcome.meanEnvironments()).isCloseTo(outcome.accepted() / 300 * 0.1, within(0.02));
    }

    /** A bucket of rate r and burst b lets the last of n arrivals through at (n - b) / r, if none of it stays unused. */
    @ParameterizedTest
    @ValueSource(doubles = {20, 40, 80})
    void a_throttle_lets_the_last_agent_return_no_earlier_than_its_rate_allows(double rate) {
        Scenario once = new Scenario(AGENTS, 3_600, 1, false, 1, 0, 300, AGENTS);
        Outcome outcome = FleetSimulation.run(once, PLENTY.withApi(rate), 1);
        assertThat(outcome.returned99Seconds()).isGreaterThanOrEqualTo((0.99 * AGENTS - rate) / rate - 1);
        assertThat(outcome.first()).contains(Stage.API);
    }

    @Test
    void more_of_what_saturates_lets_agents_return_earlier() {
        double before = FleetSimulation.run(returning(AGENTS, true), NARROW, 3).returned99Seconds();
        Limits all = NARROW.withApi(100).withFunctions(60, 2).withTable(120, 160);
        assertThat(FleetSimulation.run(returning(AGENTS, true), all, 3).returned99Seconds())
                .isLessThan(before);
    }

    @Test
    void a_fleet_and_limits_ten_times_as_large_behave_alike() {
        Outcome small = FleetSimulation.run(returning(AGENTS, true), NARROW, 5);
        Scenario tenfold = new Scenario(10 * AGENTS, 30, 1, true, 7, 1, 300, AGENTS);
        Outcome large = FleetSimulation.run(tenfold, NARROW.dividedBy(0.1), 5);
        assertThat(large.sent() / 10).isCloseTo(small.sent(), within(0.1 * small.sent()));
        assertThat(large.first()).isEqualTo(small.first());
    }

    @Test
    void agents_that_return_together_stay_together_unless_they_wait_as_they_are_asked() {
        Outcome stubborn = FleetSimulation.run(returning(AGENTS, false), PLENTY, 1);
        Outcome obedient = FleetSimulation.run(returning(AGENTS, true), PLENTY, 1);
        assertThat(stubborn.peakToMean()).isGreaterThan(20);
        assertThat(obedient.peakToMean()).isLessThan(2);
    }

    @Test
    void events_wait_where_the_bus_takes_fewer_than_there_are() {
        Outcome outcome = FleetSimulation.run(returning(AGENTS, true), PLENTY.withBus(50), 1);
        assertThat(outcome.eventDelaySeconds()).isCloseTo(AGENTS / 50.0, within(2.0));
    }

    /** Four shards of rate r take 4 r units a second, of which an event needs two. */
    @Test
    void a_feed_of_few_shards_lets_the_last_agent_return_no_earlier_than_its_rate_allows() {
        Limits few =
                new Limits(PLENTY.api(), PLENTY.functions(), PLENTY.table(), new Limits.Feed(4, 10), PLENTY.events());
        Scenario once = new Scenario(AGENTS, 3_600, 1, false, 1, 1, 300, AGENTS);
        Outcome narrow = FleetSimulation.run(once, few, 1);
        assertThat(narrow.first()).contains(Stage.FEED);
        assertThat(narrow.returned99Seconds()).isGreaterThanOrEqualTo((0.99 * AGENTS - 40) / 20.0 - 1);
        Outcome wide = FleetSimulation.run(once, few.withFeed(32), 1);
        assertThat(wide.returned99Seconds()).isLessThan(narrow.returned99Seconds() / 4);
    }

    @Test
    void a_bucket_admits_its_burst_and_then_its_rate() {
        TokenBucket bucket = new TokenBucket(10, 5);
        assertThat(bucket.take(5, 0)).isTrue();
        assertThat(bucket.take(1, 0)).isFalse();
        assertThat(bucket.take(1, 0.1)).isTrue();
        assertThat(bucket.take(6, 100)).isFalse();
        assertThat(bucket.take(5, 100)).isTrue();
    }
}
