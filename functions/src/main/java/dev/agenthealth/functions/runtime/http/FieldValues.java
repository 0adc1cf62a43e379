package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.Timestamps;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Interprets the values of fields. */
final class FieldValues {

    private static final double SMALLEST = 1e-100;
    private static final double LARGEST = 1e100;

    /** The rule for numbers that can be stored. */
    static final String STORABLE_RULE = "must be 0 or a number of a magnitude from " + SMALLEST + " to " + LARGEST;

    private static final int MAX_SCALE = 20;

    /** Matches a whole number in ASCII digits. The number parser also accepts the digits of other scripts. */
    private static final Pattern WHOLE_TEXT = Pattern.compile("-?[0-9]{1,9}");

    private FieldValues() {}

    /** Returns the whole number in a JSON value; empty if the value is no whole number. */
    static Optional<BigDecimal> whole(JsonNode value) {
        // 1e999999999 must not be expanded only to find out that it is whole.
        boolean whole = value.isIntegralNumber()
                || value.isBigDecimal()
                        && Math.abs(value.decimalValue().scale()) <= MAX_SCALE
                        && value.decimalValue().stripTrailingZeros().scale() <= 0;
        return whole ? Optional.of(value.decimalValue()) : Optional.empty();
    }

    /** Returns the whole number of at most nine digits in a text; empty if the text is no such number. */
    static Optional<BigDecimal> whole(String text) {
        return Optional.of(text)
                .filter(digits -> WHOLE_TEXT.matcher(digits).matches())
                .map(BigDecimal::new);
    }

    /** Returns the number if it can be stored. A number that is too small for a double does not become 0. */
    static OptionalDouble storable(JsonNode number) {
        double magnitude = Math.abs(number.doubleValue());
        boolean storable =
                magnitude == 0 ? number.decimalValue().signum() == 0 : magnitude >= SMALLEST && magnitude <= LARGEST;
        return storable ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
    }

    /**
     * Returns the instant of an ISO 8601 text with a time zone, in whole milliseconds. Empty for any other text, or if the year in UTC does
     * not have four digits.
     */
    static Optional<Instant> moment(String text) {
        try {
            // The offset may move the instant out of the years with four digits.
            return Optional.of(OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS))
                    .filter(Timestamps::isWritable);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the rule that a text breaks; empty if the text breaks no rule. */
    static Optional<String> brokenRule(String text, int maxLength) {
        if (text.length() > maxLength && text.codePointCount(0, text.length()) > maxLength) {
            return Optional.of("may have at most " + maxLength + " characters");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return Optional.of("must not contain control characters");
            }
        }
        return Optional.empty();
    }

    /** Returns whether a JSON value equals this text, whole number, moment in any spelling, or null. */
    static boolean same(JsonNode sent, Object value) {
        if (value instanceof Instant moment) {
            return moment(sent.asText()).equals(Optional.of(moment.truncatedTo(ChronoUnit.MILLIS)));
        }
        if (value instanceof Long number) {
            return whole(sent)
                    .filter(whole -> whole.compareTo(BigDecimal.valueOf(number)) == 0)
                    .isPresent();
        }
        return value == null
                ? sent.isNull()
                : sent.isTextual() && sent.textValue().equals(value);
    }
}
