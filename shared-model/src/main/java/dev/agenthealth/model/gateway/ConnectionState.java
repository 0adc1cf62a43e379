package dev.agenthealth.model.gateway;

import dev.agenthealth.model.registry.profile.A2aProtocol;

/**
 * The facts that calls have shown of an agent's endpoint. It is no part of the agent's profile, so that a call changes no version of its record.
 *
 * @param spoken the version of A2A and the binding in which the agent answers; the declared one until it answered in another one
 * @param timeoutsInRow timeouts since the agent last answered
 */
public record ConnectionState(A2aProtocol spoken, int timeoutsInRow) {

    /** From so many timeouts in a row on, an agent is unresponsive: it is called once at a time until it answers. */
    public static final int MAX_TIMEOUTS = 5;

    /** Returns whether the agent is called once at a time. */
    public boolean isUnresponsive() {
        return timeoutsInRow >= MAX_TIMEOUTS;
    }
}
