package dev.agenthealth.client;

/** The policy for an agent that is dead at the registry, after the callback for its death. */
public enum DeathPolicy {
    /** Registers the agent again, unless another process did meanwhile. */
    REGISTER_AGAIN,
    /** Sends nothing more for the agent. The program goes on without the registry. */
    STOP
}
