package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import java.time.Clock;
import java.time.Instant;

/** Stores spans as progress of their agents, and counts them as signs of life. Thread-safe. */
final class SpanSteps {

    private final PulseStore pulses;
    private final DeclaredSigns signsOfLife;
    private final Clock clock;

    SpanSteps(Database database, DeclaredSigns signsOfLife, Clock clock) {
        this.pulses = new PulseStore(database);
        this.signsOfLife = signsOfLife;
        this.clock = clock;
    }

    /**
     * Stores the last span of an agent that counts as progress. Costs one read, and at most one write in 30 seconds. Does nothing if the
     * caller does not own the agent.
     *
     * @param endedAt when that span ended; a time in the future counts as now
     */
    void take(Caller caller, String agentId, Instant endedAt) {
        pulses.find(agentId).filter(pulse -> caller.owns(pulse.owner())).ifPresent(pulse -> {
            Instant now = clock.instant();
            Instant ended = endedAt.isAfter(now) ? now : endedAt;
            storeProgress(pulse, ended);
            signsOfLife.record(pulse, SignOfLife.SPANS, ended);
        });
    }

    /** Stores the progress. If another write is faster, the stored progress differs only by seconds. */
    private void storeProgress(Pulse pulse, Instant endedAt) {
        if (StallRule.isProgress(pulse, endedAt)) {
            pulses.recordProgress(pulse, endedAt);
        }
    }
}
