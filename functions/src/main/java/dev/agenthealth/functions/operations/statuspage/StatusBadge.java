package dev.agenthealth.functions.operations.statuspage;

import java.util.Map;

/** Draws the badge of an entry: its label, its state and its availability. */
final class StatusBadge {

    private static final Map<String, String> COLOURS =
            Map.of("operational", "#067647", "degraded", "#b54708", "down", "#b42318", "maintenance", "#175cd3");
    private static final String UNKNOWN = "#475467";
    private static final int CHARACTER = 7;
    private static final int PADDING = 16;

    private StatusBadge() {}

    static String svg(StatusLine line) {
        String label = line.entry().label();
        String value = line.percent().isEmpty() ? line.words() : line.words() + ", " + line.percent();
        int left = width(label);
        int right = width(value);
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="20" role="img" aria-label="%2$s: %3$s"><title>%2$s: %3$s</title>\
                <rect width="%1$d" height="20" rx="4" fill="#344054"/><path d="M%4$d 0h%5$dv20h-%5$dz" fill="%6$s"/>\
                <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="8" y="14">%2$s</text>\
                <text x="%7$d" y="14">%3$s</text></g></svg>
                """
                .formatted(
                        left + right,
                        StatusView.escaped(label),
                        StatusView.escaped(value),
                        left,
                        right,
                        COLOURS.getOrDefault(line.words(), UNKNOWN),
                        left + 8);
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length()) * CHARACTER + PADDING;
    }
}
