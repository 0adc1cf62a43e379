package dev.agenthealth.model.health;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The health of a watched agent without executions, by its probes (Agent Health State §3.3, §5.2), for its health document alone. It follows from the state of
 * the probes, so that nothing is counted for it: the probes of the window since they last began to succeed or to fail, one in each interval.
 *
 * @param samples the number of those probes
 * @param failing whether they failed; otherwise they succeeded
 * @param latencyMs how long the last answer took, in milliseconds
 * @param at when the last of them ended that is known
 */
public record ProbeHealth(long samples, boolean failing, long latencyMs, Instant at) {

    /**
     * Returns the health that a state shows; empty where no probe has ended within the window, or none in time.
     *
     * @param intervalSeconds time between two probes, from 1
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

    /** The health status (Agent Health State §4.3): unknown with fewer than {@link Measurement#MIN_SAMPLES} probes. */
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
