package dev.agenthealth.client;

/** The phase of an agent's session, with the state that programs see. */
enum SessionPhase {
    REGISTERING(AgentState.REGISTERING),
    ACTIVE(AgentState.ACTIVE),
    DRAINING(AgentState.DRAINING),

    /** The agent is dead at the registry, and its program was not yet told. */
    DYING(AgentState.REGISTERING),

    /** An operator ended the agent, and its work ends. */
    STOPPING(AgentState.DRAINING),
    ENDED(AgentState.ENDED);

    private final AgentState shown;

    SessionPhase(AgentState shown) {
        this.shown = shown;
    }

    AgentState shown() {
        return shown;
    }
}
