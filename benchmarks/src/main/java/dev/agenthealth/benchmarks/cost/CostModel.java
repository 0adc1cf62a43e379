package dev.agenthealth.benchmarks.cost;

import dev.agenthealth.benchmarks.cost.Bill.Usage;
import dev.agenthealth.benchmarks.cost.CostData.Assumptions;
import dev.agenthealth.benchmarks.cost.Operation.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Computes the usage and the bill of a scenario. Immutable and deterministic. */
public final class CostModel {

    public static final String API = "API Gateway";
    public static final String TRANSFER = "Data transfer out";
    public static final String LAMBDA = "Lambda";
    public static final String CONTAINERS = "Containers";
    public static final String DYNAMODB = "DynamoDB";
    public static final String EVENTBRIDGE = "EventBridge";
    public static final String SCHEDULER = "Scheduler";
    public static final String SQS = "SQS";
    public static final String LOGS = "CloudWatch logs";
    public static final String METRICS = "CloudWatch metrics, alarms, dashboard";
    public static final String TRACES = "X-Ray";
    public static final String KEYS = "KMS";

    /** All services, in the order of the document. */
    public static final List<String> SERVICES = List.of(
            API, TRANSFER, LAMBDA, CONTAINERS, DYNAMODB, EVENTBRIDGE, SCHEDULER, SQS, LOGS, METRICS, TRACES, KEYS);

    private static final String HEARTBEAT = "heartbeat";
    private static final String FUNCTION_LINES = "lines of the functions";
    private static final double GIGABYTE = 1L << 30;
    private static final double BATCH = 100;

    /** A message is sent, received and deleted. */
    private static final int REQUESTS_PER_MESSAGE = 3;

    private static final double AGENTS_PER_PROBE_MESSAGE = 50;

    /** A message of probes is received and deleted with nine others. */
    private static final double REQUESTS_PER_PROBE_MESSAGE = 1.2;

    /** The time between two writes of what a probe found, unless it changes. */
    private static final double MINUTES_PER_PROBE_STATE = 5;

    private static final double MINUTES_PER_SOURCE_RUN = 5;

    /** Their events match the template's example rule, which logs them. */
    private static final Set<String> LOGGED_CHANGES = Set.of("deregistration", "return", "silence", "recovery");

    private final CostData data;
    private final Assumptions assumptions;
    private final Deployment deployment;
    private final double minutes;

    public CostModel(CostData data, Deployment deployment) {
        this.data = data;
        this.assumptions = data.assumptions();
        this.deployment = deployment;
        this.minutes = assumptions.hoursPerMonth() * 60;
    }

    /**
     * An operation as often as a scenario causes it per month.
     *
     * @param runs of its function
     * @param requests to the API
     * @param seconds billed for its function in total
     */
    private record Load(
            Operation operation, Budget budget, double times, double runs, double requests, double seconds) {

        double total(Measure measure) {
            return times * budget.of(measure);
        }
    }

    public Bill bill(Scenario scenario) {
        return Bill.of(usage(scenario), data.prices());
    }

    /** Everything a scenario uses in a month. */
    public List<Usage> usage(Scenario scenario) {
        List<Load> loads = loads(scenario);
        List<Usage> usages = new ArrayList<>();
        for (Load load : loads) {
            requests(load, scenario, usages);
            runs(load, scenario, usages);
            capacity(load, scenario, usages);
        }
        storage(scenario, loads, usages);
        events(loads, usages);
        double heartbeats = scenario.heartbeatRequestsPerSecond() * minutes * 60;
        double share = scenario.get("heartbeat_log_share", deployment.heartbeatLogShare());
        log(FUNCTION_LINES, heartbeats * share * data.budgets().requestLineBytes(), "lambda_logs_gb", usages);
        double messages = sum(loads, load -> load.operation().start() == Start.QUEUE, Load::times);
        usages.add(new Usage(SQS, "messages", "sqs_requests", messages * REQUESTS_PER_MESSAGE));
        usages.add(new Usage(SQS, "polling", "sqs_requests", minutes * assumptions.queuePollsPerMinute()));
        usages.add(new Usage(SQS, "notifications", "sqs_requests", minutes));
        double probeMessages = probes(scenario) / AGENTS_PER_PROBE_MESSAGE;
        // Each run ends with a request that finds no message.
        double probeRuns = sum(loads, load -> load.operation().name().equals("probe_run"), Load::times);
        usages.add(new Usage(SQS, "probes", "sqs_requests", probeMessages * REQUESTS_PER_PROBE_MESSAGE + probeRuns));
        usages.add(new Usage(SCHEDULER, "sweep and measurement", "scheduler_invocations", 2 * minutes));
        usages.add(new Usage(SCHEDULER, "sources", "scheduler_invocations", minutes / MINUTES_PER_SOURCE_RUN));
        boolean idle = scenario.agents() == 0;
        usages.add(new Usage(
                METRICS,
                "metrics",
                "metrics",
                idle ? Math.min(data.budgets().idleMetrics(), deployment.metrics()) : deployment.metrics()));
        usages.add(new Usage(METRICS, "alarms", "alarms", deployment.alarms()));
        usages.add(new Usage(METRICS, "dashboard", "dashboards", deployment.dashboards()));
        traces(scenario, loads, usages);
        keys(scenario, usages);
        return usages;
    }

