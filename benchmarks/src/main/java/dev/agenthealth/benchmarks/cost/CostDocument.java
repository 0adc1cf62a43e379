package dev.agenthealth.benchmarks.cost;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The cost sheet as Markdown. The same numbers give the same text. */
public final class CostDocument {

    private static final List<Long> FLEETS = List.of(1_000L, 100_000L, 1_000_000L);
    private static final long LARGEST = 1_000_000;
    private static final long MIDDLE = 100_000;

    /** What an account may do in us-east-1 unless its limits were raised. */
    private static final double API_REQUESTS_A_SECOND = 10_000;

    private static final double TABLE_WRITES_A_SECOND = 40_000;
    private static final double CONCURRENT_RUNS = 1_000;

    private final PriceList prices;
    private final Assumptions assumptions;
    private final Budgets budgets;
    private final Deployment deployment;
    private final CostModel model;

    public CostDocument(PriceList prices, Assumptions assumptions, Budgets budgets, Deployment deployment) {
        this.prices = prices;
        this.assumptions = assumptions;
        this.budgets = budgets;
        this.deployment = deployment;
        this.model = new CostModel(budgets, assumptions, deployment);
    }

    /** The whole document. */
    public String text() {
        return String.join(
                "\n",
                beginning(),
                fleets(),
                whatDominates(),
                levers(),
                durations(),
                quotas(),
                measured(),
                assumed(),
                unitPrices());
    }

    private Bill typical(long agents) {
        return model.bill(Workload.of(agents, Activity.TYPICAL), prices);
    }

    private String beginning() {
        return """
                # What it costs

                A month of %s hours in %s, in US dollars, at list prices of %s, without free tiers, discounts and taxes. The numbers come from
                `benchmarks/prices.json` (unit prices), `benchmarks/budgets.json` (what each deed takes, measured on the functions themselves),
                `benchmarks/assumptions.json` (what cannot be measured outside an account, above all how long functions run) and `template.yaml`.
                After a change of any of them:

                ```
                mvn verify -Dcost.write=true
                ```
                """
                .formatted(Numbers.plain(assumptions.hoursPerMonth()), prices.region(), prices.asOf());
    }

    private String fleets() {
        List<Bill> bills = FLEETS.stream().map(this::typical).toList();
        Bill idle = typical(0);
        MarkdownTable table = MarkdownTable.ofNumbers(List.of("", "nobody", "1,000 agents", "100,000", "1,000,000"));
        for (Component component : Component.values()) {
            table.row(amounts("**" + component.words() + "**", idle, bills, bill -> bill.of(component)));
            if (component == Component.DYNAMODB || component == Component.LOGS) {
                for (String item : items(bills.get(bills.size() - 1), component)) {
                    table.row(amounts("· " + item, idle, bills, bill -> bill.of(component, item)));
                }
            }
        }
        table.row(amounts("**total**", idle, bills, Bill::total));
        List<String> each = new ArrayList<>(List.of("an agent", ""));
        for (int i = 0; i < bills.size(); i++) {
            each.add(Numbers.fine(bills.get(i).total() / FLEETS.get(i)));
        }
        table.row(each);
        Activity activity = Activity.TYPICAL;
        return """
                ## Three fleets

                Every agent beats every 30 seconds in a request of its own. Capacity is on demand, and the sweep passes once a minute. Besides, each agent

                - reports 100 outcomes at a time, an hour: %s
                - restarts, a day: %s
                - is found silent, a day: %s
                - has its health document read, a day: %s
                - looks for others, a day: %s
                - takes a lease, renews it once and releases it, a day: %s
                - is invoked by somebody who waits, a day: %s
                - is invoked by somebody who does not, a day: %s

                %s
                With nobody there, what costs something is the watch itself: the runs of the schedule, looking for messages, %s metrics (if every
                one that there is occurs in a month), %s alarms and %s.
                """
                .formatted(
                        Numbers.plain(activity.reportsPerHour()),
                        Numbers.plain(activity.restartsPerDay()),
                        Numbers.plain(activity.silencesPerDay()),
                        Numbers.plain(activity.healthReadsPerDay()),
                        Numbers.plain(activity.discoveriesPerDay()),
                        Numbers.plain(activity.leasesPerDay()),
                        Numbers.plain(activity.invocationsPerDay()),
                        Numbers.plain(activity.asyncInvocationsPerDay()),
                        table.text(),
                        Numbers.whole(deployment.standing().metrics()),
                        Numbers.whole(deployment.standing().alarms()),
                        deployment.standing().dashboards() == 1
                                ? "a dashboard"
                                : Numbers.whole(deployment.standing().dashboards()) + " dashboards");
    }

