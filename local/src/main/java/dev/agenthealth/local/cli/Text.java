package dev.agenthealth.local.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Formats values for people. */
final class Text {

    /** Escapes what is not ASCII, so that the encoding of the terminal does not matter. */
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final Map<String, String> STYLES = Map.ofEntries(
            Map.entry("ok", "32"),
            Map.entry("active", "32"),
            Map.entry("Healthy", "32"),
            Map.entry("degraded", "33"),
            Map.entry("draining", "33"),
            Map.entry("unhealthy", "33"),
            Map.entry("Degraded", "33"),
            Map.entry("down", "31"),
            Map.entry("dead", "31"),
            Map.entry("Unhealthy", "31"),
            Map.entry("blocked", "35"));

    private static final Pattern UNPRINTED = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private static final String BOLD = "1";
    private static final String RED = "31";

    private final boolean coloured;

    Text(Terminal terminal) {
        coloured = terminal.hasColours();
    }

    /** A word of a known meaning in its colour, padded to a width. */
    String word(String word, int width) {
        return styled(STYLES.getOrDefault(word, ""), pad(plain(word), width));
    }

    /** A number after the word that it counts, in that word's colour unless it is zero. */
    String count(String word, long number) {
        return word + " " + (number == 0 ? "0" : styled(STYLES.getOrDefault(word, ""), String.valueOf(number)));
    }

    String bold(String text) {
        return styled(BOLD, text);
    }

    String alarm(String text) {
        return styled(RED, text);
    }

    /** The text in an SGR style of ANSI terminals; an empty style is none. */
    private String styled(String style, String text) {
        return coloured && !style.isEmpty() ? "\u001b[" + style + "m" + text + "\u001b[0m" : text;
    }

    static String pad(String text, int width) {
        return String.format(Locale.ROOT, "%-" + Math.max(1, width) + "s", text);
    }

    /** Text of others without characters that control a terminal, break a line or change the direction of writing. */
    static String plain(String text) {
        return UNPRINTED.matcher(text).replaceAll("?");
    }

    /** The time since a moment, such as "5 min ago"; "never" for none. */
    static String ago(String moment, Instant now) {
        try {
            return since(Instant.parse(moment), now) + " ago";
        } catch (DateTimeParseException e) {
            return "never";
        }
    }

    /** The time since a moment in the largest unit that fits, such as "5 min". */
    static String since(Instant moment, Instant now) {
        return duration(Math.max(0, Duration.between(moment, now).toSeconds()));
    }

    /** A time in the largest unit that fits, such as "5 min". */
    static String duration(long seconds) {
        if (seconds <= 90) {
            return seconds + " s";
        }
        if (seconds < 90 * 60) {
            return Math.round(seconds / 60.0) + " min";
        }
        return seconds < 36 * 3600 ? Math.round(seconds / 3600.0) + " h" : Math.round(seconds / 86_400.0) + " d";
    }

    /** A number with one decimal at most; "-" for none. */
    static String number(JsonNode number) {
        return number.isNumber()
                ? String.format(Locale.ROOT, "%.1f", number.asDouble()).replaceFirst("\\.0$", "")
                : "-";
    }

    /** JSON on several lines. */
    static String json(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the value cannot be written as JSON", e);
        }
    }
}
