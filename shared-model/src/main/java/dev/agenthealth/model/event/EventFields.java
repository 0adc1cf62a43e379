package dev.agenthealth.model.event;

import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of a received event.
 *
 * @param texts the texts, numbers and lists of the detail, as texts by name; the elements of a list are separated by a comma and a space
 */
public record EventFields(Map<String, String> texts) {

    /** An optional part of a template in brackets, or a field in braces. */
    private static final Pattern PART = Pattern.compile("\\[([^\\]]*)]|\\{(\\w+)}");

    public EventFields {
        texts = Map.copyOf(texts);
    }

    /** Returns a field; empty if it is missing. */
    public String text(String name) {
        return texts.getOrDefault(name, "");
    }

    /** Returns the first of several fields that is not empty; empty if all are. */
    public String first(String... names) {
        for (String name : names) {
            if (!text(name).isEmpty()) {
                return text(name);
            }
        }
        return "";
    }

    /** Returns whether a field has the wire name of a constant. */
    public boolean is(String name, WireNamed value) {
        return text(name).equals(value.wireName());
    }

    /** Returns the constant that a field names; empty if the field is missing or has a word of a later version. */
    public <E extends Enum<E> & WireNamed> Optional<E> word(String name, Class<E> type) {
        return WireNamed.find(type, text(name));
    }

    /** Returns the severity of the event. */
    public Severity severity() {
        return word("severity", Severity.class).orElse(Severity.WARNING);
    }

    /** Returns the time in a field; empty if the field is no time that the registry writes. */
    public Optional<Instant> moment(String name) {
        try {
            return Optional.of(Instant.parse(text(name))).filter(Timestamps::isWritable);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Returns the time in a field as sentences have it; empty if the field is no time. */
    public Optional<String> written(String name) {
        return moment(name).map(Timestamps::text);
    }

    /**
     * Returns a template with the values of its fields, such as {@code Agent {agent_id} failed[ with exit code {exit_code}].} A part in brackets is
     * left out if one of its fields is empty.
     */
    public String fill(String template) {
        return PART.matcher(template).replaceAll(part -> Matcher.quoteReplacement(value(part)));
    }

    private String value(MatchResult part) {
        if (part.group(2) != null) {
            return text(part.group(2));
        }
        String optional = part.group(1);
        boolean complete = PART.matcher(optional).results().noneMatch(field -> text(field.group(2))
                .isEmpty());
        return complete ? fill(optional) : "";
    }
}
