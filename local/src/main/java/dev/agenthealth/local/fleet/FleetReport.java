package dev.agenthealth.local.fleet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How many simulated agents of each behaviour the registry saw as they were, and which it did not. Not thread-safe. */
public final class FleetReport {

    private static final String ROW = "%-12s %7s %12s   %-21s %-21s %-19s %s%n";
    private static final int MAX_SURPRISES = 20;

    private final Map<Behaviour, List<Line>> lines = new EnumMap<>(Behaviour.class);

    /**
     * What the registry made of one agent.
     *
     * @param reasons the reasons of its lifecycle events, in order, each in angle brackets
     * @param health its health
     * @param unexpectedAnswers answers that its behaviour does not explain
     */
    record Line(String agentId, Behaviour behaviour, String reasons, FoundHealth health, int unexpectedAnswers) {

        boolean isAsExpected() {
            return behaviour.explains(reasons) && behaviour.expected().explains(health) && unexpectedAnswers == 0;
        }

        String text() {
            return agentId + ": " + reasons + ", shown as " + health.shown() + ", is " + health.status() + ", score "
                    + health.scoreState()
                    + (unexpectedAnswers > 0 ? ", unexpected answers: " + unexpectedAnswers : "");
        }
    }

    void add(Line line) {
        lines.computeIfAbsent(line.behaviour(), behaviour -> new ArrayList<>()).add(line);
    }

    /** The agents that the registry did not see as they were, each with its events and its health. */
    public List<String> surprises() {
        return lines.values().stream()
                .flatMap(List::stream)
                .filter(line -> !line.isAsExpected())
                .map(Line::text)
                .toList();
    }

    /** A table for people. */
    public String text() {
        StringBuilder text = new StringBuilder(String.format(
                ROW, "behaviour", "agents", "as expected", "health expected", "found", "score expected", "found"));
        lines.forEach((behaviour, group) -> text.append(String.format(
                ROW,
                behaviour.word(),
                group.size(),
                group.stream().filter(Line::isAsExpected).count(),
                words(behaviour.expected().status()),
                found(group, FoundHealth::status),
                words(behaviour.expected().scoreState()),
                found(group, FoundHealth::scoreState))));
        surprises().stream().limit(MAX_SURPRISES).forEach(surprise -> text.append(surprise)
                .append(System.lineSeparator()));
        return text.toString();
    }

    private static String words(Set<String> words) {
        return words.stream().sorted().collect(Collectors.joining(" or "));
    }

    /** The word that was found, or, where there were several, how often each was. */
    private static String found(List<Line> group, Function<FoundHealth, String> word) {
        Map<String, Long> counts = group.stream()
                .collect(Collectors.groupingBy(line -> word.apply(line.health()), TreeMap::new, Collectors.counting()));
        return counts.size() == 1
                ? counts.keySet().iterator().next()
                : counts.entrySet().stream()
                        .map(count -> count.getValue() + " " + count.getKey())
                        .collect(Collectors.joining(", "));
    }
}
