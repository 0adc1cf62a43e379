package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The last calls of an agent by its spans, for its latest executions. Immutable.
 *
 * @param executions the executions, the latest last; at most {@link #MAX_EXECUTIONS}
 */
public record CallHistory(List<ExecutionCalls> executions) {

    /** The maximum number of executions that are followed at once. More executions at once hide loops. */
    public static final int MAX_EXECUTIONS = 8;

    /** The history of an agent without calls. */
    public static final CallHistory NONE = new CallHistory(List.of());

    public CallHistory {
        executions = List.copyOf(executions);
    }

    /**
     * The history after more spans.
     *
     * @param history the new history
     * @param repeated the spans that repeat an earlier call
     */
    public record Step(CallHistory history, Set<SpanKey> repeated) {}

    /** Returns the history after more calls and ends of executions, in the order in which they ended. */
    public Step plus(Collection<SpanCall> calls, Collection<Execution> ended) {
        List<ExecutionCalls> after = new ArrayList<>(executions);
        Set<SpanKey> repeated = new HashSet<>();
        Stream.concat(
                        calls.stream().map(call -> new Part(call.span(), List.of(call))),
                        ended.stream().map(execution -> new Part(execution.span(), List.of())))
                .sorted(Part.IN_ORDER)
                .forEach(part -> add(part, after, repeated));
        return new Step(new CallHistory(after), repeated);
    }

    /** A call, or the end of an execution, which has no call. */
    private record Part(Span span, List<SpanCall> call) {

        private static final Comparator<Part> IN_ORDER = Comparator.<Part, Long>comparing(
                        part -> part.span.endNanos(), Long::compareUnsigned)
                .thenComparing(part -> part.span.key().spanId());
    }

    private static void add(Part part, List<ExecutionCalls> executions, Set<SpanKey> repeated) {
        long trace = number(Sha256.of(part.span.key().traceId()));
        int at = 0;
        while (at < executions.size() && executions.get(at).trace() != trace) {
            at++;
        }
        boolean known = at < executions.size();
        ExecutionCalls before = known ? executions.get(at) : ExecutionCalls.of(trace);
        if (!before.isBefore(part.span)) {
            return;
        }
        if (!known && executions.size() == MAX_EXECUTIONS && !makesRoom(executions, !part.call.isEmpty())) {
            return;
        }
        ExecutionCalls after = part.call.isEmpty() ? before.ended(part.span) : before.plus(part.call.get(0));
        if (known) {
            executions.remove(at);
        }
        // The end of an execution may arrive before its calls, which are then late.
        executions.add(after);
        part.call.stream()
                .filter(call -> (call.isOfTool() ? after.tools() : after.models()).repeats() > 0)
                .forEach(call -> repeated.add(call.span().key()));
    }

    /** Removes the oldest execution without calls, else the oldest one if there is a call. Returns whether it removed one. */
    private static boolean makesRoom(List<ExecutionCalls> executions, boolean forCall) {
        for (int i = 0; i < executions.size(); i++) {
            if (executions.get(i).hasEnded()) {
                executions.remove(i);
                return true;
            }
        }
        if (forCall) {
            executions.remove(0);
        }
        return forCall;
    }

    /** Returns the first eight bytes of a hash as a number. */
    static long number(byte[] hash) {
        return new BigInteger(hash, 0, Long.BYTES).longValue();
    }

    /** Returns the largest repetition of the executions with calls within {@code maxAge} before {@code now}. */
    public Repetition repetition(Duration maxAge, Instant now) {
        return executions.stream()
                .filter(execution -> !execution.lastAt().plus(maxAge).isBefore(now))
                .map(ExecutionCalls::repetition)
                .max(Comparator.comparingInt(Repetition::repeats))
                .orElse(Repetition.NONE);
    }
}
