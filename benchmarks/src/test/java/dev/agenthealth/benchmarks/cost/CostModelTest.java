package dev.agenthealth.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.benchmarks.cost.CostData.Budgets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers calculated by hand. The sample month has 1,000 hours, which are 3,600,000 seconds. */
class CostModelTest {

    private static final String PULSES = "pulses table: heartbeats";

    private final Map<String, Double> settings = Samples.project().assumptions().settings();
    private final Scenario fleet = new Scenario(1_000, Map.of(), settings);

    @Test
    void heartbeats_are_billed_as_requests_runs_time_and_units() {
        // 1,000 agents, a heartbeat every 30 s: 120,000,000 in the month.
        Bill bill = bill(fleet);
        assertThat(bill.of(CostModel.API, "heartbeats")).isEqualTo(120e6, within(1.0));
        // A dollar per run, and 0.1 s of 2 GB each.
        assertThat(bill.of(CostModel.LAMBDA, "heartbeats")).isEqualTo(120e6 + 24e6, within(1.0));
        assertThat(bill.of(CostModel.DYNAMODB, PULSES)).isEqualTo(120e6, within(1.0));
        assertThat(bill.of(CostModel.DYNAMODB, "registry table: heartbeats")).isEqualTo(240e6, within(1.0));
    }

    @Test
    void a_hundred_heartbeats_per_request_are_a_hundredth_of_the_requests_and_the_same_units() {
        Bill bill = bill(fleet.with(Map.of("heartbeats_per_request", 100.0)));
        assertThat(bill.of(CostModel.API, "heartbeats")).isEqualTo(1.2e6, within(1.0));
        assertThat(bill.of(CostModel.DYNAMODB, PULSES)).isEqualTo(120e6, within(1.0));
    }

    @Test
    void heartbeats_through_the_function_url_are_no_requests_to_the_api_and_the_same_runs() {
        Scenario active = new Scenario(1_000, Map.of("leases", 5.0), settings).with(Map.of("access_log", 1.0));
        Bill usual = bill(active);
        Bill bill = bill(active.with(Map.of("function_url", 1.0)));
        assertThat(bill.of(CostModel.API, "heartbeats")).isZero();
        assertThat(bill.of(CostModel.API, "leases"))
                .isEqualTo(usual.of(CostModel.API, "leases"))
                .isPositive();
        assertThat(bill.of(CostModel.LAMBDA)).isEqualTo(usual.of(CostModel.LAMBDA), within(0.01));
        assertThat(bill.of(CostModel.DYNAMODB)).isEqualTo(usual.of(CostModel.DYNAMODB), within(0.01));
        assertThat(bill.of(CostModel.LOGS, "access log of the API"))
                .isLessThan(usual.of(CostModel.LOGS, "access log of the API"));
    }

    @Test
    void probes_are_billed_as_runs_units_and_messages_of_fifty_agents() {
        Scenario watched =
                fleet.with(Map.of("interval_seconds", Double.POSITIVE_INFINITY, "watch_interval_seconds", 60.0));
        Bill bill = bill(watched);
        assertThat(bill.of(CostModel.API)).isZero();
        // 60,000,000 probes, 60,000 runs, and what was found kept 12,000,000 times.
        assertThat(bill.of(CostModel.DYNAMODB, "pulses table: probes")).isEqualTo(60e6 + 60_000 + 12e6, within(1.0));
        assertThat(bill.of(CostModel.LAMBDA, "probes"))
                .isEqualTo(60_000 + (60e6 + 60_000 + 12e6) * 0.1 * 2, within(1.0));
        assertThat(bill.of(CostModel.SQS, "probes")).isEqualTo(60e6 / 50 * 1.2 + 60_000, within(1.0));
        assertThat(bill(fleet).of(CostModel.SQS, "probes")).isZero();
    }

    @Test
    void containers_replace_api_and_function_of_heartbeats() {
        Bill bill = bill(fleet.with(Map.of("containers", 1.0)));
        Bill before = bill(fleet);
        assertThat(bill.of(CostModel.API)).isLessThan(before.of(CostModel.API));
        assertThat(bill.of(CostModel.LAMBDA, "heartbeats")).isZero();
        assertThat(bill.of(CostModel.DYNAMODB)).isEqualTo(before.of(CostModel.DYNAMODB));
        // 120,000,000 heartbeats of a millisecond, half of each processor used, 2 GB each.
        assertThat(bill.of(CostModel.CONTAINERS, "processors")).isEqualTo(120e6 / 3.6e6 / 0.5, within(0.01));
        assertThat(bill.of(CostModel.CONTAINERS, "memory")).isEqualTo(120e6 / 3.6e6 / 0.5 * 2, within(0.01));
        // 1,000 connections are a unit.
        assertThat(bill.of(CostModel.CONTAINERS, "load balancer")).isEqualTo(1_000, within(0.01));
    }

