package dev.agenthealth.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** Properties with the document's own prices, budgets and assumptions. */
class CostModelPropertyTest {

    private static final int TRIES = 100;

    private final CostModel model = new CostModel(Samples.project(), Samples.deployment());

    @Property(tries = TRIES)
    void parts_are_never_negative_and_add_up(@ForAll("scenarios") Scenario scenario) {
        Bill bill = model.bill(scenario);
        assertThat(bill.lines()).allSatisfy(line -> assertThat(line.usd()).isNotNegative());
        double byService = CostModel.SERVICES.stream().mapToDouble(bill::of).sum();
        assertThat(byService).isEqualTo(bill.total(), within(1e-6 * Math.max(1, bill.total())));
    }

    @Property(tries = TRIES)
    void all_usages_of_a_price_cost_what_their_sum_costs(@ForAll("scenarios") Scenario scenario) {
        double expected = Samples.project().prices().prices().entrySet().stream()
                .mapToDouble(price -> price.getValue()
                        .cost(model.usage(scenario).stream()
                                .filter(usage -> usage.price().equals(price.getKey()))
                                .mapToDouble(Bill.Usage::units)
                                .sum()))
                .sum();
        assertThat(model.bill(scenario).total()).isEqualTo(expected, within(1e-6 * Math.max(1, expected)));
    }

    @Property(tries = TRIES)
    void more_agents_never_cost_less(
            @ForAll("scenarios") Scenario scenario, @ForAll @LongRange(max = 1_000_000) long more) {
        Scenario larger = new Scenario(scenario.agents() + more, scenario.activity(), scenario.settings());
        double total = model.bill(scenario).total();
        assertThat(model.bill(larger).total()).isGreaterThanOrEqualTo(total - 1e-6 * total);
    }

    @Property(tries = TRIES)
    void twice_the_interval_halves_the_cost_of_storing_heartbeats(@ForAll("scenarios") Scenario scenario) {
        double once = stored(scenario);
        double half = stored(scenario.with(Map.of("interval_seconds", 2 * scenario.get("interval_seconds"))));
        assertThat(half).isEqualTo(once / 2, within(1e-6 * Math.max(1, once)));
    }

    @Property(tries = TRIES)
    void more_heartbeats_per_request_never_cost_more(@ForAll("scenarios") Scenario scenario) {
        double single =
                model.bill(scenario.with(Map.of("heartbeats_per_request", 1.0))).total();
        assertThat(model.bill(scenario).total()).isLessThanOrEqualTo(single + 1e-6 * single);
    }

    private double stored(Scenario scenario) {
        return model.bill(scenario).of(CostModel.DYNAMODB, "pulses table: heartbeats");
    }

    @Provide
    Arbitrary<Scenario> scenarios() {
        Arbitrary<Map<String, Double>> activities = Arbitraries.maps(
                        Arbitraries.of(
                                Samples.project().assumptions().activityPerDay().keySet()),
                        Arbitraries.doubles().between(0, 50))
                .ofMaxSize(8);
        Arbitrary<Double> utilisations =
                Arbitraries.oneOf(Arbitraries.just(0.0), Arbitraries.doubles().between(0.05, 1));
        return Combinators.combine(
                        Arbitraries.longs().between(0, 3_000_000),
                        Arbitraries.doubles().between(1, 3_600),
                        Arbitraries.integers().between(1, 100),
                        activities,
                        Arbitraries.of(0.0, 1.0),
                        Arbitraries.integers().between(1, 12),
                        utilisations)
                .as((agents, interval, each, activity, together, sweeps, utilisation) -> new Scenario(
                        agents,
                        activity,
                        Map.of(
                                "interval_seconds", interval,
                                "heartbeats_per_request", (double) each,
                                "outcomes_on_heartbeats", together,
                                "sweeps_per_minute", (double) sweeps,
                                "provisioned_utilisation", utilisation)));
    }
}