    private List<Load> loads(Scenario scenario) {
        List<Load> loads = new ArrayList<>();
        double days = scenario.agents() * minutes / 60 / 24;
        loads.add(heartbeats(scenario));
        sweeps(scenario, loads);
        double probes = probes(scenario);
        if (probes > 0) {
            loads.add(load(assumptions.operation("probe_run"), minutes));
            loads.add(load(assumptions.operation("probe"), probes));
            loads.add(
                    load(assumptions.operation("probe_state"), scenario.agents() * minutes / MINUTES_PER_PROBE_STATE));
        }
        double changes = 0;
        for (Operation operation : assumptions.operations()) {
            if (operation.rate().isEmpty()) {
                continue;
            }
            double times = days * scenario.activity().getOrDefault(operation.rate(), 0.0);
            changes += operation.measured() ? times : 0;
            if (operation.name().equals("outcomes") && scenario.get("outcomes_on_heartbeats") > 0) {
                loads.add(outcomesOnHeartbeats(times));
            } else {
                loads.add(load(operation, times));
            }
        }
        loads.add(load(assumptions.operation("measurement_run"), minutes));
        // The sweep of a minute ends by starting it.
        loads.add(load(assumptions.operation("notification_run"), minutes));
        loads.add(load(assumptions.operation("source_run"), minutes / MINUTES_PER_SOURCE_RUN));
        // An agent is measured at most once per minute.
        loads.add(load(assumptions.operation("measurement"), Math.min(changes, scenario.agents() * minutes)));
        loads.add(load(assumptions.operation("publication"), sum(loads, load -> true, l -> l.total(Measure.EVENTS))));
        return loads;
    }

    private double probes(Scenario scenario) {
        double interval = scenario.get("watch_interval_seconds");
        return interval == 0 ? 0 : scenario.agents() * minutes * 60 / interval;
    }

    private Load load(Operation operation, double times) {
        return new Load(
                operation,
                data.budgets().of(operation.name()),
                times,
                operation.start() == Start.PART ? 0 : times,
                operation.start() == Start.REQUEST ? times : 0,
                times * operation.ms() / 1_000);
    }

    /** Budget and duration of a batch lie on the line between those of 1 and of 100 heartbeats, which are measured. */
    private Load heartbeats(Scenario scenario) {
        Budget one = data.budgets().of("heartbeat");
        Budget more = data.budgets().of("heartbeats_of_100").plus(one, -1);
        double times = scenario.heartbeatRequestsPerSecond() * minutes * 60;
        double part = (scenario.get("heartbeats_per_request") - 1) / (BATCH - 1);
        double seconds = times * heartbeatMs(scenario) / 1_000;
        return new Load(assumptions.operation(HEARTBEAT), one.plus(more, part), times, times, times, seconds);
    }

    double heartbeatMs(Scenario scenario) {
        double one =
                scenario.get("heartbeat_ms", assumptions.operation("heartbeat").ms());
        double hundred = assumptions.operation("heartbeats_of_100").ms();
        return one + (hundred - one) * (scenario.get("heartbeats_per_request") - 1) / (BATCH - 1);
    }

    /** The function is billed while it waits for the minute's next sweep and for the shards of a large fleet. */
    private void sweeps(Scenario scenario, List<Load> loads) {
        Load each = load(assumptions.operation("sweep_pass"), minutes * scenario.get("sweeps_per_minute"));
        double waiting = minutes * 60 * (1 - 1 / scenario.get("sweeps_per_minute"));
        loads.add(new Load(each.operation(), each.budget(), each.times(), minutes, 0, each.seconds() + waiting));
        double shardSize = deployment.sweepFanOutAgents();
        double shards = scenario.agents() <= shardSize ? 0 : Math.ceil(scenario.agents() / shardSize);
        Load work = load(assumptions.operation("swept_thousand"), each.times() * scenario.agents() / 1_000);
        double joining = shards == 0
                ? 0
                : each.times() * shardSize / 1_000 * work.operation().ms() / 1_000;
        double seconds = work.seconds() + joining;
        loads.add(new Load(work.operation(), work.budget(), work.times(), each.times() * shards, 0, seconds));
    }

