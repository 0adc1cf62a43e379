package dev.agenthealth.benchmarks.cost;

import dev.agenthealth.benchmarks.cost.CostData.Assumptions;
import dev.agenthealth.benchmarks.cost.CostData.Lever;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Fills the figures and tables into the template of {@code docs/cost.md}. The same figures give the same text. */
public final class CostDocument {

    private static final List<Long> FLEETS = List.of(0L, 1_000L, 100_000L, 1_000_000L);
    private static final List<Long> WATCHED = List.of(1_000L, 10_000L, 100_000L);
    private static final double WATCH_SECONDS = 60;
    private static final long MIDDLE = 100_000;
    private static final long LARGEST = 1_000_000;
    private static final Pattern FIGURE = Pattern.compile("\\{(\\w+)}");

    /** Default quotas of an account in us-east-1. */
    private static final double API_REQUESTS_PER_SECOND = 10_000;

    private static final double TABLE_WRITES_PER_SECOND = 40_000;
    private static final double CONCURRENT_RUNS = 1_000;
    private static final double CONCURRENT_RUNS_OF_A_NEW_ACCOUNT = 10;

    /** Lambda refuses further requests within a second, however short they are. */
    private static final double REQUESTS_PER_SECOND_AND_CONCURRENT_RUN = 10;

    private final CostData data;
    private final Deployment deployment;
    private final CostModel model;
    private final Map<String, Deployment> environments;

    /** @param environments the deployments of {@code samconfig.toml}, by what the document calls them */
    public CostDocument(CostData data, Deployment deployment, Map<String, Deployment> environments) {
        this.data = data;
        this.deployment = deployment;
        this.environments = environments;
        this.model = new CostModel(data, deployment);
    }

    /** Replaces every {@code {name}} of the template; an unknown name is an error. */
    public String render(String template) {
        Map<String, String> figures = figures();
        return FIGURE.matcher(template).replaceAll(match -> {
            String figure = figures.get(match.group(1));
            if (figure == null) {
                throw new IllegalArgumentException("no figure " + match.group());
            }
            return Matcher.quoteReplacement(figure);
        });
    }

    private Map<String, String> figures() {
        Assumptions assumptions = data.assumptions();
        Bill largest = bill(LARGEST);
        double api = largest.of(CostModel.API, "heartbeats") + largest.of(CostModel.TRANSFER, "heartbeats");
        double lambda = largest.of(CostModel.LAMBDA, "heartbeats");
        double writes = largest.of(CostModel.DYNAMODB, "pulses table: heartbeats");
        double sweep = largest.of(CostModel.LAMBDA, "sweep") + largest.of(CostModel.DYNAMODB, "pulses table: sweep");
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("hours", plain(assumptions.hoursPerMonth()));
        figures.put("region", data.prices().region());
        figures.put("as_of", data.prices().asOf());
        assumptions.activityPerDay().forEach((name, rate) -> figures.put(name, plain(rate)));
        figures.put("fleets", fleets());
        figures.put("metrics", whole(deployment.metrics()));
        figures.put("idle_metrics", whole(data.budgets().idleMetrics()));
        figures.put("idle", idle());
        figures.put("waiting", waiting());
        figures.put("alarms", whole(deployment.alarms()));
        figures.put("dashboards", whole(deployment.dashboards()));
        figures.put("heartbeats_share", format("%.0f %%", (api + lambda + writes) / largest.total() * 100));
        figures.put("heartbeats_api", usd(api));
        figures.put("heartbeats_lambda", usd(lambda));
        figures.put("heartbeats_dynamodb", usd(writes));
        figures.put("besides_heartbeats", usd(largest.total() - api - lambda - writes));
        figures.put("sweep_share", format("%.2f %%", sweep / largest.total() * 100));
        figures.put("levers", levers());
        figures.put("heartbeats", heartbeats());
        figures.put("container_ms", plain(assumptions.containerHeartbeatMs()));
        figures.put("container_rate", whole(1_000 / assumptions.containerHeartbeatMs()));
        figures.put("container_utilisation", whole(assumptions.containerUtilisation() * 100));
        figures.put("watched", watched());
        figures.put("probe_ms", plain(assumptions.operation("probe").ms()));
        figures.put("heartbeat_mb", whole(deployment.memoryMb(assumptions.operation("heartbeat"))));
        figures.put("durations", durations());
        figures.put("quotas", quotas());
        figures.put("event_bytes", whole(data.budgets().of("publication").of(Measure.EVENT_BYTES)));
        figures.put("line_bytes", whole(data.budgets().requestLineBytes()));
        figures.put("operations", operations());
        figures.put("platform_log_bytes", whole(assumptions.platformLogBytes()));
        figures.put("response_bytes", whole(assumptions.responseBytes()));
        figures.put("stored_log_percent", plain(assumptions.storedLogRatio() * 100));
        figures.put("table_key_minutes", plain(assumptions.tableKeyMinutes()));
        figures.put("polls", plain(assumptions.queuePollsPerMinute()));
        figures.put("functions", functions());
        figures.put("price_remark", data.prices().remark());
        figures.put("prices", prices());
        figures.put(
                "free",
                data.prices().freeOfCharge().stream()
                        .map(line -> "- " + line + ".")
                        .collect(Collectors.joining("\n")));
        return figures;
    }

