package dev.agenthealth.functions.storage.agents;

import java.time.Duration;
import java.time.Instant;

/**
 * The progress of the erasure of an agent. Its items are erased in passes; the last pass begins when no request can still run that has read
 * the agent.
 *
 * @param agentId the agent
 * @param begunAt when the agent became unknown
 * @param passes number of complete passes
 * @param passBegunAt when the pass under way began; {@link Instant#MAX} where none is
 * @param position the sort key after which that pass continues; empty at its beginning
 * @param done whether it is complete
 */
public record Erasure(
        String agentId, Instant begunAt, long passes, Instant passBegunAt, String position, boolean done) {

    /** Longer than any function may run: by then, every request has ended that read the agent before. */
    public static final Duration SETTLING = Duration.ofMinutes(2);

    /** The moment from which a pass is the last one. */
    public Instant settledAt() {
        return begunAt.plus(SETTLING);
    }

    /** Whether a first pass is complete and it is too early for the last one. */
    public boolean isSettling(Instant now) {
        return passes > 0 && !isUnderWay() && now.isBefore(settledAt());
    }

    /** Whether a pass has begun and is not complete. */
    public boolean isUnderWay() {
        return passBegunAt.isBefore(Instant.MAX);
    }

    /** The erasure with a pass begun. */
    public Erasure passBegun(Instant now) {
        return new Erasure(agentId, begunAt, passes, now, "", done);
    }

    /** The erasure further on in its pass. */
    public Erasure at(String place) {
        return new Erasure(agentId, begunAt, passes, passBegunAt, place, done);
    }

    /** The erasure after its pass, which may have been the last one. */
    public Erasure passComplete() {
        return new Erasure(agentId, begunAt, passes + 1, Instant.MAX, "", !passBegunAt.isBefore(settledAt()));
    }
}
