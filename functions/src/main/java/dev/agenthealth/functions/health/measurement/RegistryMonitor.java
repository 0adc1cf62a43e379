package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.health.HealthRule.Lifecycle;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/**
 * Measures the registry itself like an agent. A minute is a success if the sweep was on time and the self-check did not fail; every other
 * minute is a failure. Thread-safe.
 *
 * <p>The uptime counts from the end of the last gap in sweeping.
 */
final class RegistryMonitor {

    private static final long SECONDS_PER_MINUTE = 60;

    private final SweepStateStore sweep;
    private final OutcomeStore outcomes;
    private final Clock clock;

    RegistryMonitor(SweepStateStore sweep, OutcomeStore outcomes, Clock clock) {
        this.sweep = sweep;
        this.outcomes = outcomes;
        this.clock = clock;
    }

    /** Records the outcome of this minute, on the first call within the minute. Records nothing before the first sweep. */
    void record() {
        Instant now = clock.instant();
        SweepState state = sweep.current();
        if (!state.hasStarted()) {
            return;
        }
        boolean onTime = state.isOnTime(now);
        Outcome outcome = new Outcome(
                onTime && !state.isBlackout() ? OutcomeResult.SUCCESS : OutcomeResult.FAILURE,
                onTime ? ErrorType.OTHER : ErrorType.TIMEOUT,
                Outcome.NO_LATENCY,
                now,
                false);
        long minute = Math.floorDiv(now.getEpochSecond(), SECONDS_PER_MINUTE);
        outcomes.count(
                new OutcomeBatch(RegistryHealth.ID, OutcomeSource.SELF, "", "minute-" + minute, List.of(outcome)),
                Expectations.NONE);
    }

    /**
     * Returns the registry as a measured agent. While the sweep is late or the self-check fails, it is at best degraded, like an agent that
     * sends no heartbeats.
     */
    MeasuredAgent registry() {
        SweepState state = sweep.current();
        Instant now = clock.instant();
        boolean silent = state.hasStarted() && !state.isOnTime(now) || state.isBlackout();
        Instant startedAt = state.hasStarted() ? state.runsSince() : now;
        return new MeasuredAgent(
                Expectations.NONE,
                new HealthSubject("", false, false, startedAt, Restarts.NONE, Instant.MIN, startedAt),
                new Lifecycle(silent ? LifecycleStatus.UNHEALTHY : LifecycleStatus.ACTIVE, startedAt),
                Expectations.NONE.window(),
                startedAt);
    }
}
