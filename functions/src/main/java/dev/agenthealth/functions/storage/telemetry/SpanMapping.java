package dev.agenthealth.functions.storage.telemetry;

import dev.agenthealth.model.registry.telemetry.AgentName;
import java.time.Instant;

/**
 * The agent to which the spans with a name belong.
 *
 * @param name the name in the spans
 * @param agentId the agent
 * @param progress whether each of its spans counts as progress of the agent, and not only executions
 * @param automatic whether the name registered the agent automatically
 * @param updatedAt when it was set
 */
public record SpanMapping(AgentName name, String agentId, boolean progress, boolean automatic, Instant updatedAt) {

    /** The maximum number of mappings of a key. Names that register agents have the limits of agents. */
    public static final int MAX_OF_KEY = 5_000;
}
