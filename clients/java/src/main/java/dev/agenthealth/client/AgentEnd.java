package dev.agenthealth.client;

/** The reason why the client sends nothing more for an agent. The program itself continues. */
public enum AgentEnd {
    /** The agent drained and is deregistered. */
    DRAINED,
    /** The agent was closed before the end of its drain; the registry ends the drain at its deadline. */
    CLOSED,
    /** Another process registered the agent. This process must stop its work, and must not register again. */
    SUPERSEDED,
    /**
     * An operator ended the agent. The callback for drains has returned and no work is left. A new process may register the agent again.
     */
    OPERATOR,
    /** The agent is dead: its drain took too long, or its policy is {@link DeathPolicy#STOP}. */
    DEAD
}
