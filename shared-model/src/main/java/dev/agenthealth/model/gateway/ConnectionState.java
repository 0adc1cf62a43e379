package dev.agenthealth.model.gateway;

import dev.agenthealth.model.registry.profile.A2aProtocol;

/**
 * The facts about an agent's endpoint that calls have shown. They are not part of the agent's profile, so that a call changes no version.
 *
 * @param spoken the version of A2A and the binding of the agent's last answer, initially the declared ones
 * @param timeoutsInRow the number of timeouts since the agent last answered
 */
public record ConnectionState(A2aProtocol spoken, int timeoutsInRow) {

    /** The number of timeouts in a row from which an agent counts as unresponsive. An unresponsive agent gets one call at a time until it answers. */
    public static final int MAX_TIMEOUTS = 5;

    /** Returns whether the agent gets one call at a time. */
    public boolean isUnresponsive() {
        return timeoutsInRow >= MAX_TIMEOUTS;
    }
}
