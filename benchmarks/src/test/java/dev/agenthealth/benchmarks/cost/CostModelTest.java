package dev.agenthealth.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Numbers that were worked out by hand. The sample month has 1,000 hours, which are 3,600,000 seconds. */
class CostModelTest {

    private static final String BEATS = Purpose.HEARTBEATS.words();
    private static final String SWEEP = Purpose.SWEEP.words();
    private static final String PULSES_BEATS = "pulses table: heartbeats";

    private final Workload fleet = Workload.of(1_000, Activity.NONE);

    @Test
    void heartbeats_are_requests_runs_time_and_units() {
        // 1,000 agents, a beat each 30 s: 120,000,000 in the month.
        Bill bill = bill(fleet, Samples.deployment());
        assertThat(bill.of(Component.API_GATEWAY, BEATS)).isEqualTo(120e6, within(1.0));
        // A dollar a run, and 0.1 s of 2 GB each.
        assertThat(bill.of(Component.LAMBDA, BEATS)).isEqualTo(120e6 + 24e6, within(1.0));
        assertThat(bill.of(Component.DYNAMODB, PULSES_BEATS)).isEqualTo(120e6, within(1.0));
        assertThat(bill.of(Component.DYNAMODB, "registry table: heartbeats")).isEqualTo(240e6, within(1.0));
    }

    @Test
    void a_hundred_heartbeats_in_a_request_are_a_hundredth_of_the_requests_and_as_many_units() {
        Bill bill = bill(fleet.withAgentsPerRequest(100), Samples.deployment());
        assertThat(bill.of(Component.API_GATEWAY, BEATS)).isEqualTo(1.2e6, within(1.0));
        assertThat(bill.of(Component.DYNAMODB, PULSES_BEATS)).isEqualTo(120e6, within(1.0));
    }

    @Test
    void provisioned_capacity_is_paid_by_the_hour_and_more_of_it_than_is_used() {
        Bill bill = bill(fleet.withCapacity(new Capacity.Provisioned(0.5)), Samples.deployment());
        // 33.33 writes a second, twice as many provisioned, for 1,000 hours.
        assertThat(bill.of(Component.DYNAMODB, PULSES_BEATS)).isEqualTo(2_000_000 / 30.0, within(0.01));
        assertThat(bill.of(Component.DYNAMODB, "registry table: heartbeats"))
                .as("the registry stays on demand")
                .isEqualTo(240e6, within(1.0));
    }

    @Test
    void the_sweep_runs_each_minute_and_is_paid_for_while_it_waits_for_its_next_pass() {
        // 60,000 ticks, of which each thousand agents take another deed, which is no run: 0.1 s of 2 GB for each.
        double once = 60_000 + 60_000 * 0.1 * 2 + 60_000 * 0.1 * 2;
        assertThat(bill(fleet, Samples.deployment()).of(Component.LAMBDA, SWEEP))
                .isEqualTo(once, within(0.01));
        // Four passes: still 60,000 runs; 45 of 60 seconds are waiting.
        double four = 60_000 + 60_000 * 45 * 2 + 240_000 * 0.1 * 2 + 240_000 * 0.1 * 2;
        assertThat(bill(fleet.withSweepPasses(4), Samples.deployment()).of(Component.LAMBDA, SWEEP))
                .isEqualTo(four, within(0.01));
    }

    @Test
    void a_shared_out_pass_is_a_run_for_each_portion_and_time_to_wait_for_a_full_one() {
        Workload large = Workload.of(400_001, Activity.NONE);
        double thousands = 60_000 * 400.001;
        double expected = 60_000 + 60_000 * 0.2 + 3 * 60_000 + thousands * 0.2 + 60_000 * 200 * 0.2;
        assertThat(bill(large, Samples.deployment()).of(Component.LAMBDA, SWEEP))
                .isEqualTo(expected, within(1.0));
    }

    @Test
    void what_else_agents_do_has_its_own_lines() {
        Activity activity = new Activity(1, 0, 0, 24, 0, 0, 0, 24);
        Bill bill = bill(Workload.of(1_000, activity), Samples.deployment());
        // Each of the 1,000 agents once an hour for 1,000 hours.
        assertThat(bill.of(Component.API_GATEWAY, "reads")).isEqualTo(1e6, within(0.1));
        assertThat(bill.of(Component.API_GATEWAY, "outcomes and health")).isEqualTo(1e6, within(0.1));
        assertThat(bill.of(Component.API_GATEWAY, "invocations")).isEqualTo(1e6, within(0.1));
        assertThat(bill.of(Component.SQS, "messages")).isEqualTo(3e6, within(0.1));
        // Reports and invocations make two changes an hour, each measured; and a run a minute.
        assertThat(bill.of(Component.DYNAMODB, "pulses table: outcomes and health"))
                .isEqualTo(1e6 + 2e6 + 60_000, within(0.1));
    }

    @Test
    void reports_that_ride_need_no_request() {
        Activity activity = new Activity(1, 0, 0, 0, 0, 0, 0, 0);
        Bill bill = bill(Workload.of(1_000, activity).withRidingReports(), Samples.deployment());
        assertThat(bill.of(Component.API_GATEWAY, "outcomes and health")).isZero();
        assertThat(bill.of(Component.API_GATEWAY, BEATS)).isEqualTo(120e6, within(1.0));
    }

    @Test
    void logs_of_lambda_and_of_the_api_and_traces_cost_where_they_are_written() {
        Deployment quiet = Samples.deployment();
        double gigabyte = 1 << 20;
        Deployment.Logs none = quiet.logs();
        // 120,000,000 beats of 1 KB, half of them of 2 KB more; and the deeds of sweep and measurement.
        double lines = (120e6 + 120e6 + 3 * 60_000) / gigabyte;
        assertThat(bill(fleet, quiet.withLogs(none.withShare(0.5))).of(Component.LOGS))
                .isEqualTo(lines, within(0.01));
        assertThat(bill(fleet, quiet.withNoted(quiet.memoryMb().keySet())).of(Component.LOGS, "lines of Lambda itself"))
                .isEqualTo((120e6 + 120_000) / gigabyte, within(0.01));
        assertThat(bill(fleet, quiet.withLogs(none.withAccess(true))).of(Component.LOGS, "access log of the API"))
                .isEqualTo(120e6 / gigabyte, within(0.01));
        assertThat(bill(fleet, quiet).of(Component.TRACES)).isZero();
        assertThat(bill(fleet, quiet.withTraced(Set.of("SweepFunction"))).of(Component.TRACES))
                .isEqualTo(60_000 * 0.05, within(1.0));
    }

    @Test
    void a_million_agents_that_beat_every_30_seconds_write_for_54_750_dollars() {
        CostFiles files = Samples.files();
        Bill bill = new CostModel(files.budgets(), files.assumptions(), Samples.deployment())
                .bill(Workload.of(1_000_000, Activity.NONE), files.prices());
        assertThat(bill.of(Component.DYNAMODB, PULSES_BEATS)).isEqualTo(54_750, within(0.01));
        // 300 million requests at 1.00 a million and 87,300 million at 0.90.
        assertThat(bill.of(Component.API_GATEWAY, BEATS)).isEqualTo(300 + 87_300 * 0.9, within(0.01));
    }

    private static Bill bill(Workload workload, Deployment deployment) {
        return new CostModel(Samples.budgets(), Samples.assumptions(), deployment).bill(workload, Samples.prices());
    }
}
