package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.observation.Metrics;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The report of a pass: one log line and its metrics.
 *
 * @param metricRoles the ids of the roles with their own metrics
 */
record SweepReport(SweepPass.Outcome outcome, List<String> metricRoles, long durationMillis) {

    /** Returns the numbers of a pass by name. */
    Map<String, Object> numbers() {
        FleetCount count = outcome.reading().count();
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("monitored", count.monitored());
        numbers.put("active", count.get(FleetCounter.ACTIVE));
        numbers.put("draining", count.get(FleetCounter.DRAINING));
        numbers.put("unhealthy_now", count.get(FleetCounter.UNHEALTHY));
        numbers.put("silent", count.get(FleetCounter.SILENT));
        numbers.put("may_change_status", outcome.decision().mayChangeStatus());
        numbers.putAll(outcome.actions().byName());
        numbers.put("leases_expired", outcome.leasesExpired());
        numbers.put("pools_below_minimum", outcome.poolsBelowMinimum());
        numbers.put("duration_ms", durationMillis);
        return numbers;
    }

    void write(Log log) {
        // A pass without actions has only metrics.
        if (!outcome.actions().equals(ActionCounts.NONE) || !outcome.decision().mayChangeStatus()) {
            log.info("sweep_pass", numbers());
        }
        log.metrics(metrics());
    }

    private Metrics metrics() {
        FleetCount count = outcome.reading().count();
        ActionCounts actions = outcome.actions();
        Metrics metrics = new Metrics()
                .with(Metric.SWEEP_PASSES, 1)
                .with(Metric.SWEEP_DURATION, durationMillis)
                .withNonZero(Metric.DETECTION_LAG, Math.max(0, actions.maxLagMillis()))
                .withNonZero(Metric.POOLS_BELOW_MINIMUM, outcome.poolsBelowMinimum())
                .withNonZero(Metric.SWEEP_FAILURES, actions.get(Action.FAILED))
                .with(Metric.AGENTS, count.get(FleetCounter.ACTIVE), "active")
                .with(Metric.AGENTS, count.get(FleetCounter.DRAINING), "draining")
                .with(Metric.AGENTS, count.get(FleetCounter.UNHEALTHY), "unhealthy")
                .withNonZero(Metric.TRANSITIONS, actions.get(Action.UNHEALTHY), "unhealthy")
                .withNonZero(Metric.TRANSITIONS, actions.get(Action.DEAD), "dead")
                .withNonZero(Metric.TRANSITIONS, actions.get(Action.DEREGISTERED), "deregistered");
        metricRoles.forEach(role -> add(role, metrics));
        return metrics;
    }

    /** Adds the metrics of a role. A role without agents has 0, so that an alarm on it has data. */
    private void add(String role, Metrics metrics) {
        AgentStatistics agents =
                outcome.reading().statistics().of(GroupKind.ROLE).of(GroupNumber.of(role));
        metrics.with(Metric.ROLE_AGENTS, agents.agents(), role)
                .with(
                        Metric.ROLE_AGENTS_DOWN,
                        agents.get(Statistic.VERDICT_DOWN) + agents.get(Statistic.VERDICT_BLOCKED),
                        role)
                .with(Metric.ROLE_AGENTS_DEGRADED, agents.get(Statistic.VERDICT_DEGRADED), role);
    }
}