    private Load outcomesOnHeartbeats(double times) {
        Operation with = assumptions.operation("heartbeat_with_outcomes");
        Budget more = data.budgets().of(with.name()).plus(data.budgets().of("heartbeat"), -1);
        double ms = with.ms() - assumptions.operation("heartbeat").ms();
        return new Load(with, more, times, 0, 0, times * ms / 1_000);
    }

    private void requests(Load load, Scenario scenario, List<Usage> usages) {
        String purpose = load.operation().purpose();
        double bytes = load.total(Measure.RESPONSE_BYTES) + load.requests() * assumptions.responseBytes();
        double throughApi = load.requests() * (1 - throughUrl(load.operation(), scenario));
        usages.add(new Usage(API, purpose, "http_api_requests", throughApi));
        usages.add(new Usage(TRANSFER, purpose, "data_transfer_out_gb", bytes / GIGABYTE));
        double logged = scenario.get("access_log", deployment.accessLog() ? 1 : 0) * throughApi;
        log("access log of the API", logged * assumptions.accessLogBytes(), "logs_gb", usages);
    }

    /** The share of an operation's requests that come through the function URL, which is free besides the run, or to containers. */
    private static double throughUrl(Operation operation, Scenario scenario) {
        return operation.name().equals(HEARTBEAT)
                ? Math.max(scenario.get("function_url"), scenario.get("containers"))
                : 0;
    }

    private void runs(Load load, Scenario scenario, List<Usage> usages) {
        if (load.operation().name().equals(HEARTBEAT) && scenario.get("containers") > 0) {
            containers(load, scenario, usages);
            return;
        }
        String purpose = load.operation().purpose();
        String function = deployment.function(load.operation());
        double gigabytes = deployment.memoryMb(load.operation()) / 1_024.0;
        usages.add(new Usage(LAMBDA, purpose, "lambda_requests", load.runs()));
        if (load.operation().name().equals(HEARTBEAT) && scenario.get("managed_instances") > 0) {
            usages.add(new Usage(LAMBDA, "instances", "managed_vcpu_hours", processors(load, scenario)));
        } else {
            usages.add(new Usage(LAMBDA, purpose, "lambda_gb_seconds", load.seconds() * gigabytes));
        }
        log(FUNCTION_LINES, load.total(Measure.LOG_BYTES), "lambda_logs_gb", usages);
        double noted =
                scenario.get("lambda_lines", deployment.withLambdaLines().contains(function) ? 1 : 0) * load.runs();
        log("lines of Lambda itself", noted * assumptions.platformLogBytes(), "lambda_logs_gb", usages);
    }

    /** Each sender keeps a connection to the load balancer, as it sends more often than that closes idle ones. */
    private void containers(Load load, Scenario scenario, List<Usage> usages) {
        double processors = processors(load, scenario);
        usages.add(new Usage(CONTAINERS, "processors", "fargate_vcpu_hours", processors));
        double memory = processors * assumptions.containerGbPerVcpu();
        usages.add(new Usage(CONTAINERS, "memory", "fargate_gb_hours", memory));
        double units =
                scenario.agents() / scenario.get("heartbeats_per_request") / assumptions.balancerConnectionsPerUnit();
        usages.add(new Usage(CONTAINERS, "load balancer", "balancer_units", units * assumptions.hoursPerMonth()));
        log(FUNCTION_LINES, load.total(Measure.LOG_BYTES), "lambda_logs_gb", usages);
    }

    /** The hours of processors that serve many heartbeats at once. */
    private double processors(Load load, Scenario scenario) {
        double busy = load.times() * scenario.get("heartbeats_per_request") * assumptions.containerHeartbeatMs();
        return busy / 1_000 / 3_600 / assumptions.containerUtilisation();
    }

