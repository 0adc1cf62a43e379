package dev.agenthealth.client;

/** The policy for an agent that is dead or deregistered at the registry, after the callback for its end. */
public enum DeathPolicy {
    /** Registers the agent again, unless another process did meanwhile, or an operator ended the agent. */
    REGISTER_AGAIN,
    /** Registers the agent again, even after an operator ended it. */
    ALWAYS_REGISTER_AGAIN,
    /** Sends nothing more for the agent. The program continues without the registry. */
    STOP
}
