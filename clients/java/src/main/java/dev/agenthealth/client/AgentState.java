package dev.agenthealth.client;

/** The state of an agent in this client. Its status at the registry is in {@link Agents#get}. */
public enum AgentState {
    /** Registers the agent; the registry has not answered yet, or the agent is dead and registers again. */
    REGISTERING,
    /** Sends heartbeats. */
    ACTIVE,
    /** Sends heartbeats until the work is done. */
    DRAINING,
    /** Sends nothing more. */
    ENDED
}