    /** Lambda records the first run of a function in each second, and a share of the others. */
    private void traces(Scenario scenario, List<Load> loads, List<Usage> usages) {
        Map<String, Double> runs = new TreeMap<>();
        loads.forEach(load -> runs.merge(deployment.function(load.operation()), load.runs(), Double::sum));
        runs.forEach((function, times) -> {
            double traced = scenario.get("tracing", deployment.traced().contains(function) ? 1 : 0);
            double first = Math.min(times, minutes * 60);
            double recorded = first + assumptions.tracedShare() * (times - first);
            usages.add(new Usage(TRACES, function, "xray_traces", traced * recorded));
        });
    }

    /** DynamoDB asks KMS for the key of a table once in some minutes for each role that uses the table. */
    private void keys(Scenario scenario, List<Usage> usages) {
        double tables = scenario.get("keyed_tables", deployment.keyedTables());
        double requests = tables * deployment.memoryMb().size() * minutes / assumptions.tableKeyMinutes();
        usages.add(new Usage(KEYS, "requests", "kms_requests", requests));
        usages.add(new Usage(KEYS, "keys", "kms_keys", scenario.get("keys", deployment.keys())));
    }

    private void log(String item, double bytes, String price, List<Usage> usages) {
        double gigabytes = bytes / GIGABYTE;
        usages.add(new Usage(LOGS, item, price, gigabytes));
        double kept = gigabytes * assumptions.storedLogRatio() * deployment.logDays() / daysPerMonth();
        usages.add(new Usage(LOGS, item, "logs_storage_gb", kept));
    }

    private void capacity(Load load, Scenario scenario, List<Usage> usages) {
        String pulses = "pulses table: " + load.operation().purpose();
        String registry = "registry table: " + load.operation().purpose();
        double utilisation = scenario.get("provisioned_utilisation");
        if (utilisation > 0) {
            // Units per second, provisioned for every hour of the month.
            double hours = 1 / (3_600 * utilisation);
            usages.add(new Usage(
                    DYNAMODB, pulses, "dynamodb_read_capacity_hours", load.total(Measure.PULSES_READ_UNITS) * hours));
            usages.add(new Usage(
                    DYNAMODB, pulses, "dynamodb_write_capacity_hours", load.total(Measure.PULSES_WRITE_UNITS) * hours));
        } else {
            usages.add(new Usage(DYNAMODB, pulses, "dynamodb_read_units", load.total(Measure.PULSES_READ_UNITS)));
            usages.add(new Usage(DYNAMODB, pulses, "dynamodb_write_units", load.total(Measure.PULSES_WRITE_UNITS)));
        }
        usages.add(new Usage(DYNAMODB, registry, "dynamodb_read_units", load.total(Measure.REGISTRY_READ_UNITS)));
        usages.add(new Usage(DYNAMODB, registry, "dynamodb_write_units", load.total(Measure.REGISTRY_WRITE_UNITS)));
    }

    private void storage(Scenario scenario, List<Load> loads, List<Usage> usages) {
        double bytes = scenario.agents() * data.budgets().of("registration").of(Measure.STORED_BYTES);
        for (Load load : loads) {
            double stored = Math.max(0, load.total(Measure.STORED_BYTES));
            bytes += stored / daysPerMonth() * load.operation().keptDays();
        }
        usages.add(new Usage(DYNAMODB, "storage", "dynamodb_storage_gb", bytes / GIGABYTE));
        usages.add(new Usage(DYNAMODB, "point-in-time recovery", "dynamodb_recovery_gb", bytes / GIGABYTE));
    }

    private void events(List<Load> loads, List<Usage> usages) {
        double bytes = data.budgets().of("publication").of(Measure.EVENT_BYTES);
        double events = sum(loads, load -> true, load -> load.total(Measure.EVENTS));
        usages.add(new Usage(EVENTBRIDGE, "events", "eventbridge_events", events));
        if (deployment.archiveDays() > 0) {
            double gigabytes = events * bytes / GIGABYTE;
            double kept = gigabytes * deployment.archiveDays() / daysPerMonth();
            usages.add(new Usage(EVENTBRIDGE, "archive", "eventbridge_archive_gb", gigabytes));
            usages.add(new Usage(EVENTBRIDGE, "archive", "eventbridge_archive_storage_gb", kept));
        }
        double changes = sum(
                loads, load -> LOGGED_CHANGES.contains(load.operation().name()), load -> load.total(Measure.EVENTS));
        log("events of the example rule", changes * bytes, "logs_gb", usages);
    }

    private double daysPerMonth() {
        return assumptions.hoursPerMonth() / 24;
    }

    private static double sum(List<Load> loads, Predicate<Load> filter, ToDoubleFunction<Load> amount) {
        return loads.stream().filter(filter).mapToDouble(amount).sum();
    }
}
