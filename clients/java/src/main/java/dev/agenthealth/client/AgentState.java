package dev.agenthealth.client;

/** The state of an agent in this client. {@link Agents#get} returns its status at the registry. */
public enum AgentState {
    /** The agent registers: the registry has not answered yet, or the agent is dead and registers again. */
    REGISTERING,
    /** The agent sends heartbeats. */
    ACTIVE,
    /** The agent sends heartbeats until its work is done. */
    DRAINING,
    /** The agent sends nothing more. */
    ENDED
}
