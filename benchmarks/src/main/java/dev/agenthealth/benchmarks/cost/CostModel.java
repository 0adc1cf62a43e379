package dev.agenthealth.benchmarks.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** From a workload to its bill. Holds nothing but numbers; the same questions have the same answers. */
public final class CostModel {

    static final String PULSES = "pulses table";
    static final String REGISTRY = "registry table";

    private static final double GIGABYTE = 1L << 30;
    private static final int HTTP_REQUEST_BYTES = 512 * 1_024;
    private static final int EVENT_BYTES = 64 * 1_024;

    /** A message is sent, received and deleted. */
    private static final int REQUESTS_A_MESSAGE = 3;

    /** Their events go to the log group of the template's example rule. */
    private static final Set<Deed> LIFECYCLE_CHANGES =
            Set.of(Deed.DEREGISTRATION, Deed.RETURN, Deed.SILENCE, Deed.RECOVERY);

    private final Budgets budgets;
    private final Assumptions assumptions;
    private final Deployment deployment;

    public CostModel(Budgets budgets, Assumptions assumptions, Deployment deployment) {
        this.budgets = budgets;
        this.assumptions = assumptions;
        this.deployment = deployment;
    }

    /** What a workload costs at these prices. */
    public Bill bill(Workload workload, PriceList prices) {
        return Bill.of(usage(workload), prices);
    }

    /** All that a workload uses in a month. */
    public List<Usage> usage(Workload workload) {
        List<Doing> doings = new Doings(budgets, assumptions, deployment).of(workload);
        List<Usage> usages = new ArrayList<>();
        for (Doing doing : doings) {
            api(doing, usages);
            function(doing, usages);
            capacity(doing, workload.capacity(), usages);
            logs(doing, usages);
        }
        storage(workload, doings, usages);
        events(doings, usages);
        queue(doings, usages);
        logged(workload, usages);
        standing(usages);
        return usages;
    }

    private void api(Doing doing, List<Usage> usages) {
        Budget budget = doing.budget();
        double portions =
                Math.ceil(Math.max(1, Math.max(budget.requestBytes(), budget.responseBytes())) / HTTP_REQUEST_BYTES);
        String purpose = doing.deed().purpose().words();
        usages.add(new Usage(Component.API_GATEWAY, purpose, Price.HTTP_API_REQUESTS, doing.requests() * portions));
        double bytes = doing.times() * budget.responseBytes() + doing.requests() * assumptions.responseBytes();
        usages.add(new Usage(Component.DATA_TRANSFER, purpose, Price.DATA_TRANSFER_OUT_GB, bytes / GIGABYTE));
    }

    private void function(Doing doing, List<Usage> usages) {
        String purpose = doing.deed().purpose().words();
        usages.add(new Usage(Component.LAMBDA, purpose, Price.LAMBDA_REQUESTS, doing.runs()));
        double gigabytes = deployment.gigabytes(doing.deed().function());
        usages.add(new Usage(Component.LAMBDA, purpose, Price.LAMBDA_GB_SECONDS, doing.seconds() * gigabytes));
        double traces =
                deployment.traced().contains(doing.deed().function()) ? doing.runs() * assumptions.tracedShare() : 0;
        usages.add(new Usage(Component.TRACES, purpose, Price.XRAY_TRACES, traces));
    }

    private void capacity(Doing doing, Capacity capacity, List<Usage> usages) {
        Budget budget = doing.budget();
        String purpose = doing.deed().purpose().words();
        capacity(PULSES, purpose, doing.times() * budget.pulsesReadUnits(), false, capacity, usages);
        capacity(PULSES, purpose, doing.times() * budget.pulsesWriteUnits(), true, capacity, usages);
        capacity(REGISTRY, purpose, doing.times() * budget.registryReadUnits(), false, capacity, usages);
        capacity(REGISTRY, purpose, doing.times() * budget.registryWriteUnits(), true, capacity, usages);
    }

    private void capacity(
            String table, String purpose, double units, boolean write, Capacity capacity, List<Usage> usages) {
        String item = table + ": " + purpose;
        if (table.equals(PULSES) && capacity instanceof Capacity.Provisioned provisioned) {
            double hours =
                    units / assumptions.secondsPerMonth() / provisioned.utilisation() * assumptions.hoursPerMonth();
            Price price = write ? Price.DYNAMODB_WRITE_CAPACITY_HOURS : Price.DYNAMODB_READ_CAPACITY_HOURS;
            usages.add(new Usage(Component.DYNAMODB, item, price, hours));
        } else {
            Price price = write ? Price.DYNAMODB_WRITE_UNITS : Price.DYNAMODB_READ_UNITS;
            usages.add(new Usage(Component.DYNAMODB, item, price, units));
        }
    }

