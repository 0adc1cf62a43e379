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

    /** Escapes characters outside ASCII, so that the encoding of the terminal does not matter. */
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

    /** A time in a sentence of the registry, with the word before it. */
    private static final Pattern WRITTEN = Pattern.compile(
            "(?:\\b(at|since|until) )?(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z)(?:\\[[\\w/+-]{1,64}])?");

    private static final Pattern UNPRINTED = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private static final String BOLD = "1";
    private static final String RED = "31";

    private final boolean coloured;

    Text(Terminal terminal) {
        coloured = terminal.hasColours();
    }

    /** Returns a word in the colour of its meaning, padded to a width. */
    String word(String word, int width) {
        return styled(STYLES.getOrDefault(word, ""), pad(plain(word), width));
    }

    /** Returns a number after its word, in the word's colour unless the number is zero. */
    String count(String word, long number) {
        return word + " " + (number == 0 ? "0" : styled(STYLES.getOrDefault(word, ""), String.valueOf(number)));
    }

    String bold(String text) {
        return styled(BOLD, text);
    }

    String alarm(String text) {
        return styled(RED, text);
    }

    /** Returns the text in an SGR style of ANSI terminals; an empty style changes nothing. */
    private String styled(String style, String text) {
        return coloured && !style.isEmpty() ? "\u001b[" + style + "m" + text + "\u001b[0m" : text;
    }

    static String pad(String text, int width) {
        return String.format(Locale.ROOT, "%-" + Math.max(1, width) + "s", text);
    }

    /** Returns foreign text without characters that control a terminal, break a line or change the direction of writing. */
    static String plain(String text) {
        return UNPRINTED.matcher(text).replaceAll("?");
    }

    /** Returns the time since a moment, such as "5 min ago"; "never" for none. */
    static String ago(String moment, Instant now) {
        try {
            return since(Instant.parse(moment), now) + " ago";
        } catch (DateTimeParseException e) {
            return "never";
        }
    }

    /** Returns the distance of a moment from now, such as "5 min ago" or "in 2 h"; "-" for none. */
    static String moment(String moment, Instant now) {
        try {
            Instant time = Instant.parse(moment);
            return time.isAfter(now) ? "in " + since(now, time) : since(time, now) + " ago";
        } catch (DateTimeParseException e) {
            return "-";
        }
    }

    /** Returns a sentence of the registry with its times in the form of the page: "since 2026-02-08T14:02:00Z" becomes "for 5 min". */
    static String spoken(String sentence, Instant now) {
        return WRITTEN.matcher(sentence).replaceAll(found -> {
            String word = found.group(1) == null ? "" : found.group(1);
            Instant at = Instant.parse(found.group(2));
            if (word.equals("since") && !at.isAfter(now)) {
                return "for " + since(at, now);
            }
            if (word.equals("until") && at.isAfter(now)) {
                return "for " + since(now, at) + " more";
            }
            return (word.isEmpty() || word.equals("at") ? "" : word + " ") + moment(found.group(2), now);
        });
    }

    /** Returns the time since a moment in the largest unit that fits, such as "5 min". */
    static String since(Instant moment, Instant now) {
        return duration(Math.max(0, Duration.between(moment, now).toSeconds()));
    }

    /** Returns a duration in the largest unit that fits, such as "5 min". Short ones have a decimal, such as "2.5 min", as on the page. */
    static String duration(long seconds) {
        if (seconds <= 90) {
            return seconds + " s";
        }
        if (seconds < 300) {
            return number(seconds / 60.0) + " min";
        }
        if (seconds < 90 * 60) {
            return Math.round(seconds / 60.0) + " min";
        }
        return seconds < 36 * 3600 ? Math.round(seconds / 3600.0) + " h" : Math.round(seconds / 86_400.0) + " d";
    }

    /** Returns a number with at most one decimal; "-" for none. */
    static String number(JsonNode number) {
        return number.isNumber() ? number(number.asDouble()) : "-";
    }

    private static String number(double number) {
        return String.format(Locale.ROOT, "%.1f", number).replaceFirst("\\.0$", "");
    }

    /** Returns JSON on several lines. */
    static String json(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the value cannot be written as JSON", e);
        }
    }
}
