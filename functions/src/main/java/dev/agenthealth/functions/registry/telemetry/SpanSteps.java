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

/** Stores spans as progress of their agents, and takes them as signs of life. Thread-safe. */
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
     * Takes the last of an agent's spans that count: one read, and at most one write in 30 seconds. Does nothing where the caller does not own the
     * agent.
     *
     * @param endedAt when that span ended; one of the future ended now
     */
    void take(Caller caller, String agentId, Instant endedAt) {
        pulses.find(agentId).filter(pulse -> caller.owns(pulse.owner())).ifPresent(pulse -> {
            Instant now = clock.instant();
            Instant ended = endedAt.isAfter(now) ? now : endedAt;
            storeProgress(pulse, ended);
            signsOfLife.record(pulse, SignOfLife.SPANS, ended);
        });
    }

    /** The loser of a race is as new as what was stored, but for seconds. */
    private void storeProgress(Pulse pulse, Instant endedAt) {
        if (StallRule.isProgress(pulse, endedAt)) {
            pulses.recordProgress(pulse, endedAt);
        }
    }
}
