package dev.agenthealth.model.event;

/** The event that ends the problems of a subject at the latest. */
public enum ProblemEnd {
    /** Only events about the same subject end its problems. */
    OWN_EVENT,
    /** The problems also end with the agent's registration, as the next registration is another process. */
    REGISTRATION,
    /** The problems also end with the agent, but not with a new registration: it renews neither a certificate nor a declaration. */
    AGENT
}
