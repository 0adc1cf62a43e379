package dev.agenthealth.benchmarks.cost;

import java.util.List;
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
    record Lever(String words, UnaryOperator<Workload> workload, UnaryOperator<Deployment> deployment) {

        private static Lever ofUse(String words, UnaryOperator<Workload> workload) {
            return new Lever(words, workload, UnaryOperator.identity());
        }

        private static Lever ofStack(String words, UnaryOperator<Deployment> deployment) {
            return new Lever(words, UnaryOperator.identity(), deployment);
        }
    }

    static List<Lever> all() {
        return List.of(
                Lever.ofUse("10 heartbeats a request", w -> w.withAgentsPerRequest(10)),
                Lever.ofUse("100 heartbeats a request", w -> w.withAgentsPerRequest(100)),
                Lever.ofUse("a heartbeat every 10 s", w -> w.withInterval(10)),
                Lever.ofUse("a heartbeat every 60 s", w -> w.withInterval(60)),
                Lever.ofUse("a heartbeat every 5 min", w -> w.withInterval(300)),
                Lever.ofUse("outcomes ride on heartbeats", Workload::withRidingReports),
                Lever.ofUse("provisioned capacity, 70 % used", w -> w.withCapacity(new Capacity.Provisioned(0.7))),
                Lever.ofUse("provisioned capacity, 30 % used", w -> w.withCapacity(new Capacity.Provisioned(0.3))),
                Lever.ofUse("6 passes of the sweep a minute", w -> w.withSweepPasses(6)),
                Lever.ofUse("12 passes of the sweep a minute", w -> w.withSweepPasses(12)),
                Lever.ofUse("a log line for 1 % of the heartbeats", w -> w.withLoggedShare(0.01)),
                Lever.ofUse("a log line for every heartbeat", w -> w.withLoggedShare(1)),
                Lever.ofStack("no lines of Lambda itself about what went well", d -> d.withPlatformLogs(false)),
                Lever.ofStack("lines of Lambda itself about every run", d -> d.withPlatformLogs(true)),
                Lever.ofStack("no access log of the API", d -> d.withAccessLogs(false)),
                Lever.ofStack("an access log of the API", d -> d.withAccessLogs(true)),
                Lever.ofStack("no tracing", d -> d.withTracing(false)),
                Lever.ofStack("tracing of functions, 5 % of the runs", d -> d.withTracing(true)),
                new Lever(
                        "100 heartbeats a request, every 60 s, provisioned capacity 70 % used, no lines of Lambda itself",
                        w -> w.withAgentsPerRequest(100).withInterval(60).withCapacity(new Capacity.Provisioned(0.7)),
                        d -> d.withPlatformLogs(false)));
    }
}
