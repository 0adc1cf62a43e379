package dev.agenthealth.model.registry.lifecycle;

import java.time.Instant;

/**
 * An activity of an agent that is gone, superseded, blocked or stopped.
 *
 * @param source the kind of activity
 * @param state the state in which the agent must not be active
 * @param incarnation the registration of the active process, as far as it is known
 * @param byOperator whether an operator ended or blocked the agent
 * @param at when the activity happened
 * @param instance where the process runs; empty if it is unknown
 * @param address the network address of the sender; empty if it is unknown
 */
public record Sighting(
        GhostSource source,
        GhostState state,
        long incarnation,
        boolean byOperator,
        Instant at,
        String instance,
        String address) {}
