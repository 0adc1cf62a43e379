package dev.agenthealth.client;

/** What the client does for an agent. What the registry thinks of it is in {@link Agents#get}. */
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
