package dev.agenthealth.model.registry.telemetry;

import java.util.List;
import java.util.Set;

/**
 * The spans of a request around the calls of an agent. Immutable.
 *
 * @param tree the parents of the spans
 * @param executions the spans of the agent's executions, also of executions within others
 */
public record ExecutionParents(SpanTree tree, Set<SpanKey> executions) {

    /** No spans. */
    public static final ExecutionParents NONE = new ExecutionParents(new SpanTree(List.of()), Set.of());

    public ExecutionParents {
        executions = Set.copyOf(executions);
    }

    /** Returns the execution around a span or the span itself. Without one, returns the outermost known span around it, which may itself be missing. */
    SpanKey around(SpanKey span) {
        return tree.outermostUpTo(span, executions);
    }

    /** Returns whether a span is an execution of the agent. Its span ends last, so that the execution has ended. */
    boolean isExecution(SpanKey span) {
        return executions.contains(span);
    }
}
