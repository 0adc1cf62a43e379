package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;

/** A limit for the usage of an agent, a role or an owner. Hours and days are hours and days of UTC. */
public enum UsageLimit implements WireNamed {
    /** Tokens of all executions within an hour. */
    TOKENS_PER_HOUR,
    /** Tokens of all executions on a day. */
    TOKENS_PER_DAY,
    /** Tokens of a single execution. The excess counts until the end of the next hour. */
    TOKENS_PER_EXECUTION,
    /** Model calls of a single execution. The excess counts until the end of the next hour. */
    MODEL_CALLS_PER_EXECUTION,
    /** Executions within an hour. */
    EXECUTIONS_PER_HOUR;

    /** Returns the limit as words of a sentence, such as {@code tokens per hour}. */
    public String words() {
        return wireName().replace('_', ' ');
    }

    /** Returns whether the agents of a role or an owner can share the limit. */
    public boolean isShared() {
        return this != TOKENS_PER_EXECUTION && this != MODEL_CALLS_PER_EXECUTION;
    }
}
