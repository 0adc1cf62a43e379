package dev.agenthealth.model.telemetry;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The parents of the spans that arrived together. Immutable.
 *
 * <p>Frameworks nest spans of one execution: an agent inside of its workflow, a wrapper inside of what it wraps. Of nested executions of one agent
 * only the outermost is an execution of its own.
 */
public final class SpanTree {

    /** So many ancestors are looked at: no real trace is deeper. */
    private static final int MAX_DEPTH = 500;

    private final Map<SpanKey, String> parents = new HashMap<>();

    public SpanTree(Collection<Span> spans) {
        spans.stream()
                .filter(span -> !span.parentId().isEmpty())
                .forEach(span -> parents.putIfAbsent(span.key(), span.parentId()));
    }

    /** Those of an agent's executions, by their spans, that are in no other of them. */
    public Set<SpanKey> outermost(Set<SpanKey> executions) {
        Set<SpanKey> outermost = new HashSet<>();
        for (SpanKey execution : executions) {
            if (!isWithin(execution, executions)) {
                outermost.add(execution);
            }
        }
        return outermost;
    }

    private boolean isWithin(SpanKey span, Set<SpanKey> others) {
        SpanKey at = span;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            String parent = parents.get(at);
            if (parent == null) {
                return false;
            }
            at = at.ofSameTrace(parent);
            if (at.equals(span)) {
                return false;
            }
            if (others.contains(at)) {
                return true;
            }
        }
        return false;
    }
}