    @Test
    void managed_instances_replace_the_duration_and_not_the_requests_of_heartbeats() {
        Bill bill = bill(fleet.with(Map.of("managed_instances", 1.0)));
        Bill before = bill(fleet);
        assertThat(bill.of(CostModel.API)).isEqualTo(before.of(CostModel.API));
        assertThat(bill.of(CostModel.LAMBDA, "heartbeats"))
                .isEqualTo(120e6, within(1.0))
                .isLessThan(before.of(CostModel.LAMBDA, "heartbeats"));
        assertThat(bill.of(CostModel.LAMBDA, "instances")).isEqualTo(120e6 / 3.6e6 / 0.5, within(0.01));
    }

    @Test
    void provisioned_capacity_of_the_pulses_table_is_billed_by_the_hour() {
        Bill bill = bill(fleet.with(Map.of("provisioned_utilisation", 0.5)));
        // 33.33 writes per second, twice as many provisioned, for 1,000 hours.
        assertThat(bill.of(CostModel.DYNAMODB, PULSES)).isEqualTo(2_000_000 / 30.0, within(0.01));
        assertThat(bill.of(CostModel.DYNAMODB, "registry table: heartbeats"))
                .as("the registry stays on demand")
                .isEqualTo(240e6, within(1.0));
    }

    @Test
    void the_sweep_runs_each_minute_and_is_billed_while_it_waits() {
        // 60,000 runs; for each run and for each thousand agents 0.1 s of 2 GB.
        double once = 60_000 + 60_000 * 0.1 * 2 + 60_000 * 0.1 * 2;
        assertThat(bill(fleet).of(CostModel.LAMBDA, "sweep")).isEqualTo(once, within(0.01));
        // Four sweeps: still 60,000 runs, and 45 of 60 seconds are waiting.
        double four = 60_000 + 60_000 * 45 * 2 + 240_000 * 0.1 * 2 + 240_000 * 0.1 * 2;
        assertThat(bill(fleet.with(Map.of("sweeps_per_minute", 4.0))).of(CostModel.LAMBDA, "sweep"))
                .isEqualTo(four, within(0.01));
    }

    @Test
    void a_sweep_in_shards_is_billed_for_each_shard_and_for_waiting_for_a_full_one() {
        double thousands = 60_000 * 400.001;
        double expected = 60_000 + 60_000 * 0.2 + 3 * 60_000 + thousands * 0.2 + 60_000 * 200 * 0.2;
        assertThat(bill(new Scenario(400_001, Map.of(), settings)).of(CostModel.LAMBDA, "sweep"))
                .isEqualTo(expected, within(1.0));
    }

    @Test
    void other_activity_has_lines_of_its_own() {
        Map<String, Double> activity = Map.of("reports", 24.0, "health_reads", 24.0, "async_invocations", 24.0);
        Bill bill = bill(new Scenario(1_000, activity, settings));
        // Each of the 1,000 agents once per hour for 1,000 hours.
        assertThat(bill.of(CostModel.API, "reads")).isEqualTo(1e6, within(0.1));
        assertThat(bill.of(CostModel.API, "outcomes and health")).isEqualTo(1e6, within(0.1));
        assertThat(bill.of(CostModel.API, "invocations")).isEqualTo(1e6, within(0.1));
        assertThat(bill.of(CostModel.SQS, "messages")).isEqualTo(3e6, within(0.1));
        // Reports and invocations cause two measurements per hour; and one run per minute.
        assertThat(bill.of(CostModel.DYNAMODB, "pulses table: outcomes and health"))
                .isEqualTo(1e6 + 2e6 + 60_000, within(0.1));
    }

    @Test
    void outcomes_sent_with_heartbeats_need_no_request() {
        Scenario scenario = new Scenario(1_000, Map.of("reports", 24.0), settings);
        Bill bill = bill(scenario.with(Map.of("outcomes_on_heartbeats", 1.0)));
        assertThat(bill.of(CostModel.API, "outcomes and health")).isZero();
        assertThat(bill.of(CostModel.API, "heartbeats")).isEqualTo(120e6, within(1.0));
    }