    private void logs(Doing doing, List<Usage> usages) {
        lambdaLog("lines of the functions", doing.times() * doing.budget().logBytes(), usages);
        if (deployment.noted().contains(doing.deed().function())) {
            lambdaLog("lines of Lambda itself", doing.runs() * assumptions.platformLogBytes(), usages);
        }
        if (deployment.logs().ofAccess()) {
            log("access log of the API", doing.requests() * assumptions.accessLogBytes(), Price.LOGS_GB, usages);
        }
    }

    private void logged(Workload workload, List<Usage> usages) {
        double requests = workload.heartbeatRequestsPerSecond() * assumptions.secondsPerMonth();
        lambdaLog("lines of the functions", requests * deployment.logs().share() * budgets.requestLineBytes(), usages);
    }

    private void lambdaLog(String item, double bytes, List<Usage> usages) {
        log(item, bytes, Price.LAMBDA_LOGS_GB, usages);
    }

    private void log(String item, double bytes, Price price, List<Usage> usages) {
        double gigabytes = bytes / GIGABYTE;
        usages.add(new Usage(Component.LOGS, item, price, gigabytes));
        double kept =
                gigabytes * assumptions.storedLogRatio() * deployment.logs().days() / daysAMonth();
        usages.add(new Usage(Component.LOGS, item, Price.LOGS_STORAGE_GB, kept));
    }

    private void storage(Workload workload, List<Doing> doings, List<Usage> usages) {
        double bytes = workload.agents() * budgets.of(Deed.REGISTRATION).storedBytes();
        double days = daysAMonth();
        for (Doing doing : doings) {
            double kept = assumptions.keptDays().getOrDefault(doing.deed(), 0.0);
            bytes += doing.times() / days * kept * Math.max(0, doing.budget().storedBytes());
        }
        usages.add(new Usage(Component.DYNAMODB, "storage", Price.DYNAMODB_STORAGE_GB, bytes / GIGABYTE));
        usages.add(
                new Usage(Component.DYNAMODB, "point-in-time recovery", Price.DYNAMODB_RECOVERY_GB, bytes / GIGABYTE));
    }

    private void events(List<Doing> doings, List<Usage> usages) {
        Budget each = budgets.of(Deed.PUBLICATION);
        double events = doings.stream().mapToDouble(Doing::events).sum();
        double portions = Math.ceil(Math.max(1, each.eventBytes()) / EVENT_BYTES);
        usages.add(new Usage(Component.EVENTBRIDGE, "events", Price.EVENTBRIDGE_EVENTS, events * portions));
        if (deployment.standing().archiveDays() > 0) {
            double gigabytes = events * each.eventBytes() / GIGABYTE;
            double kept = gigabytes * deployment.standing().archiveDays() / daysAMonth();
            usages.add(new Usage(Component.EVENTBRIDGE, "archive", Price.EVENTBRIDGE_ARCHIVE_GB, gigabytes));
            usages.add(new Usage(Component.EVENTBRIDGE, "archive", Price.EVENTBRIDGE_ARCHIVE_STORAGE_GB, kept));
        }
        double changes = doings.stream()
                .filter(doing -> LIFECYCLE_CHANGES.contains(doing.deed()))
                .mapToDouble(Doing::events)
                .sum();
        log("events of the example rule", changes * each.eventBytes(), Price.LOGS_GB, usages);
    }

    private void queue(List<Doing> doings, List<Usage> usages) {
        double messages = doings.stream()
                .filter(doing -> doing.deed() == Deed.ASYNC_DELIVERY)
                .mapToDouble(Doing::times)
                .sum();
        usages.add(new Usage(Component.SQS, "messages", Price.SQS_REQUESTS, messages * REQUESTS_A_MESSAGE));
        double polls = assumptions.hoursPerMonth() * 60 * assumptions.queuePollsPerMinute();
        usages.add(new Usage(Component.SQS, "looking for messages", Price.SQS_REQUESTS, polls));
    }

    private double daysAMonth() {
        return assumptions.hoursPerMonth() / 24;
    }

    /** What is there whether or not there are agents. */
    private void standing(List<Usage> usages) {
        double ticks = 2 * assumptions.hoursPerMonth() * 60;
        usages.add(new Usage(Component.SCHEDULER, "sweep and measurement", Price.SCHEDULER_INVOCATIONS, ticks));
        usages.add(new Usage(
                Component.METRICS,
                "metrics",
                Price.METRICS,
                deployment.standing().metrics()));
        usages.add(new Usage(
                Component.METRICS, "alarms", Price.ALARMS, deployment.standing().alarms()));
        usages.add(new Usage(
                Component.METRICS,
                "dashboard",
                Price.DASHBOARDS,
                deployment.standing().dashboards()));
    }
}
