package dev.agenthealth.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** With the prices, budgets and assumptions that the document has. */
class CostModelPropertyTest {

    private static final int TRIES = 100;
    private static final String BEATS = "pulses table: heartbeats";

    private final CostFiles files = Samples.files();
    private final PriceList prices = files.prices();
    private final CostModel model = new CostModel(files.budgets(), files.assumptions(), Samples.deployment());

    @Property(tries = TRIES)
    void parts_are_never_negative_and_add_up(@ForAll("workloads") Workload workload) {
        Bill bill = model.bill(workload, prices);
        assertThat(bill.lines()).allSatisfy(line -> assertThat(line.usd()).isNotNegative());
        double byComponent =
                Arrays.stream(Component.values()).mapToDouble(bill::of).sum();
        assertThat(byComponent).isEqualTo(bill.total(), within(1e-6 * Math.max(1, bill.total())));
    }

    @Property(tries = TRIES)
    void what_everything_is_used_for_adds_up_to_what_all_of_it_costs(@ForAll("workloads") Workload workload) {
        double expected = 0;
        for (Price price : Price.values()) {
            expected += prices.of(price)
                    .cost(model.usage(workload).stream()
                            .filter(usage -> usage.price() == price)
                            .mapToDouble(Usage::units)
                            .sum());
        }
        assertThat(model.bill(workload, prices).total()).isEqualTo(expected, within(1e-6 * Math.max(1, expected)));
    }

    @Property(tries = TRIES)
    void more_agents_never_cost_less(
            @ForAll("workloads") Workload workload, @ForAll @LongRange(max = 1_000_000) long more) {
        Workload larger = new Workload(
                workload.agents() + more,
                workload.intervalSeconds(),
                workload.agentsPerRequest(),
                workload.activity(),
                workload.reportsRide(),
                workload.sweepPassesPerMinute(),
                workload.capacity());
        double total = model.bill(workload, prices).total();
        assertThat(model.bill(larger, prices).total()).isGreaterThanOrEqualTo(total - 1e-6 * total);
    }

    @Property(tries = TRIES)
    void twice_the_interval_is_half_of_what_storing_heartbeats_costs(@ForAll("workloads") Workload workload) {
        double once = model.bill(workload, prices).of(Component.DYNAMODB, BEATS);
        double half = model.bill(workload.withInterval(2 * workload.intervalSeconds()), prices)
                .of(Component.DYNAMODB, BEATS);
        assertThat(half).isEqualTo(once / 2, within(1e-6 * Math.max(1, once)));
    }

    @Property(tries = TRIES)
    void more_heartbeats_a_request_never_cost_more(@ForAll("workloads") Workload workload) {
        double single = model.bill(workload.withAgentsPerRequest(1), prices).total();
        double batched = model.bill(workload, prices).total();
        assertThat(batched).isLessThanOrEqualTo(single + 1e-6 * single);
    }

    @Provide
    Arbitrary<Workload> workloads() {
        Arbitrary<Double> rates = Arbitraries.doubles().between(0, 50);
        Arbitrary<Activity> activities = Combinators.combine(rates, rates, rates, rates, rates, rates, rates, rates)
                .as(Activity::new);
        Arbitrary<Capacity> capacities = Arbitraries.oneOf(
                Arbitraries.just(new Capacity.OnDemand()),
                Arbitraries.doubles().between(0.05, 1).map(Capacity.Provisioned::new));
        return Combinators.combine(
                        Arbitraries.longs().between(0, 3_000_000),
                        Arbitraries.doubles().between(1, 3_600),
                        Arbitraries.integers().between(1, 100),
                        activities,
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(1, 12),
                        capacities)
                .as(Workload::new);
    }
}
