package dev.agenthealth.model.census;

import dev.agenthealth.model.Counts;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Figures as short texts, for storage and for messages between functions.
 *
 * <p>Figures are their numbers in order, separated by commas, zeros left empty and those at the end left out. Groups are separated by
 * semicolons, each its number to the base 36, a colon and its figures; the other groups together have no number. Figures that a later
 * version adds at the end are skipped.
 */
public final class CensusText {

    private static final int BASE = 36;

    private CensusText() {}

    /** The text of figures; empty for those of no agents. */
    public static String of(FleetFigures figures) {
        StringBuilder text = new StringBuilder();
        int separators = 0;
        for (Figure figure : Figure.values()) {
            long number = figures.get(figure);
            if (number != 0) {
                text.append(",".repeat(separators)).append(number);
                separators = 0;
            }
            separators++;
        }
        return text.toString();
    }

    /** The figures of a text. */
    public static FleetFigures figures(String text) {
        String[] numbers = text.split(",");
        Map<Figure, Long> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            if (figure.ordinal() < numbers.length && !numbers[figure.ordinal()].isEmpty()) {
                figures.put(figure, Long.valueOf(numbers[figure.ordinal()]));
            }
        }
        return new FleetFigures(new Counts<>(figures));
    }

    /** The text of groups; empty for none. */
    public static String of(GroupFigures groups) {
        String text = new TreeMap<>(groups.byNumber())
                .entrySet().stream()
                        .map(group -> Long.toString(group.getKey(), BASE) + ":" + of(group.getValue()))
                        .collect(Collectors.joining(";"));
        if (groups.others().equals(FleetFigures.NONE)) {
            return text;
        }
        return text + (text.isEmpty() ? "" : ";") + ":" + of(groups.others());
    }

    /** The groups of a text. */
    public static GroupFigures groups(String text) {
        Map<Long, FleetFigures> byNumber = new HashMap<>();
        FleetFigures others = FleetFigures.NONE;
        for (String group : text.isEmpty() ? new String[0] : text.split(";")) {
            int colon = group.indexOf(':');
            FleetFigures figures = figures(group.substring(colon + 1));
            if (colon == 0) {
                others = figures;
            } else {
                byNumber.put(Long.valueOf(group.substring(0, colon), BASE), figures);
            }
        }
        return new GroupFigures(byNumber, others);
    }
}
