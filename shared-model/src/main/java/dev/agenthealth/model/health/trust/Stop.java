package dev.agenthealth.model.health.trust;

import java.time.Instant;

/**
 * A stop in force: an operator stopped agents with one command. The gateway calls no stopped agent, and each stopped agent is asked to drain. The
 * stop also covers agents that register later.
 *
 * @param scope the agents
 * @param reason the reason in the operator's words
 * @param actor the id of the key that stopped them
 * @param at the time of the stop
 */
public record Stop(StopScope scope, String reason, String actor, Instant at) {

    /** The maximum number of stops in force. Readers read all of them at once. */
    public static final int MAX_STOPS = 100;

    /** Returns the stop as the block of one of its agents. */
    public Block asBlock() {
        return new Block(true, reason, actor, at, 0);
    }
}
