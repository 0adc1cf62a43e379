package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.telemetry.CallHistoryStore;
import dev.agenthealth.functions.storage.upstreams.UpstreamCallStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.telemetry.CallHistory;
import dev.agenthealth.model.registry.telemetry.SpanCall;
import dev.agenthealth.model.registry.telemetry.SpanKey;
import dev.agenthealth.model.registry.telemetry.SpanStep;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Stores spans as progress of their agents, finds repeated calls in them, and counts them as signs of life. Thread-safe. */
final class SpanSteps {

    private final PulseStore pulses;
    private final CallHistoryStore histories;
    private final UpstreamCallStore upstreamCalls;
    private final DeclaredSigns signsOfLife;
    private final Clock clock;

    SpanSteps(Database database, DeclaredSigns signsOfLife, Clock clock) {
        this.pulses = new PulseStore(database);
        this.histories = new CallHistoryStore(database);
        this.upstreamCalls = new UpstreamCallStore(database);
        this.signsOfLife = signsOfLife;
        this.clock = clock;
    }

    /**
     * Stores the last span of an agent that counts as progress. Costs one read, and at most one write in 30 seconds. An agent that declares
     * loops or stalls costs one more read and write if the spans have calls of tools, or calls of models with prompts. Calls of
     * model providers cost one more read, and a write if they change anything. Does nothing if the
     * caller does not own the agent.
     */
    void take(Caller caller, String agentId, SpanWork work) {
        pulses.find(agentId).filter(pulse -> caller.owns(pulse.owner())).ifPresent(pulse -> {
            Instant now = clock.instant();
            upstreamCalls.add(pulse, work.upstream);
            Set<SpanKey> repeated =
                    LoopRule.readsCalls(pulse) && work.hasCalls() ? repeated(pulse, work, now) : Set.of();
            work.steps.stream()
                    .filter(step -> !repeated.contains(step.key()))
                    .map(SpanStep::endedAt)
                    .max(Instant::compareTo)
                    .ifPresent(last -> storeProgress(pulse, last.isAfter(now) ? now : last));
            work.steps.stream()
                    .map(SpanStep::endedAt)
                    .max(Instant::compareTo)
                    .ifPresent(last -> signsOfLife.record(pulse, SignOfLife.SPANS, last.isAfter(now) ? now : last));
            // A process that should have ended may be inside of one long execution, whose span comes last.
            work.calls.stream()
                    .map(SpanCall::endedAt)
                    .max(Instant::compareTo)
                    .ifPresent(last -> signsOfLife.noteWork(pulse, SignOfLife.SPANS, last));
        });
    }

    /** Stores the progress. If another write is faster, the stored progress differs only by seconds. */
    private void storeProgress(Pulse pulse, Instant endedAt) {
        if (StallRule.isProgress(pulse, endedAt)) {
            pulses.recordProgress(pulse, endedAt);
        }
    }

    /** Adds the calls to the history of the agent, and stores its repetition. Returns the spans that repeat an earlier call. */
    private Set<SpanKey> repeated(Pulse pulse, SpanWork work, Instant now) {
        CallHistory.Step step = OptimisticUpdates.untilPresent(() -> {
            CallHistory before = histories.find(pulse.agentId(), pulse.incarnation());
            CallHistory.Step next = before.plus(work.calls, work.executions);
            return next.history().equals(before)
                            || histories.put(pulse.agentId(), pulse.incarnation(), before, next.history())
                    ? Optional.of(next)
                    : Optional.empty();
        });
        Repetition repetition =
                step.history().repetition(LoopRule.MAX_AGE_OF_SPANS, now).notAfter(now);
        if (LoopRule.isStored(pulse, repetition)) {
            pulses.recordRepetition(pulse, repetition);
        }
        return step.repeated();
    }
}
