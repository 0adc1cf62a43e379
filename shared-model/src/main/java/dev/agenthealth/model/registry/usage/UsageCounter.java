package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;

/** A number of tokens, calls or executions. */
public enum UsageCounter implements WireNamed {
    /** Tokens that models read, with the tokens that they read from a cache. */
    INPUT_TOKENS,
    /** Tokens that models wrote. */
    OUTPUT_TOKENS,
    /** The part of the input that models read from a cache. */
    CACHE_READ_TOKENS,
    MODEL_CALLS,
    TOOL_CALLS,
    /** Executions whose usage was reported, and all executions of an agent if a limit counts executions. */
    EXECUTIONS;

    /** The maximum of a reported number. */
    public static final long MAX = 1_000_000_000_000L;
}
