package dev.agenthealth.local.fleet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The simulated agents by behaviour, with the registry's view of each. Not thread-safe. */
public final class FleetReport {

    private static final String ROW = "%-12s %7s %12s   %-21s %-21s %-19s %s%n";
    private static final int MAX_MISMATCHES = 20;

    private final Map<Behaviour, List<Line>> lines = new EnumMap<>(Behaviour.class);

    /**
     * The registry's view of one agent.
     *
     * @param reasons the reasons of its lifecycle events, in order, each in angle brackets
     * @param health its health
     * @param unexpectedAnswers number of answers that do not match its behaviour
     */
    record Line(String agentId, Behaviour behaviour, String reasons, FoundHealth health, int unexpectedAnswers) {

        boolean isAsExpected() {
            return behaviour.matches(reasons) && behaviour.expected().matches(health) && unexpectedAnswers == 0;
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

    /** Returns the agents with events, health or answers that do not match their behaviour. */
    public List<String> mismatches() {
        return lines.values().stream()
                .flatMap(List::stream)
                .filter(line -> !line.isAsExpected())
                .map(Line::text)
                .toList();
    }

    /** Returns a table with a row per behaviour, and the first mismatches. */
    public String text() {
        StringBuilder text = new StringBuilder(String.format(
                ROW, "behaviour", "agents", "as expected", "health expected", "found", "score expected", "found"));
        lines.forEach((behaviour, group) -> text.append(String.format(
                ROW,
                behaviour.wireName(),
                group.size(),
                group.stream().filter(Line::isAsExpected).count(),
                words(behaviour.expected().status()),
                found(group, FoundHealth::status),
                words(behaviour.expected().scoreState()),
                found(group, FoundHealth::scoreState))));
        mismatches().stream().limit(MAX_MISMATCHES).forEach(mismatch -> text.append(mismatch)
                .append(System.lineSeparator()));
        return text.toString();
    }

    private static String words(Set<String> words) {
        return words.stream().sorted().collect(Collectors.joining(" or "));
    }

    /** Returns the found value, or the count of each value. */
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
