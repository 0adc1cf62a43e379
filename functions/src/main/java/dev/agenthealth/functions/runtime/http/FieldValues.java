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

/** The meanings of values of fields. */
final class FieldValues {

    private static final double SMALLEST = 1e-100;
    private static final double LARGEST = 1e100;

    /** Says which numbers can be stored. */
    static final String STORABLE_RULE = "must be 0 or a number of a magnitude from " + SMALLEST + " to " + LARGEST;

    private static final int MAX_SCALE = 20;

    /** The digits of other scripts, which the number parser accepts, do not match. */
    private static final Pattern WHOLE_TEXT = Pattern.compile("-?[0-9]{1,9}");

    private FieldValues() {}

    /** The whole number that a value of JSON is; empty where it is none. */
    static Optional<BigDecimal> whole(JsonNode value) {
        // 1e999999999 must not be expanded only to find out that it is whole.
        boolean whole = value.isIntegralNumber()
                || value.isBigDecimal()
                        && Math.abs(value.decimalValue().scale()) <= MAX_SCALE
                        && value.decimalValue().stripTrailingZeros().scale() <= 0;
        return whole ? Optional.of(value.decimalValue()) : Optional.empty();
    }

    /** The whole number of at most nine digits that a text is; empty where it is none. */
    static Optional<BigDecimal> whole(String text) {
        return Optional.of(text)
                .filter(digits -> WHOLE_TEXT.matcher(digits).matches())
                .map(BigDecimal::new);
    }

    /** The number if it can be stored. One that is too small for a double is not 0. */
    static OptionalDouble storable(JsonNode number) {
        double magnitude = Math.abs(number.doubleValue());
        boolean storable =
                magnitude == 0 ? number.decimalValue().signum() == 0 : magnitude >= SMALLEST && magnitude <= LARGEST;
        return storable ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
    }

    /** The instant, in whole milliseconds, of an ISO 8601 text with a time zone, whose year in UTC has four digits; empty for any other text. */
    static Optional<Instant> moment(String text) {
        try {
            // An offset may lead out of the years of four digits.
            return Optional.of(OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS))
                    .filter(Timestamps::isWritable);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The rule that a text breaks; empty where it breaks none. */
    static Optional<String> brokenRule(String text, int maxLength) {
        if (text.codePointCount(0, text.length()) > maxLength) {
            return Optional.of("may have at most " + maxLength + " characters");
        }
        return text.codePoints().anyMatch(Character::isISOControl)
                ? Optional.of("must not contain control characters")
                : Optional.empty();
    }

    /** Returns whether a value of JSON is this text, whole number, moment in any spelling, or null. */
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
