package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.model.sweep.FleetCount;
import java.util.LinkedHashMap;
import java.util.Map;

/** How a pass is told: one log line, and metrics. */
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
        numbers.put("active", count.active());
        numbers.put("draining", count.draining());
        numbers.put("unhealthy_now", count.unhealthy());
        numbers.put("silent", count.silent());
        numbers.put("may_change_status", outcome.orders().mayChangeStatus());
        numbers.putAll(outcome.deeds().byName());
        numbers.put("leases_expired", outcome.leasesRanOut());
        numbers.put("pools_below_minimum", outcome.poolsTold());
        numbers.put("duration_ms", durationMillis);
        return numbers;
    }

    void tell(SweepPass.Outcome outcome, long durationMillis) {
        // A pass with nothing to do is told by its metrics alone.
        if (!outcome.deeds().equals(Deeds.NONE) || !outcome.orders().mayChangeStatus()) {
            log.info("sweep_pass", numbers(outcome, durationMillis));
        }
        FleetCount count = outcome.reading().count();
        log.metric("SweepDuration", durationMillis, "Milliseconds", Map.of());
        agents("active", count.active());
        agents("draining", count.draining());
        agents("unhealthy", count.unhealthy());
        Deeds deeds = outcome.deeds();
        transitions("unhealthy", deeds.unhealthy());
        transitions("dead", deeds.dead());
        transitions("deregistered", deeds.deregistered());
        if (deeds.longestLagMillis() > 0) {
            log.metric("DetectionLag", deeds.longestLagMillis(), "Milliseconds", Map.of());
        }
        if (outcome.poolsTold() > 0) {
            log.metric("PoolsBelowMinimum", outcome.poolsTold(), "Count", Map.of());
        }
        if (deeds.failed() > 0) {
            log.metric("SweepFailures", deeds.failed(), "Count", Map.of());
        }
    }

    private void agents(String status, long number) {
        log.metric("Agents", number, "Count", Map.of("status", status));
    }

    private void transitions(String to, long number) {
        if (number > 0) {
            log.metric("Transitions", number, "Count", Map.of("to", to));
        }
    }
}