    private Scenario scenario(long agents) {
        return new Scenario(
                agents, data.assumptions().activityPerDay(), data.assumptions().settings());
    }

    private Bill bill(long agents) {
        return model.bill(scenario(agents));
    }

    private String fleets() {
        List<Bill> bills = FLEETS.stream().map(this::bill).toList();
        Table table = new Table("", "no agents", "1,000 agents", "100,000", "1,000,000");
        for (String service : CostModel.SERVICES) {
            if (bills.get(bills.size() - 1).of(service) == 0) {
                continue;
            }
            table.row("**" + service + "**", amounts(bills, bill -> bill.of(service)));
            if (service.equals(CostModel.DYNAMODB) || service.equals(CostModel.LOGS)) {
                Bill largest = bills.get(bills.size() - 1);
                largest.lines().stream()
                        .filter(line -> line.service().equals(service))
                        .map(Bill.Line::item)
                        .distinct()
                        .filter(item -> largest.of(service, item) > 0)
                        .sorted((a, b) -> Double.compare(largest.of(service, b), largest.of(service, a)))
                        .forEach(item -> table.row("· " + item, amounts(bills, bill -> bill.of(service, item))));
            }
        }
        table.row("**total**", amounts(bills, Bill::total));
        table.row(
                "per agent",
                Stream.iterate(0, i -> i < bills.size(), i -> i + 1)
                        .map(i -> i == 0 ? "" : format("%.4f", bills.get(i).total() / FLEETS.get(i)))
                        .toList());
        return table.toString();
    }

    private static List<String> amounts(List<Bill> bills, ToDoubleFunction<Bill> amount) {
        return bills.stream().map(bill -> usd(amount.applyAsDouble(bill))).toList();
    }

    private String levers() {
        Table table = new Table("", "100,000 agents", "difference", "", "1,000,000 agents", "difference", "");
        table.row(
                "as above",
                List.of(usd(bill(MIDDLE).total()), "", "", usd(bill(LARGEST).total()), "", ""));
        for (Lever lever : data.assumptions().levers()) {
            List<String> cells = new ArrayList<>();
            for (long agents : List.of(MIDDLE, LARGEST)) {
                double usual = bill(agents).total();
                double changed =
                        model.bill(scenario(agents).with(lever.settings())).total();
                String sign = changed < usual ? "−" : "+";
                cells.add(usd(changed));
                cells.add(sign + usd(Math.abs(changed - usual)));
                cells.add(sign + format("%.1f %%", Math.abs(changed - usual) / usual * 100));
            }
            table.row(lever.change(), cells);
        }
        return table.toString();
    }

    /** A million agents' stack by how heartbeats are sent and the table is paid for. */
    private String heartbeats() {
        Table table = new Table(
                "a million agents",
                "on demand",
                "and function URL",
                "provisioned, 70 % used",
                "and function URL",
                "and an interval of 45 s",
                "and of 60 s",
                "provisioned, function URL, and managed instances",
                "provisioned, and containers",
                "and an interval of 45 s");
        for (double each : List.of(1.0, 10.0, 100.0)) {
            table.row(
                    each == 1 ? "one by one" : "batches of " + whole(each),
                    Stream.of(
                                    Map.<String, Double>of(),
                                    Map.of("function_url", 1.0),
                                    Map.of("provisioned_utilisation", 0.7),
                                    Map.of("provisioned_utilisation", 0.7, "function_url", 1.0),
                                    Map.of(
                                            "provisioned_utilisation",
                                            0.7,
                                            "function_url",
                                            1.0,
                                            "interval_seconds",
                                            45.0),
                                    Map.of(
                                            "provisioned_utilisation",
                                            0.7,
                                            "function_url",
                                            1.0,
                                            "interval_seconds",
                                            60.0),
                                    Map.of(
                                            "provisioned_utilisation",
                                            0.7,
                                            "function_url",
                                            1.0,
                                            "managed_instances",
                                            1.0),
                                    Map.of("provisioned_utilisation", 0.7, "containers", 1.0),
                                    Map.of("provisioned_utilisation", 0.7, "containers", 1.0, "interval_seconds", 45.0))
                            .map(settings -> usd(model.bill(scenario(LARGEST)
                                            .with(settings)
                                            .with(Map.of("heartbeats_per_request", each)))
                                    .total()))
                            .toList());
        }
        return table.toString();
    }

