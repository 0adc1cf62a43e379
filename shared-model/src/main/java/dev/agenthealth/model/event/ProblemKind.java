package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;

/** The kind of a problem. All problems of a subject have the same kind. */
public enum ProblemKind implements WireNamed {
    /** An agent is unhealthy or dead. */
    LIFECYCLE,
    HEALTH,
    SCORE,
    STALL,
    /** An agent waits for a person. */
    WAITING,
    LOOP,
    /** An agent, a role or an owner used up a limit of tokens, calls or executions. */
    USAGE,
    /** A process is active although its agent is gone, superseded, blocked or stopped. */
    GHOST,
    /** The last run of a job failed. */
    RUN,
    CLOCK_DRIFT,
    DRAIN_TIMEOUT,
    CERTIFICATE,
    DECLARATION,
    /** An agent or a provider is blocked, or agents are stopped. */
    BLOCK,
    POOL,
    /** A version of a role is worse than the version before it. */
    VERSION,
    /** A model provider fails for many agents at once. */
    UPSTREAM,
    REGISTRY;
}
