package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;

/**
 * A source of usage. Several sources may report the same execution: the agent with an outcome, its coordinator, and spans. The sums of each source are
 * kept apart, and the source with the most tokens counts.
 */
public enum UsageSource implements WireNamed {
    SELF,
    COORDINATOR,
    /** Spans of calls of models and tools. */
    CALL_SPANS,
    /** Spans of executions, which some libraries give the sums of their calls. */
    EXECUTION_SPANS
}
