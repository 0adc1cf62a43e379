package dev.agenthealth.local.fleet;

import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The health of a simulated agent at a moment, worked out in the words of the two health documents from the very executions that it
 * had, with none of the registry's rules.
 *
 * @param executions that count in the window, in no order, trigger failures among them
 * @param before executions that count in the window before
 * @param lifecycle the agent's lifecycle status
 */
record KnownHealth(List<Outcome> executions, List<Outcome> before, String lifecycle) {

    /** An agent's outcomes are counted in stretches of this length, which count as long as any moment of them is in the window. */
    private static final long SLICE_SECONDS = 120;

    static KnownHealth of(SimulatedAgent agent, String lifecycle, Duration window, Instant now) {
        List<Outcome> known = agent.reports().sent().stream()
                .filter(sent -> !sent.at().isAfter(now))
                .flatMap(sent -> sent.batch().outcomes().stream())
                .toList();
        return new KnownHealth(
                known.stream()
                        .filter(outcome -> countsAfter(outcome, now.minus(window)))
                        .toList(),
                known.stream()
                        .filter(outcome -> !countsAfter(outcome, now.minus(window)))
                        .filter(outcome -> countsAfter(outcome, now.minus(window.multipliedBy(2))))
                        .toList(),
                lifecycle);
    }

    private static boolean countsAfter(Outcome outcome, Instant moment) {
        long slice = outcome.occurredAt().getEpochSecond() / SLICE_SECONDS;
        return Instant.ofEpochSecond((slice + 1) * SLICE_SECONDS).isAfter(moment);
    }

    boolean isGone() {
        return lifecycle.equals("deregistered");
    }

    boolean isDead() {
        return lifecycle.equals("dead");
    }

    /** The verdict on an agent that is not blocked; {@code ok or unknown} where nothing is against it. */
    String verdict(long restarts) {
        if (isDead() || status().equals("unhealthy")) {
            return "down";
        }
        boolean lowScore = scoreState().equals("Degraded") || scoreState().equals("Unhealthy");
        boolean impaired = !lifecycle.equals("active") || status().equals("degraded") || lowScore || restarts >= 3;
        return impaired ? "degraded" : "ok or unknown";
    }

    long samples() {
        return successes(executions) + failures(executions);
    }

    double responseRatio() {
        return ratio(executions);
    }

    double errorRatio() {
        return samples() == 0 ? 0 : (double) failures(executions) / samples();
    }

    long errors(ErrorType type) {
        return executions.stream()
                .filter(outcome -> outcome.result() == OutcomeResult.FAILURE && outcome.errorType() == type)
                .count();
    }

    /** By nearest rank; 0 without executions. */
    double latency(int percent) {
        List<Double> sorted = latencies().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }

    /** §4.3 of the Agent Health State draft. */
    String status() {
        if (isDead()) {
            return "unhealthy";
        }
        if (samples() < 10) {
            return "unknown";
        }
        if (responseRatio() < 0.50) {
            return "unhealthy";
        }
        boolean slow = latency(99) > 3 * Declaration.BASELINE_LATENCY_MS;
        return responseRatio() < 0.95 || slow || lifecycle.equals("unhealthy") ? "degraded" : "healthy";
    }

    /** §4.5 of the Agent Health State draft. */
    String trend() {
        long earlier = successes(before) + failures(before);
        double change = responseRatio() - ratio(before);
        if (earlier < 10 || samples() < 10 || Math.abs(change) <= 0.10) {
            return "stable";
        }
        return change < 0 ? "declining" : "improving";
    }

    double reliability() {
        double successScore = Math.min(1, responseRatio() / 0.95);
        double failuresPerHour = failures(executions);
        double failureScore = failuresPerHour == 0 ? 1 : Math.min(1, 1 / failuresPerHour);
        double confidence = Math.min(1, samples() / 20.0);
        return confidence * (0.7 * successScore + 0.3 * failureScore) + (1 - confidence) * 1;
    }

    double performance() {
        double actual = latencies().mapToDouble(latency -> latency).average().orElse(0);
        double deviation = (actual - Declaration.RUNTIME_MS) / Declaration.RUNTIME_MS;
        return actual <= Declaration.RUNTIME_MS ? 1 : 1 - Math.min(1, deviation / 0.2);
    }

    double stability() {
        long longRunning = latencies()
                .filter(latency -> latency > 5 * Declaration.RUNTIME_MS)
                .count();
        return 1 - Math.min(1, Math.log(longRunning + 1) / Math.log(15 + 1));
    }

    double operational() {
        long breaches = executions.stream()
                .filter(outcome -> outcome.slaBreached() || outcome.latencyMs() > Declaration.SLA_MS)
                .count();
        double sla = 1 - Math.min(1, breaches / 5.0);
        double trigger = 1 - Math.min(1, triggerFailures() / 5.0);
        return 0.6 * sla + 0.4 * trigger;
    }

    /** The Agent Health Model's score, unrounded; it means nothing without executions. */
    double points() {
        return 40 * reliability() + 20 * performance() + 20 * stability() + 20 * operational();
    }

    String scoreState() {
        if (samples() == 0) {
            return "Inactive";
        }
        return points() >= 84.995 ? "Healthy" : points() >= 64.995 ? "Degraded" : "Unhealthy";
    }

    long triggerFailures() {
        return executions.stream()
                .filter(outcome -> outcome.result() == OutcomeResult.TRIGGER_FAILURE)
                .count();
    }

    private Stream<Double> latencies() {
        return executions.stream().filter(Outcome::hasLatency).map(Outcome::latencyMs);
    }

    private static double ratio(List<Outcome> outcomes) {
        long samples = successes(outcomes) + failures(outcomes);
        return samples == 0 ? 0 : (double) successes(outcomes) / samples;
    }

    private static long successes(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome.result() == OutcomeResult.SUCCESS)
                .count();
    }

    private static long failures(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome.result() == OutcomeResult.FAILURE)
                .count();
    }
}
