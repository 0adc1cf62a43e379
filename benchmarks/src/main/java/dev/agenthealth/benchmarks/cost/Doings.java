package dev.agenthealth.benchmarks.cost;

import java.util.ArrayList;
import java.util.List;

/** How often a workload brings each deed in a month. */
final class Doings {

    private static final double HOURS_A_DAY = 24;
    private static final double MINUTES_AN_HOUR = 60;
    private static final double SECONDS_A_MINUTE = 60;

    private final Budgets budgets;
    private final Assumptions assumptions;
    private final Deployment deployment;

    Doings(Budgets budgets, Assumptions assumptions, Deployment deployment) {
        this.budgets = budgets;
        this.assumptions = assumptions;
        this.deployment = deployment;
    }

    List<Doing> of(Workload workload) {
        double days = workload.agents() * assumptions.hoursPerMonth() / HOURS_A_DAY;
        Activity activity = workload.activity();
        List<Doing> doings = new ArrayList<>();
        doings.add(heartbeats(workload));
        doings.addAll(sweep(workload));
        double restarts = days * activity.restartsPerDay();
        doings.add(requested(Deed.DEREGISTRATION, restarts));
        doings.add(requested(Deed.RETURN, restarts));
        double silences = days * activity.silencesPerDay();
        doings.add(within(Deed.SILENCE, silences));
        doings.add(requested(Deed.RECOVERY, silences));
        doings.addAll(reports(workload));
        doings.addAll(measurement(workload, days));
        doings.add(requested(Deed.HEALTH_READ, days * activity.healthReadsPerDay()));
        doings.add(requested(Deed.DISCOVERY, days * activity.discoveriesPerDay()));
        double leases = days * activity.leasesPerDay();
        doings.add(requested(Deed.LEASE_ACQUISITION, leases));
        doings.add(requested(Deed.LEASE_RENEWAL, leases));
        doings.add(requested(Deed.LEASE_RELEASE, leases));
        doings.add(requested(Deed.INVOCATION, days * activity.invocationsPerDay()));
        double async = days * activity.asyncInvocationsPerDay();
        doings.add(requested(Deed.ASYNC_INVOCATION, async));
        doings.add(run(Deed.ASYNC_DELIVERY, async));
        doings.add(
                run(Deed.PUBLICATION, doings.stream().mapToDouble(Doing::events).sum()));
        return doings;
    }

    private Doing heartbeats(Workload workload) {
        int each = workload.agentsPerRequest();
        double requests = workload.heartbeatRequestsPerSecond() * assumptions.secondsPerMonth();
        return Doing.requested(Deed.HEARTBEAT, requests, budgets.ofHeartbeats(each), assumptions.msOfHeartbeats(each));
    }

    /** The function is paid for while it waits for its next pass, and for the workers among whom it shared one out. */
    private List<Doing> sweep(Workload workload) {
        int passes = workload.sweepPassesPerMinute();
        double ticks = assumptions.hoursPerMonth() * MINUTES_AN_HOUR;
        double waiting = ticks * SECONDS_A_MINUTE * (passes - 1) / passes;
        double looking = ticks * passes * assumptions.ms(Deed.SWEEP_PASS) / 1_000;
        Doing idle =
                new Doing(Deed.SWEEP_PASS, ticks * passes, ticks, 0, budgets.of(Deed.SWEEP_PASS), waiting + looking);
        double thousands = ticks * passes * workload.agents() / 1_000.0;
        double work = thousands * assumptions.ms(Deed.SWEPT_THOUSAND) / 1_000;
        double portions = workload.agents() <= deployment.sweepFanOutAgents()
                ? 0
                : Math.ceil((double) workload.agents() / deployment.sweepFanOutAgents());
        // The worker with most to do has a full portion at most.
        double waitingForWorkers = portions == 0
                ? 0
                : ticks
                        * passes
                        * deployment.sweepFanOutAgents()
                        / 1_000.0
                        * assumptions.ms(Deed.SWEPT_THOUSAND)
                        / 1_000;
        Doing fleet = new Doing(
                Deed.SWEPT_THOUSAND,
                thousands,
                ticks * passes * portions,
                0,
                budgets.of(Deed.SWEPT_THOUSAND),
                work + waitingForWorkers);
        return List.of(idle, fleet);
    }

    private List<Doing> reports(Workload workload) {
        double reports = workload.agents() * workload.activity().reportsPerHour() * assumptions.hoursPerMonth();
        if (!workload.reportsRide()) {
            return List.of(requested(Deed.OUTCOMES, reports));
        }
        Budget more = budgets.of(Deed.HEARTBEAT_WITH_OUTCOMES).plus(budgets.of(Deed.HEARTBEAT), -1);
        double ms = assumptions.ms(Deed.HEARTBEAT_WITH_OUTCOMES) - assumptions.ms(Deed.HEARTBEAT);
        return List.of(Doing.within(Deed.HEARTBEAT_WITH_OUTCOMES, reports, more, ms));
    }

    /** An agent is measured after whatever changed, but once a minute at most. */
    private List<Doing> measurement(Workload workload, double days) {
        double ticks = assumptions.hoursPerMonth() * MINUTES_AN_HOUR;
        Activity activity = workload.activity();
        double changes = days
                * (activity.reportsPerHour() * HOURS_A_DAY
                        + 2 * activity.restartsPerDay()
                        + 2 * activity.silencesPerDay()
                        + activity.invocationsPerDay()
                        + activity.asyncInvocationsPerDay());
        return List.of(
                run(Deed.MEASUREMENT_RUN, ticks),
                within(Deed.MEASUREMENT, Math.min(changes, workload.agents() * ticks)));
    }

    private Doing requested(Deed deed, double times) {
        return Doing.requested(deed, times, budgets.of(deed), assumptions.ms(deed));
    }

    private Doing run(Deed deed, double times) {
        return Doing.run(deed, times, budgets.of(deed), assumptions.ms(deed));
    }

    private Doing within(Deed deed, double times) {
        return Doing.within(deed, times, budgets.of(deed), assumptions.ms(deed));
    }
}
