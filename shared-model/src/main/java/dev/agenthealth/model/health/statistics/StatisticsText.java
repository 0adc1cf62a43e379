package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.Counts;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Converts statistics to short texts and back, for storage and for messages between functions.
 *
 * <p>The text of statistics has their numbers in order, separated by commas. A zero is empty, and zeros at the end are left out. Semicolons
 * separate groups. A group is its number to base 36, a colon and its statistics; the sum of all other groups has no number. Readers skip statistics
 * that a later version adds at the end.
 */
public final class StatisticsText {

    private static final int BASE = 36;

    private StatisticsText() {}

    /** Returns the text of statistics; empty for statistics of no agents. */
    public static String of(AgentStatistics statistics) {
        StringBuilder text = new StringBuilder();
        int separators = 0;
        for (Statistic figure : Statistic.values()) {
            long number = statistics.get(figure);
            if (number != 0) {
                text.append(",".repeat(separators)).append(number);
                separators = 0;
            }
            separators++;
        }
        return text.toString();
    }

    /** Returns the statistics of a text. */
    public static AgentStatistics statistics(String text) {
        String[] numbers = text.split(",");
        Map<Statistic, Long> statistics = new EnumMap<>(Statistic.class);
        for (Statistic figure : Statistic.values()) {
            if (figure.ordinal() < numbers.length && !numbers[figure.ordinal()].isEmpty()) {
                statistics.put(figure, Long.valueOf(numbers[figure.ordinal()]));
            }
        }
        return new AgentStatistics(new Counts<>(statistics));
    }

    /** Returns the text of groups; empty without any group. */
    public static String of(GroupStatistics groups) {
        String text = new TreeMap<>(groups.byNumber())
                .entrySet().stream()
                        .map(group -> Long.toString(group.getKey(), BASE) + ":" + of(group.getValue()))
                        .collect(Collectors.joining(";"));
        if (groups.others().equals(AgentStatistics.NONE)) {
            return text;
        }
        return text + (text.isEmpty() ? "" : ";") + ":" + of(groups.others());
    }

    /** Returns the groups of a text. */
    public static GroupStatistics groups(String text) {
        Map<Long, AgentStatistics> byNumber = new HashMap<>();
        AgentStatistics others = AgentStatistics.NONE;
        for (String group : text.isEmpty() ? new String[0] : text.split(";")) {
            int colon = group.indexOf(':');
            AgentStatistics statistics = statistics(group.substring(colon + 1));
            if (colon == 0) {
                others = statistics;
            } else {
                byNumber.put(Long.valueOf(group.substring(0, colon), BASE), statistics);
            }
        }
        return new GroupStatistics(byNumber, others);
    }
}
