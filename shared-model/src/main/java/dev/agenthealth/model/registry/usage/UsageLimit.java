package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;
import java.time.Duration;

/** A limit for the usage of agents. Each limit counts in a sliding window. */
public enum UsageLimit implements WireNamed {
    /** Tokens of all executions within 60 minutes. */
    TOKENS_PER_HOUR(Duration.ofHours(1)),
    /** Tokens of all executions within 24 hours. */
    TOKENS_PER_DAY(Duration.ofDays(1)),
    /** Tokens of a single execution. The excess counts for one hour. */
    TOKENS_PER_EXECUTION(Duration.ofHours(1)),
    /** Model calls of a single execution. The excess counts for one hour. */
    MODEL_CALLS_PER_EXECUTION(Duration.ofHours(1)),
    /** Executions within 60 minutes. */
    EXECUTIONS_PER_HOUR(Duration.ofHours(1));

    private final Duration window;

    UsageLimit(Duration window) {
        this.window = window;
    }

    /** Returns the time for which usage counts. */
    public Duration window() {
        return window;
    }
}
