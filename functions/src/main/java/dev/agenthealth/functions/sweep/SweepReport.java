package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.observation.Metrics;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import java.util.LinkedHashMap;
import java.util.Map;

/** How a pass is told: one log line, and its metrics in as few lines as there are statuses. */
final class SweepReport {

    private final Log log;

    SweepReport(Log log) {
        this.log = log;
    }

    /** The numbers of a pass by name. */
    static Map<String, Object> numbers(SweepPass.Outcome outcome, long durationMillis) {
        FleetCount count = outcome.reading().count();
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("monitored", count.monitored());
        numbers.put("active", count.get(FleetCounter.ACTIVE));
        numbers.put("draining", count.get(FleetCounter.DRAINING));
        numbers.put("unhealthy_now", count.get(FleetCounter.UNHEALTHY));
        numbers.put("silent", count.get(FleetCounter.SILENT));
        numbers.put("may_change_status", outcome.orders().mayChangeStatus());
        numbers.putAll(outcome.deeds().byName());
        numbers.put("leases_expired", outcome.leasesRanOut());
        numbers.put("pools_below_minimum", outcome.poolsTold());
        numbers.put("duration_ms", durationMillis);
        return numbers;
    }

    void write(SweepPass.Outcome outcome, long durationMillis) {
        // A pass with nothing to do is told by its metrics alone.
        if (!outcome.deeds().equals(ActionCounts.NONE) || !outcome.orders().mayChangeStatus()) {
            log.info("sweep_pass", numbers(outcome, durationMillis));
        }
        log.metrics(metrics(outcome, durationMillis));
    }

    private static Metrics metrics(SweepPass.Outcome outcome, long durationMillis) {
        FleetCount count = outcome.reading().count();
        ActionCounts deeds = outcome.deeds();
        return new Metrics()
                .with(Metric.SWEEP_PASSES, 1)
                .with(Metric.SWEEP_DURATION, durationMillis)
                .withAny(Metric.DETECTION_LAG, Math.max(0, deeds.longestLagMillis()))
                .withAny(Metric.POOLS_BELOW_MINIMUM, outcome.poolsTold())
                .withAny(Metric.SWEEP_FAILURES, deeds.failed())
                .with(Metric.AGENTS, count.get(FleetCounter.ACTIVE), "active")
                .with(Metric.AGENTS, count.get(FleetCounter.DRAINING), "draining")
                .with(Metric.AGENTS, count.get(FleetCounter.UNHEALTHY), "unhealthy")
                .withAny(Metric.TRANSITIONS, deeds.unhealthy(), "unhealthy")
                .withAny(Metric.TRANSITIONS, deeds.dead(), "dead")
                .withAny(Metric.TRANSITIONS, deeds.deregistered(), "deregistered");
    }
}
