package dev.agenthealth.local.fleet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How many simulated agents of each behaviour the registry saw as they were, and which it did not. Not thread-safe. */
public final class FleetReport {

    private final Map<Behaviour, int[]> counts = new EnumMap<>(Behaviour.class);
    private final List<String> surprises = new ArrayList<>();

    void add(Behaviour behaviour, String agentId, boolean asExpected, String reasons, int unexpectedAnswers) {
        int[] count = counts.computeIfAbsent(behaviour, b -> new int[2]);
        count[0]++;
        if (asExpected) {
            count[1]++;
        } else {
            surprises.add(agentId + ": " + reasons
                    + (unexpectedAnswers > 0 ? ", unexpected answers: " + unexpectedAnswers : ""));
        }
    }

    /** The agents that the registry did not see as they were, each with its events. */
    public List<String> surprises() {
        return List.copyOf(surprises);
    }

    /** A table for people. */
    public String text() {
        StringBuilder text = new StringBuilder(String.format("%-10s %7s %12s%n", "behaviour", "agents", "as expected"));
        counts.forEach((behaviour, count) ->
                text.append(String.format("%-10s %7d %12d%n", behaviour.word(), count[0], count[1])));
        surprises.stream().limit(20).forEach(surprise -> text.append(surprise).append(System.lineSeparator()));
        return text.toString();
    }
}