    @Test
    void logs_and_traces_are_billed_where_they_are_written() {
        double gigabyte = 1 << 20;
        // 120,000,000 heartbeats with a line of 1 KB, half of them with another of 2 KB; and sweeps, measurements,
        // notifications and, every five minutes, sources.
        double lines = (120e6 + 120e6 + 4 * 60_000 + 12_000) / gigabyte;
        assertThat(bill(fleet.with(Map.of("heartbeat_log_share", 0.5))).of(CostModel.LOGS))
                .isEqualTo(lines, within(0.01));
        assertThat(bill(fleet.with(Map.of("lambda_lines", 1.0))).of(CostModel.LOGS, "lines of Lambda itself"))
                .isEqualTo((120e6 + 180_000 + 12_000) / gigabyte, within(0.01));
        assertThat(bill(fleet.with(Map.of("access_log", 1.0))).of(CostModel.LOGS, "access log of the API"))
                .isEqualTo(120e6 / gigabyte, within(0.01));
        assertThat(bill(fleet).of(CostModel.TRACES)).isZero();
        assertThat(bill(fleet.with(Map.of("tracing", 1.0))).of(CostModel.TRACES, "SweepFunction"))
                .as("the first run of each second is recorded")
                .isEqualTo(60_000, within(1.0));
    }

    @Test
    void of_many_runs_of_a_function_the_first_of_each_second_and_a_share_of_the_others_are_traced() {
        Map<String, Double> activity = Map.of("reports", 24_000.0);
        Bill bill = bill(new Scenario(10_000, activity, settings).with(Map.of("tracing", 1.0)));
        // 10,000 agents, 1,000 reports an hour each, for 1,000 hours; the month has 3,600,000 seconds.
        assertThat(bill.of(CostModel.TRACES, "POST /api/v1/agents/{agent_id}/outcomes"))
                .isEqualTo(3.6e6 + 0.05 * (10e9 - 3.6e6), within(1.0));
    }

    @Test
    void requests_for_the_keys_of_tables_are_billed_by_table_function_and_time() {
        Bill bill = bill(fleet.with(Map.of("keyed_tables", 2.0, "keys", 1.0)));
        // Two tables, a request for each of the functions every five minutes.
        assertThat(bill.of(CostModel.KEYS, "requests"))
                .isEqualTo(2 * 12_000.0 * Samples.deployment().memoryMb().size(), within(0.01));
        assertThat(bill.of(CostModel.KEYS, "keys")).isEqualTo(1);
        assertThat(bill(fleet).of(CostModel.KEYS))
                .as("keys that AWS owns are free")
                .isZero();
    }

    @Test
    void without_agents_only_the_metrics_that_occur_are_billed() {
        assertThat(bill(new Scenario(0, Map.of(), settings)).of(CostModel.METRICS, "metrics"))
                .isEqualTo(10);
        assertThat(bill(fleet).of(CostModel.METRICS, "metrics")).isEqualTo(20);
    }

    @Test
    void a_million_agents_with_a_heartbeat_every_30_seconds_write_for_54_750_dollars() {
        Bill bill = new CostModel(Samples.project(), Samples.deployment())
                .bill(new Scenario(1_000_000, Map.of(), settings));
        assertThat(bill.of(CostModel.DYNAMODB, PULSES)).isEqualTo(54_750, within(0.01));
        // 300 million requests at 1.00 per million and 87,300 million at 0.90.
        assertThat(bill.of(CostModel.API, "heartbeats")).isEqualTo(300 + 87_300 * 0.9, within(0.01));
    }

    @Test
    void every_price_and_budget_of_the_files_is_used() {
        CostData data = Samples.project();
        CostModel model = new CostModel(data, Samples.deployment());
        Map<String, Double> activity = data.assumptions().activityPerDay();
        Set<String> used = Stream.of(0.0, 0.5)
                .flatMap(utilisation -> model
                        .usage(new Scenario(1_000, activity, settings)
                                .with(Map.of(
                                        "provisioned_utilisation",
                                        utilisation,
                                        "containers",
                                        2 * utilisation,
                                        "managed_instances",
                                        1.0)))
                        .stream())
                .map(Bill.Usage::price)
                .collect(Collectors.toSet());
        assertThat(data.prices().prices().keySet().stream().filter(price -> !price.contains("archive")))
                .containsExactlyInAnyOrderElementsOf(used);
        assertThat(data.budgets().operations())
                .containsOnlyKeys(data.assumptions().operations().stream()
                        .map(Operation::name)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"operations\": {}}",
                "{\"request_line_bytes\": 1, \"idle_metrics\": 1, \"operations\": {\"x\": {\"apples\": 1}}}",
                "{\"request_line_bytes\": 1, \"idle_metrics\": 1, \"operations\": {}, \"more\": 1}"
            })
    void a_missing_or_unknown_field_of_a_file_is_an_error(String file) {
        assertThatThrownBy(() -> CostData.parse(file, Budgets.class)).isInstanceOf(Exception.class);
    }

    private static Bill bill(Scenario scenario) {
        return new CostModel(Samples.round(), Samples.deployment()).bill(scenario);
    }
}
