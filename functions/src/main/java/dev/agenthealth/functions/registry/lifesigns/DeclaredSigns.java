package dev.agenthealth.functions.registry.lifesigns;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.registry.lifecycle.GhostSource;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.lifecycle.SignOfLifeRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/**
 * Sends heartbeats for agents that declare calls, outcomes or spans as signs of life. Registers dead agents again. A failure never fails
 * the request that gave the sign. Thread-safe.
 */
public final class DeclaredSigns {

    private static final Map<SignOfLife, GhostSource> SOURCES = Map.of(
            SignOfLife.CALLS,
            GhostSource.INVOCATIONS,
            SignOfLife.OUTCOMES,
            GhostSource.OUTCOMES,
            SignOfLife.SPANS,
            GhostSource.SPANS);

    private final SignsOfLife signsOfLife;
    private final Ghosts ghosts;
    private final Clock clock;
    private final Log log;

    public DeclaredSigns(Database database, Clock clock, Log log) {
        this.signsOfLife = SignsOfLife.in(database, clock);
        this.ghosts = new Ghosts(database, clock, log);
        this.clock = clock;
        this.log = log;
    }

    /**
     * Sends a heartbeat if the agent declares this sign: at most one read and one write per interval. Counts the sign as activity of an
     * agent that is gone or blocked. Otherwise costs no request.
     *
     * @param seen the agent as read, before or after the sign
     * @param happenedAt when the agent gave the sign; a time in the future counts as now
     */
    public void record(Pulse seen, SignOfLife sign, Instant happenedAt) {
        record(seen, sign, happenedAt, happenedAt);
    }

    /**
     * Does the same as {@link #record(Pulse, SignOfLife, Instant)} for a report that comes after the work.
     *
     * @param workedAt when the agent worked
     */
    public void record(Pulse seen, SignOfLife sign, Instant happenedAt, Instant workedAt) {
        if (!sent(seen, sign, happenedAt)) {
            ghosts.seen(seen, SOURCES.get(sign), Pulse.ANY_INCARNATION, workedAt, "");
        }
    }

    /** Counts work that is no sign of life, if its agent is gone or blocked. Otherwise costs no request. */
    public void noteWork(Pulse seen, SignOfLife sign, Instant workedAt) {
        ghosts.seen(seen, SOURCES.get(sign), Pulse.ANY_INCARNATION, workedAt, "");
    }

    /** Returns whether the sign was a heartbeat, and the agent is not gone. */
    private boolean sent(Pulse seen, SignOfLife sign, Instant happenedAt) {
        if (!SignOfLifeRule.counts(seen, sign, happenedAt, clock.instant())) {
            return false;
        }
        try {
            return signsOfLife.record(seen.agentId(), sign.seenBy(), true) != SignResult.GONE;
        } catch (RuntimeException e) {
            // The next sign counts.
            log.failure("sign_of_life_not_recorded", seen.agentId(), e);
            return true;
        }
    }

    /** Calls {@link #record(Pulse, SignOfLife, Instant)} with the current time. */
    public void record(Pulse seen, SignOfLife sign) {
        record(seen, sign, clock.instant());
    }
}