    /** The costs of watched agents, beside the same ones that send heartbeats, and that are pinged for. */
    private String watched() {
        List<Bill> silent = bills(Map.of(), Map.of());
        List<Bill> probed = bills(Map.of(), Map.of("watch_interval_seconds", WATCH_SECONDS));
        List<Bill> sending = bills(Map.of(), Map.of("interval_seconds", WATCH_SECONDS));
        List<Bill> pinged = bills(Map.of("pinged_runs", 24.0), Map.of());
        Bill none = model.bill(new Scenario(0, Map.of(), data.assumptions().settings()));
        Table table = new Table("", "1,000 agents", "10,000", "100,000");
        table.row("finding the probes that are due, in the sweep", amounts(silent, bill -> sweep(bill) - sweep(none)));
        for (String service : List.of(CostModel.LAMBDA, CostModel.DYNAMODB, CostModel.SQS, CostModel.LOGS)) {
            table.row("probes: " + service, differences(probed, silent, bill -> bill.of(service)));
        }
        table.row("**a probe every minute**", differences(probed, silent, Bill::total));
        table.row("**a heartbeat every minute instead**", differences(sending, silent, Bill::total));
        table.row("**two pings an hour instead**", differences(pinged, silent, Bill::total));
        return table.toString();
    }

    private static double sweep(Bill bill) {
        return bill.of(CostModel.LAMBDA, "sweep") + bill.of(CostModel.DYNAMODB, "pulses table: sweep");
    }

    /** The bills of agents that send no heartbeats unless the settings say so. */
    private List<Bill> bills(Map<String, Double> activity, Map<String, Double> settings) {
        return WATCHED.stream()
                .map(agents -> new Scenario(agents, activity, data.assumptions().settings())
                        .with(Map.of("interval_seconds", Double.POSITIVE_INFINITY))
                        .with(settings))
                .map(model::bill)
                .toList();
    }

    private static List<String> differences(List<Bill> more, List<Bill> less, ToDoubleFunction<Bill> amount) {
        return Stream.iterate(0, i -> i < more.size(), i -> i + 1)
                .map(i -> usd(amount.applyAsDouble(more.get(i)) - amount.applyAsDouble(less.get(i))))
                .toList();
    }

    private String durations() {
        Table table = new Table(
                "duration of a heartbeat", "1,000 agents", "100,000", "1,000,000", "Lambda's share at 1,000,000");
        for (double ms : List.of(5.0, 10.0, 20.0, 40.0)) {
            List<Bill> bills = FLEETS.stream()
                    .skip(1)
                    .map(agents -> model.bill(scenario(agents).with(Map.of("heartbeat_ms", ms))))
                    .toList();
            Bill largest = bills.get(bills.size() - 1);
            List<String> cells = new ArrayList<>(amounts(bills, Bill::total));
            cells.add(format("%.0f %%", largest.of(CostModel.LAMBDA) / largest.total() * 100));
            table.row(plain(ms) + " ms", cells);
        }
        return table.toString();
    }

    private String quotas() {
        Table table = new Table(
                "interval, heartbeats per request",
                "requests per second of 1,000,000 agents",
                "agents at the API's 10,000 per second",
                "agents at a table's 40,000 writes per second",
                "agents at 1,000 concurrent runs",
                "agents in a new account, at 10");
        for (double interval : List.of(10.0, 30.0, 60.0, 300.0)) {
            for (double each : List.of(1.0, 10.0, 100.0)) {
                Scenario fleet =
                        scenario(LARGEST).with(Map.of("interval_seconds", interval, "heartbeats_per_request", each));
                double seconds = model.heartbeatMs(fleet) / 1_000;
                table.row(
                        plain(interval) + " s, " + plain(each),
                        List.of(
                                whole(fleet.heartbeatRequestsPerSecond()),
                                whole(API_REQUESTS_PER_SECOND * interval * each),
                                whole(TABLE_WRITES_PER_SECOND * interval),
                                whole(requestsPerSecond(CONCURRENT_RUNS, seconds) * interval * each),
                                whole(requestsPerSecond(CONCURRENT_RUNS_OF_A_NEW_ACCOUNT, seconds) * interval * each)));
            }
        }
        return table.toString();
    }

