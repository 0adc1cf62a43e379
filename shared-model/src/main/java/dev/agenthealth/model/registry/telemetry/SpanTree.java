package dev.agenthealth.model.registry.telemetry;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The parents of the spans that arrived together. Immutable.
 *
 * <p>Frameworks nest spans of one execution: an agent inside of its workflow, a wrapper inside of what it wraps. Of nested executions of one agent
 * only the outermost is an execution of its own. Where spans between them were left out, as by a filter, the root of the trace still contains all others.
 */
public final class SpanTree {

    /** So many ancestors are looked at: no real trace is deeper. */
    private static final int MAX_DEPTH = 500;

    private final Map<SpanKey, String> parents = new HashMap<>();
    private final Map<String, Set<SpanKey>> roots = new HashMap<>();

    public SpanTree(Collection<Span> spans) {
        for (Span span : spans) {
            if (span.parentId().isEmpty()) {
                roots.computeIfAbsent(span.key().traceId(), trace -> new HashSet<>())
                        .add(span.key());
            } else {
                parents.putIfAbsent(span.key(), span.parentId());
            }
        }
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
                return isBelowRoot(at, others);
            }
            at = at.ofSameTrace(parent);
            if (at.equals(span)) {
                return false;
            }
            if (others.contains(at)) {
                return true;
            }
        }
        return isBelowRoot(span, others);
    }

    /** Returns whether the one root of the trace is among the executions, and not the span itself. */
    private boolean isBelowRoot(SpanKey span, Set<SpanKey> others) {
        Set<SpanKey> ofTrace = roots.getOrDefault(span.traceId(), Set.of());
        return ofTrace.size() == 1 && !ofTrace.contains(span) && others.containsAll(ofTrace);
    }
}
