package dev.agenthealth.client;

/** Why the client sends nothing more for an agent. The program itself always goes on until it decides otherwise. */
public enum AgentEnd {
    /** The agent drained and is deregistered. */
    DRAINED,
    /** The agent was closed before its drain was over; the registry ends the drain at its deadline. */
    CLOSED,
    /** Another process registered the agent. This one must stop its work, and not register again. */
    SUPERSEDED,
    /** An operator ended the agent: the callback for drains has returned and no work is left. A new process may register the agent again. */
    OPERATOR,
    /** The agent is dead: its drain took too long, or {@link DeathPolicy#STOP} is its policy. */
    DEAD
}
