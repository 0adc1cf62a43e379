package dev.agenthealth.model.registry.telemetry;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parents of spans that arrived together. Immutable.
 *
 * <p>Frameworks nest the spans of one execution, for example an agent inside of its workflow. If executions of one agent are nested, only the
 * outermost execution counts. Filters may remove spans in between. Therefore the root of a trace counts as an ancestor of all other spans in it.
 */
public final class SpanTree {

    /** The maximum number of ancestors that are followed. No real trace is deeper. */
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

    /** Returns the outermost executions of an agent: the spans that are not inside another of its executions. */
    public Set<SpanKey> outermost(Set<SpanKey> executions) {
        Set<SpanKey> outermost = new HashSet<>();
        for (SpanKey execution : executions) {
            if (!isWithin(execution, executions)) {
                outermost.add(execution);
            }
        }
        return outermost;
    }

    /** Returns the nearest ancestor of a span that is among others; empty if no ancestor of the request is among them. */
    public Optional<SpanKey> nearest(SpanKey span, Set<SpanKey> others) {
        SpanKey at = span;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            String parent = parents.get(at);
            if (parent == null) {
                return Optional.empty();
            }
            at = at.ofSameTrace(parent);
            if (others.contains(at)) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    /** Returns the first of {@code others} on the way up from a span, the span included; without one, the last span on the way whose parent is unknown. */
    SpanKey outermostUpTo(SpanKey span, Set<SpanKey> others) {
        SpanKey at = span;
        for (int depth = 0; depth < MAX_DEPTH && !others.contains(at); depth++) {
            String parent = parents.get(at);
            if (parent == null || !at.ofSameTrace(parent).isValid()) {
                return at;
            }
            at = at.ofSameTrace(parent);
        }
        return at;
    }

    /** Returns whether a span is inside of one of others. */
    public boolean isWithin(SpanKey span, Set<SpanKey> others) {
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

    /** Returns whether the trace has a single root, and the root is another of the executions. */
    private boolean isBelowRoot(SpanKey span, Set<SpanKey> others) {
        Set<SpanKey> ofTrace = roots.getOrDefault(span.traceId(), Set.of());
        return ofTrace.size() == 1 && !ofTrace.contains(span) && others.containsAll(ofTrace);
    }
}