    private static List<String> amounts(String title, Bill idle, List<Bill> bills, ToDoubleFunction<Bill> amount) {
        List<String> cells = new ArrayList<>(List.of(title, Numbers.usd(amount.applyAsDouble(idle))));
        bills.forEach(bill -> cells.add(Numbers.usd(amount.applyAsDouble(bill))));
        return cells;
    }

    private static Set<String> items(Bill bill, Component component) {
        Set<String> items = new LinkedHashSet<>();
        bill.lines().stream()
                .filter(line -> line.component() == component && line.usd() > 0)
                .sorted(Comparator.comparingDouble(Bill.Line::usd).reversed())
                .forEach(line -> items.add(line.item()));
        return items;
    }

    private String whatDominates() {
        Bill bill = typical(LARGEST);
        String beats = Purpose.HEARTBEATS.words();
        double api = bill.of(Component.API_GATEWAY, beats) + bill.of(Component.DATA_TRANSFER, beats);
        double lambda = bill.of(Component.LAMBDA, beats);
        double writes = bill.of(Component.DYNAMODB, CostModel.PULSES + ": " + beats);
        String looking = Purpose.SWEEP.words();
        double sweep =
                bill.of(Component.LAMBDA, looking) + bill.of(Component.DYNAMODB, CostModel.PULSES + ": " + looking);
        return """
                ## What dominates

                Heartbeats. Of what a million agents cost they are %s: API Gateway with transfer %s, Lambda %s, DynamoDB %s, which is one write unit each,
                the least that storing them can cost on demand. To look for the silent, by reading the whole fleet every minute, is %s of the bill.
                So what helps is fewer requests: more heartbeats in each, and longer intervals.
                """
                .formatted(
                        Numbers.share(api + lambda + writes, bill.total()),
                        Numbers.usd(api),
                        Numbers.usd(lambda),
                        Numbers.usd(writes),
                        Numbers.fineShare(sweep, bill.total()));
    }

    private String levers() {
        MarkdownTable table = MarkdownTable.ofNumbers(
                List.of("", "100,000 agents", "difference", "", "1,000,000 agents", "difference", ""));
        List<Double> usual = List.of(typical(MIDDLE).total(), typical(LARGEST).total());
        table.row(List.of("as above", Numbers.usd(usual.get(0)), "", "", Numbers.usd(usual.get(1)), "", ""));
        for (Levers.Lever lever : Levers.all()) {
            Deployment changed = lever.deployment().apply(deployment);
            Workload workload = lever.workload().apply(Workload.of(MIDDLE, Activity.TYPICAL));
            if (changed.equals(deployment) && workload.equals(Workload.of(MIDDLE, Activity.TYPICAL))) {
                continue;
            }
            List<String> cells = new ArrayList<>(List.of(lever.words()));
            for (int i = 0; i < usual.size(); i++) {
                Workload fleet = lever.workload().apply(Workload.of(i == 0 ? MIDDLE : LARGEST, Activity.TYPICAL));
                double total = new CostModel(budgets, assumptions, changed)
                        .bill(fleet, prices)
                        .total();
                cells.add(Numbers.usd(total));
                cells.add(Numbers.change(total - usual.get(i)));
                cells.add(Numbers.percent(usual.get(i), total));
            }
            table.row(cells);
        }
        return """
                ## Levers

                Each by itself, everything else as above.

                %s
                Between two passes the sweep's function waits, and waiting is paid for: that, and not what it reads, is what more passes cost a
                small fleet. Lambda writes two lines of its own about every run unless its `SystemLogLevel` is
                `WARN`, as it is for heartbeats and what else comes often.
                """
                .formatted(table.text());
    }

    private String durations() {
        MarkdownTable table = MarkdownTable.ofNumbers(
                List.of("a heartbeat takes", "1,000 agents", "100,000", "1,000,000", "Lambda's part at 1,000,000"));
        for (double ms : new double[] {5, 10, 20, 40}) {
            CostModel changed = new CostModel(budgets, assumptions.withHeartbeatMs(ms), deployment);
            List<String> cells = new ArrayList<>(List.of(Numbers.plain(ms) + " ms"));
            Bill largest = changed.bill(Workload.of(LARGEST, Activity.TYPICAL), prices);
            FLEETS.forEach(agents -> cells.add(Numbers.usd(
                    changed.bill(Workload.of(agents, Activity.TYPICAL), prices).total())));
            cells.add(Numbers.share(largest.of(Component.LAMBDA), largest.total()));
            table.row(cells);
        }
        return """
                ## If functions take longer

                How long a heartbeat takes of its function (%s MB) is assumed, not measured; the log of your account knows.

                %s"""
                .formatted(Numbers.whole(deployment.gigabytes("HeartbeatFunction") * 1_024), table.text());
    }

