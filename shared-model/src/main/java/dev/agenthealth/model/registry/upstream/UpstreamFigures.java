package dev.agenthealth.model.registry.upstream;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The failing calls of a provider by model and kind of failure.
 *
 * @param parts at most {@value #MAX_PARTS} parts, first the parts with most agents
 */
public record UpstreamFigures(List<Part> parts) {

    /** The maximum number of parts. */
    public static final int MAX_PARTS = 20;

    /** No failing calls. */
    public static final UpstreamFigures NONE = new UpstreamFigures(List.of());

    /**
     * Failing calls of one model with one kind of failure.
     *
     * @param model the model; empty if unknown
     * @param agents the number of agents
     * @param calls the number of failing calls
     */
    public record Part(String model, UpstreamError error, long agents, long calls) {

        private Part plus(Part other) {
            return new Part(model, error, agents + other.agents, calls + other.calls);
        }
    }

    public UpstreamFigures {
        parts = parts.stream()
                .sorted(Comparator.comparingLong(Part::agents)
                        .reversed()
                        .thenComparing(Part::model)
                        .thenComparing(Part::error))
                .limit(MAX_PARTS)
                .toList();
    }

    /** Returns the figures of failing entries. */
    static UpstreamFigures of(List<UpstreamCalls.Entry> failing) {
        return new UpstreamFigures(List.copyOf(failing.stream()
                .flatMap(entry -> entry.error().stream().map(error -> new Part(entry.model(), error, 1, entry.calls())))
                .collect(Collectors.toMap(
                        part -> part.model() + ' ' + part.error(), part -> part, Part::plus, TreeMap::new))
                .values()));
    }

    /** Returns the number of failing calls. */
    public long calls() {
        return parts.stream().mapToLong(Part::calls).sum();
    }

    /** Returns the kinds of failures, first the kind that most agents meet. */
    public List<UpstreamError> errors() {
        return byAgents(
                parts.stream().collect(Collectors.groupingBy(Part::error, Collectors.summingLong(Part::agents))));
    }

    /** Returns the known models, first the model that most agents call. */
    public List<String> models() {
        return byAgents(parts.stream()
                .filter(part -> !part.model().isEmpty())
                .collect(Collectors.groupingBy(Part::model, Collectors.summingLong(Part::agents))));
    }

    private static <K extends Comparable<K>> List<K> byAgents(Map<K, Long> agents) {
        return agents.entrySet().stream()
                .sorted(Map.Entry.<K, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