    private static double requestsPerSecond(double concurrentRuns, double seconds) {
        return concurrentRuns * Math.min(1 / seconds, REQUESTS_PER_SECOND_AND_CONCURRENT_RUN);
    }

    /** The stacks of {@code samconfig.toml} without agents. */
    private String idle() {
        List<Bill> bills = environments.values().stream()
                .map(environment -> idleBill(environment, environment.sweepsPerMinute()))
                .toList();
        Table table = new Table(
                Stream.concat(Stream.of(""), environments.keySet().stream()).toArray(String[]::new));
        for (String service : CostModel.SERVICES) {
            table.row("**" + service + "**", amounts(bills, bill -> bill.of(service)));
            bills.stream()
                    .flatMap(bill -> bill.lines().stream())
                    .filter(line -> line.service().equals(service) && service.equals(CostModel.METRICS))
                    .map(Bill.Line::item)
                    .distinct()
                    .forEach(item -> table.row("· " + item, amounts(bills, bill -> bill.of(service, item))));
        }
        table.row("**total**", amounts(bills, Bill::total));
        return table.toString();
    }

    private String waiting() {
        Table table = new Table("sweeps per minute", "1", "2", "6", "12");
        table.row(
                "Lambda, dollars a month",
                Stream.of(1, 2, 6, 12)
                        .map(sweeps -> usd(idleBill(deployment, sweeps).of(CostModel.LAMBDA)))
                        .toList());
        return table.toString();
    }

    private Bill idleBill(Deployment environment, int sweepsPerMinute) {
        return new CostModel(data, environment)
                .bill(scenario(0).with(Map.of("sweeps_per_minute", (double) sweepsPerMinute)));
    }

    private String operations() {
        List<Measure> shown = Stream.of(Measure.values())
                .filter(measure -> measure != Measure.STORED_BYTES && measure != Measure.EVENT_BYTES)
                .toList();
        Table table = new Table(
                Stream.concat(Stream.of(""), shown.stream().map(Measure::title)).toArray(String[]::new));
        for (Operation operation : data.assumptions().operations()) {
            Budget budget = data.budgets().of(operation.name());
            table.row(
                    operation.description(),
                    shown.stream().map(measure -> plain(budget.of(measure))).toList());
        }
        return table.toString();
    }

    private String functions() {
        Table table = new Table("", "function", "MB", "ms");
        for (Operation operation : data.assumptions().operations()) {
            String memory = whole(deployment.memoryMb(operation));
            table.row(operation.description(), List.of(deployment.function(operation), memory, plain(operation.ms())));
        }
        return table.toString();
    }

    private String prices() {
        Table table = new Table("unit", "US dollars", "page", "found");
        for (Tariff tariff : data.prices().prices().values()) {
            String tiers = tariff.tiers().stream()
                    .map(tier -> new BigDecimal(Double.toString(tier.usd())).toPlainString()
                            + (tier.upTo() == Double.POSITIVE_INFINITY ? "" : " up to " + whole(tier.upTo())))
                    .collect(Collectors.joining(", then "));
            String per = tariff.per() == 1 ? "" : " for " + whole(tariff.per());
            table.row(tariff.unit(), List.of(tiers + per, tariff.page(), tariff.found()));
        }
        return table.toString();
    }

    /** Dollars: with cents below 100. */
    private static String usd(double amount) {
        return format(Math.abs(amount) < 100 ? "%.2f" : "%,.0f", amount);
    }

    /** With up to three decimals. */
    private static String plain(double number) {
        return format("%,.3f", number).replaceFirst("\\.?0+$", "");
    }

    private static String whole(double number) {
        return format("%,.0f", number);
    }

    private static String format(String pattern, double number) {
        return String.format(Locale.ROOT, pattern, number);
    }

    /** A Markdown table. */
    private static final class Table {

        private final List<String> lines = new ArrayList<>();

        Table(String... titles) {
            row(titles[0], List.of(titles).subList(1, titles.length));
            row("---", Collections.nCopies(titles.length - 1, "---:"));
        }

        void row(String first, List<String> others) {
            lines.add("| " + first + " | " + String.join(" | ", others) + " |");
        }

        @Override
        public String toString() {
            return String.join("\n", lines);
        }
    }
}
