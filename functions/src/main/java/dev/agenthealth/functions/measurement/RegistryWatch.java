package dev.agenthealth.functions.measurement;

import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.health.HealthRule.Lifecycle;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeResult;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Watches the registry itself, as it watches agents: every minute in which the sweep was on time and heard the front door is an execution
 * that succeeded, and every other one is an execution that failed.
 *
 * <p>Its uptime counts from the end of the last gap in sweeping. Thread-safe.
 */
final class RegistryWatch {

    /** The sweep starts once a minute at least; a start that is a minute late is still on time. */
    static final Duration ON_TIME = Duration.ofMinutes(2);

    private static final long SECONDS_PER_MINUTE = 60;

    private final SweepStateStore sweep;
    private final OutcomeStore outcomes;
    private final Clock clock;

    RegistryWatch(SweepStateStore sweep, OutcomeStore outcomes, Clock clock) {
        this.sweep = sweep;
        this.outcomes = outcomes;
        this.clock = clock;
    }

    /** Notes how the registry fares in this minute. Of several looks in a minute the first one counts. Before the first sweep there is
     * nothing to note. */
    void look() {
        Instant now = clock.instant();
        SweepState state = sweep.current();
        if (!state.startedAt().isAfter(Instant.MIN)) {
            // A registry that has just been deployed is not late yet.
            return;
        }
        boolean onTime = isOnTime(state, now);
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

    private static boolean isOnTime(SweepState state, Instant now) {
        return !state.startedAt().isBefore(now.minus(ON_TIME));
    }

    /**
     * The registry as somebody whose health is computed: like an agent that is silent, it is degraded at best while its sweep is late or deaf,
     * however well it did before.
     */
    MeasuredAgent registry() {
        SweepState state = sweep.current();
        Instant now = clock.instant();
        boolean begun = state.startedAt().isAfter(Instant.MIN);
        boolean silent = begun && !isOnTime(state, now) || state.isBlackout();
        // Before the first sweep nothing has started yet.
        Instant startedAt = state.graceFrom().isAfter(Instant.EPOCH) ? state.graceFrom() : now;
        return new MeasuredAgent(
                Expectations.NONE,
                new HealthSubject("", false, startedAt, Instant.MIN, startedAt),
                new Lifecycle(silent ? LifecycleStatus.UNHEALTHY : LifecycleStatus.ACTIVE, startedAt),
                Expectations.NONE.window(),
                startedAt);
    }
}