    private String quotas() {
        MarkdownTable table = MarkdownTable.ofNumbers(List.of(
                "interval, heartbeats a request",
                "requests a second of 1,000,000 agents",
                "agents at the API's 10,000 a second",
                "agents at a table's 40,000 writes a second",
                "agents at 1,000 runs at a time"));
        for (double interval : new double[] {10, 30, 60, 300}) {
            for (int each : new int[] {1, 10, 100}) {
                double requests = LARGEST / interval / each;
                double busy = assumptions.msOfHeartbeats(each) / 1_000;
                table.row(List.of(
                        Numbers.plain(interval) + " s, " + each,
                        Numbers.whole(requests),
                        Numbers.whole(API_REQUESTS_A_SECOND * interval * each),
                        Numbers.whole(TABLE_WRITES_A_SECOND * interval),
                        Numbers.whole(CONCURRENT_RUNS / busy * interval * each)));
            }
        }
        return """
                ## Where the quotas are

                An account's defaults in us-east-1, all of which can be raised. The smallest number of a row is the largest fleet. The template's own
                throttle (`HeartbeatThrottleRate`) lies below the API's, a new account may have no more than 10 runs at a time, and a new table begins
                with 4,000 writes a second.

                %s"""
                .formatted(table.text());
    }

    private String measured() {
        MarkdownTable table = MarkdownTable.ofNumbers(List.of(
                "",
                "read units, pulses",
                "write units, pulses",
                "read units, registry",
                "write units, registry",
                "bytes in",
                "bytes out",
                "bytes logged",
                "events"));
        for (Deed deed : Deed.values()) {
            Budget budget = budgets.of(deed);
            table.row(List.of(
                    deed.description(),
                    Numbers.plain(budget.pulsesReadUnits()),
                    Numbers.plain(budget.pulsesWriteUnits()),
                    Numbers.plain(budget.registryReadUnits()),
                    Numbers.plain(budget.registryWriteUnits()),
                    Numbers.whole(budget.requestBytes()),
                    Numbers.whole(budget.responseBytes()),
                    Numbers.whole(budget.logBytes()),
                    Numbers.plain(budget.events())));
        }
        return """
                ## What was measured

                Indexes included; functions that are warm and know the key. Items of transactions count twice, with their index entries, which is the
                most that DynamoDB may charge. An event has %s bytes; a line about a request in the log %s.

                %s"""
                .formatted(
                        Numbers.whole(budgets.of(Deed.PUBLICATION).eventBytes()),
                        Numbers.whole(budgets.requestLineBytes()),
                        table.text());
    }

    private String assumed() {
        MarkdownTable table = MarkdownTable.ofNumbers(List.of("", "function", "MB", "ms"));
        for (Deed deed : Deed.values()) {
            table.row(List.of(
                    deed.description(),
                    deed.function(),
                    Numbers.whole(deployment.gigabytes(deed.function()) * 1_024),
                    Numbers.plain(assumptions.ms(deed))));
        }
        return """
                ## What is assumed

                Invocations include 500 ms of the agent that is called. Lambda's own lines have %s bytes a run, the API adds %s bytes to an answer, logs are stored
                at %s %% of their size, and Lambda looks for messages %s times a minute. Nothing is retried, nothing starts cold, every
                event and every message is a run of its own. Not in it: what subscribers do with events, alarm mails, domain and certificate, support.

                %s"""
                .formatted(
                        Numbers.whole(assumptions.platformLogBytes()),
                        Numbers.whole(assumptions.responseBytes()),
                        Numbers.plain(assumptions.storedLogRatio() * 100),
                        Numbers.plain(assumptions.queuePollsPerMinute()),
                        table.text());
    }

    private String unitPrices() {
        MarkdownTable table = MarkdownTable.ofTexts(List.of("unit", "US dollars", "page", "found"));
        for (Price price : Price.values()) {
            Tariff tariff = prices.of(price);
            table.row(List.of(tariff.unit(), amounts(tariff), tariff.page(), tariff.found()));
        }
        StringBuilder free = new StringBuilder();
        prices.freeOfCharge().forEach(line -> free.append("- ").append(line).append(".\n"));
        return """
                ## Unit prices

                %s

                %s
                Free of charge:

                %s"""
                .formatted(prices.remark(), table.text(), free);
    }

    private static String amounts(Tariff tariff) {
        List<String> tiers = new ArrayList<>();
        for (Tariff.Tier tier : tariff.tiers()) {
            String amount = new BigDecimal(Double.toString(tier.usd())).toPlainString();
            tiers.add(
                    tier.upTo() == Double.POSITIVE_INFINITY ? amount : amount + " up to " + Numbers.whole(tier.upTo()));
        }
        return String.join(", then ", tiers) + (tariff.per() == 1 ? "" : " for " + Numbers.whole(tariff.per()));
    }
}
