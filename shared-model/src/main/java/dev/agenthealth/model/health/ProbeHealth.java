package dev.agenthealth.model.health;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The health of a watched agent without executions, by its probes (Agent Health State §3.3, §5.2). Only the health document shows it.
 *
 * <p>It follows from the state of the probes alone: the registry assumes one probe per interval since probes last began to succeed or to fail.
 *
 * @param samples the number of probes in the window since that change
 * @param failing whether these probes failed; otherwise they succeeded
 * @param latencyMs the duration of the last answer, in ms
 * @param at the end of the last known probe
 */
public record ProbeHealth(long samples, boolean failing, long latencyMs, Instant at) {

    /**
     * Returns the health by the state of the probes; empty if no probe ended within the window, or no probe in time.
     *
     * @param intervalSeconds the time between two probes, at least 1
     * @param window the length of the window
     */
    public static Optional<ProbeHealth> of(ProbeState found, int intervalSeconds, Duration window, Instant now) {
        Duration late = ProbeState.REFRESH.plusSeconds(2L * intervalSeconds).plus(HealthReading.OVERDUE_AFTER);
        Instant changed = found.isFailing() ? found.failingSince() : found.since();
        Instant first = changed.isAfter(now.minus(window)) ? changed : now.minus(window);
        if (!found.isKnown()
                || found.at().isBefore(now.minus(late))
                || found.at().isBefore(first)) {
            return Optional.empty();
        }
        long samples = Duration.between(first, found.at()).toSeconds() / intervalSeconds + 1;
        return Optional.of(new ProbeHealth(samples, found.isFailing(), found.millis(), found.at()));
    }

    /** Returns the health status (Agent Health State §4.3): unknown with fewer than {@link Measurement#MIN_SAMPLES} probes. */
    HealthStatus status(LifecycleStatus lifecycle) {
        if (lifecycle == LifecycleStatus.DEAD) {
            return HealthStatus.UNHEALTHY;
        }
        if (samples < Measurement.MIN_SAMPLES) {
            return HealthStatus.UNKNOWN;
        }
        if (failing) {
            return HealthStatus.UNHEALTHY;
        }
        return lifecycle == LifecycleStatus.UNHEALTHY ? HealthStatus.DEGRADED : HealthStatus.HEALTHY;
    }
}
