package dev.agenthealth.functions.registry.lifesigns;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.lifecycle.SignOfLifeRule;
import java.time.Clock;
import java.time.Instant;

/**
 * Sends heartbeats for agents that declare calls, outcomes or spans as signs of life. Registers dead agents again. A failure never fails
 * the request that gave the sign. Thread-safe.
 */
public final class DeclaredSigns {

    private final SignsOfLife signsOfLife;
    private final Clock clock;
    private final Log log;

    public DeclaredSigns(Database database, Clock clock, Log log) {
        this.signsOfLife = SignsOfLife.in(database, clock);
        this.clock = clock;
        this.log = log;
    }

    /**
     * Sends a heartbeat if the agent declares this sign: at most one read and one write per interval. Otherwise costs no request.
     *
     * @param seen the agent as read, before or after the sign
     * @param happenedAt when the agent gave the sign; a time in the future counts as now
     */
    public void record(Pulse seen, SignOfLife sign, Instant happenedAt) {
        if (!SignOfLifeRule.counts(seen, sign, happenedAt, clock.instant())) {
            return;
        }
        try {
            signsOfLife.record(seen.agentId(), sign.seenBy(), true);
        } catch (RuntimeException e) {
            // The next sign counts.
            log.failure("sign_of_life_not_recorded", seen.agentId(), e);
        }
    }

    /** Calls {@link #record(Pulse, SignOfLife, Instant)} with the current time. */
    public void record(Pulse seen, SignOfLife sign) {
        record(seen, sign, clock.instant());
    }
}
