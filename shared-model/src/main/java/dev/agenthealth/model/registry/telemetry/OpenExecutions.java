package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tokens and calls of an agent's executions that may still go on, by its spans. An execution's own span ends last, often many requests after its first
 * calls. Until it arrives, the outermost known span around the calls stands for the execution. So a sum has at most the calls of one execution, and has
 * fewer while a span between a call and its execution is missing. Immutable.
 *
 * @param sums the sums, the latest change last; at most {@link #MAX}
 */
public record OpenExecutions(List<Sum> sums) {

    /** The maximum number of executions that are followed at once. With more of them, the sum of the oldest one begins again. */
    public static final int MAX = 16;

    public static final OpenExecutions NONE = new OpenExecutions(List.of());

    public OpenExecutions {
        sums = List.copyOf(sums);
    }

    /**
     * The calls below a span.
     *
     * @param span the span of the execution, or the outermost known span around its calls
     * @param numbers the tokens and calls
     * @param ended whether the span is an execution that has ended; late calls may follow
     */
    public record Sum(SpanKey span, Counts<UsageCounter> numbers, boolean ended) {

        /** Returns the tokens and calls as the usage of one model. */
        public Usage usage() {
            return Usage.of(ModelName.UNKNOWN, numbers.numbers());
        }
    }

    /**
     * Returns the sums after another request.
     *
     * @param calls the usage of calls that are new, by the span around them
     * @param parents the spans of the request
     */
    public OpenExecutions plus(Map<SpanKey, Usage> calls, ExecutionParents parents) {
        Map<SpanKey, Sum> after = new LinkedHashMap<>();
        // Spans between the calls and the execution may arrive later than the calls.
        sums.forEach(sum -> add(sum, parents, after));
        calls.forEach((span, usage) -> add(new Sum(span, usage.total(), false), parents, after));
        List<Sum> bounded = new ArrayList<>(after.values());
        while (bounded.size() > MAX) {
            bounded.remove(bounded.stream().filter(Sum::ended).findFirst().orElse(bounded.get(0)));
        }
        return new OpenExecutions(bounded);
    }

    private static void add(Sum more, ExecutionParents parents, Map<SpanKey, Sum> sums) {
        SpanKey around = parents.around(more.span);
        Sum before = sums.containsKey(around) ? sums.remove(around) : new Sum(around, Counts.none(), false);
        boolean ended = before.ended || more.ended || parents.isExecution(around);
        sums.put(around, new Sum(around, before.numbers.plus(more.numbers), ended));
    }

    /** Returns whether a call uses something that a limit of an execution counts. */
    public static boolean counts(Usage call) {
        return call.tokens(true) > 0 || call.total().get(UsageCounter.MODEL_CALLS) > 0;
    }

    /** Returns the sums that are not the same in an earlier state. */
    public List<Sum> changedSince(OpenExecutions earlier) {
        Set<Sum> known = new HashSet<>(earlier.sums);
        return sums.stream().filter(sum -> !known.contains(sum)).toList();
    }
}
