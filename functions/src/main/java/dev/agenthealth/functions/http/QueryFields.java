package dev.agenthealth.functions.http;

import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Ids;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Reads the query parameters of a request, and collects every mistake instead of stopping at the first.
 *
 * <p>A reader never throws for a wrong parameter: it notes the mistake and answers as if the parameter were absent, which it is
 * also when it is empty. {@link #check()} throws once everything was read. Not thread-safe.
 */
public final class QueryFields {

    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,9}");

    private final ApiRequest request;
    private final List<FieldError> errors = new ArrayList<>();

    QueryFields(ApiRequest request) {
        this.request = request;
    }

    /** Notes a mistake of a parameter that was read. */
    public void refuse(String name, String message) {
        errors.add(new FieldError(name, message));
    }

    /**
     * Ends the reading.
     *
     * @throws Problem 400 naming every mistake, where there is one
     */
    public void check() {
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
    }

    /** Whether the request has this parameter, empty though it may be. */
    public boolean mentions(String name) {
        return request.hasQuery(name);
    }

    /** A text; empty where it is absent. */
    public String text(String name) {
        return request.query(name);
    }

    /** An id; empty where it is absent. */
    public String id(String name) {
        String id = text(name);
        if (!id.isEmpty() && !Ids.isValid(id)) {
            refuse(name, Ids.RULE);
            return "";
        }
        return id;
    }

    /** A whole number within bounds. */
    public OptionalInt integer(String name, int minimum, int maximum) {
        String value = text(name);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        // The parser alone would read the digits of any script.
        if (WHOLE_NUMBER.matcher(value).matches()) {
            int number = Integer.parseInt(value);
            if (number >= minimum && number <= maximum) {
                return OptionalInt.of(number);
            }
        }
        refuse(name, "must be a whole number from " + minimum + " to " + maximum);
        return OptionalInt.empty();
    }

    /** The words of a comma-separated list, without repeats and blanks; empty where it is absent. */
    public List<String> words(String name) {
        return Arrays.stream(text(name).split(","))
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
    }

    /** A moment in ISO 8601 with a time zone. */
    public Optional<Instant> moment(String name) {
        String value = text(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> moment = ApiRequest.moment(value);
        if (moment.isEmpty()) {
            refuse(name, "must be a date and time with a time zone in ISO 8601, such as 2026-02-08T10:30:00Z");
        }
        return moment;
    }
}
