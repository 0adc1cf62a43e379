package dev.agenthealth.benchmarks.cost;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What an operator can change, each change by itself. */
final class Levers {

    private Levers() {}

    /**
     * One change of a stack and its use.
     *
     * @param words what is changed
     * @param workload from the usual workload to the changed one
     * @param deployment from the template's deployment to the changed one
     */
    record Lever(String words, UnaryOperator<Workload> workload, UnaryOperator<Deployment> deployment) {}

    static List<Lever> all() {
        return List.of(
                used("10 heartbeats a request", w -> w.withAgentsPerRequest(10)),
                used("100 heartbeats a request", w -> w.withAgentsPerRequest(100)),
                used("a heartbeat every 10 s", w -> w.withInterval(10)),
                used("a heartbeat every 60 s", w -> w.withInterval(60)),
                used("a heartbeat every 5 min", w -> w.withInterval(300)),
                used("outcomes ride on heartbeats", Workload::withRidingReports),
                used("pulses table provisioned, 70 % used", w -> w.withCapacity(new Capacity.Provisioned(0.7))),
                used("pulses table provisioned, 30 % used", w -> w.withCapacity(new Capacity.Provisioned(0.3))),
                used("6 passes of the sweep a minute", w -> w.withSweepPasses(6)),
                used("12 passes of the sweep a minute", w -> w.withSweepPasses(12)),
                logged("a log line for no heartbeat that goes well", l -> l.withShare(0)),
                logged("a log line for 1 % of the heartbeats", l -> l.withShare(0.01)),
                logged("a log line for every heartbeat", l -> l.withShare(1)),
                deployed("no lines of Lambda itself about runs", d -> d.withNoted(Set.of())),
                deployed(
                        "lines of Lambda itself about every run, heartbeats too",
                        d -> d.withNoted(d.memoryMb().keySet())),
                logged("no access log of the API", l -> l.withAccess(false)),
                logged("an access log of the API", l -> l.withAccess(true)),
                deployed("no function traced", d -> d.withTraced(Set.of())),
                deployed(
                        "every function traced, heartbeats too, 5 % of the runs",
                        d -> d.withTraced(d.memoryMb().keySet())),
                new Lever(
                        "100 heartbeats a request, every 60 s, pulses table provisioned and 70 % used, no logs but the functions'",
                        w -> w.withAgentsPerRequest(100).withInterval(60).withCapacity(new Capacity.Provisioned(0.7)),
                        d -> d.withLogs(d.logs().withAccess(false)).withNoted(Set.of())));
    }

    private static Lever used(String words, UnaryOperator<Workload> workload) {
        return new Lever(words, workload, UnaryOperator.identity());
    }

    private static Lever deployed(String words, UnaryOperator<Deployment> deployment) {
        return new Lever(words, UnaryOperator.identity(), deployment);
    }

    private static Lever logged(String words, UnaryOperator<Deployment.Logs> logs) {
        return deployed(words, d -> d.withLogs(logs.apply(d.logs())));
    }
}
