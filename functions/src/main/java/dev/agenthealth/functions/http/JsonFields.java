package dev.agenthealth.functions.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.json.UnreadableJsonException;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Ids;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads the fields of a JSON object that a caller sent, and collects every mistake instead of stopping at the first.
 *
 * <p>A reader never throws for a wrong field: it notes the mistake and answers as if the field were absent. {@link #check()}
 * throws once everything was read. JSON {@code null} counts as absent. Not thread-safe.
 */
public final class JsonFields {

    private static final double SMALLEST = 1e-100;
    private static final double LARGEST = 1e100;

    private static final BigDecimal MAX_WHOLE = BigDecimal.valueOf(999_999_999_999_999_999L);

    private final JsonNode node;
    private final String prefix;
    private final Map<String, FieldError> errors;
    private final Set<String> known = new HashSet<>();

    private JsonFields(JsonNode node, String prefix, Map<String, FieldError> errors) {
        this.node = node;
        this.prefix = prefix;
        this.errors = errors;
    }

    /**
     * The fields of a body.
     *
     * @throws Problem 400 where the body is no JSON object
     */
    public static JsonFields of(String body) {
        if (body.isBlank()) {
            throw Problem.malformed("The request needs a JSON object as its body.");
        }
        JsonNode tree = received(body);
        if (!tree.isObject()) {
            throw Problem.malformed("The request body must be a JSON object.");
        }
        return new JsonFields(tree, "", new LinkedHashMap<>());
    }

    private static JsonNode received(String body) {
        try {
            return Json.received(body);
        } catch (UnreadableJsonException e) {
            throw Problem.malformed("The request body " + e.getMessage() + ".");
        }
    }

    /** Whether the field is there and not null. */
    public boolean has(String field) {
        return node.hasNonNull(field);
    }

    /** Whether the field is there, be it null: in a profile change, null clears. */
    public boolean mentions(String field) {
        return node.has(field);
    }

    /** Notes a mistake of a field, where none is noted yet. */
    public void refuse(String field, String message) {
        refuse(List.of(new FieldError(prefix + field, message)));
    }

    /** Notes mistakes that a rule of the model found; their field names are taken as they are. */
    public void refuse(List<FieldError> found) {
        found.forEach(error -> errors.putIfAbsent(error.field(), error));
    }

    /** How many fields of the whole body have a mistake so far. */
    public int mistakes() {
        return errors.size();
    }

    /** Notes a mistake where the field is absent, or an empty text. */
    public void require(String field) {
        if (!has(field)
                || node.get(field).isTextual() && node.get(field).textValue().isEmpty()) {
            refuse(field, "is required");
        }
    }

    /** Notes a mistake for every field that nobody has read: a misspelt name must not silently become a default. */
    public void refuseUnknown() {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                refuse(name, "is not a field of this request");
            }
        }
    }

    /**
     * Ends the reading.
     *
     * @throws Problem 400 naming every mistake, where there is one
     */
    public void check() {
        if (!errors.isEmpty()) {
            throw Problem.invalid(List.copyOf(errors.values()));
        }
    }

    /** A text of at most {@code maxLength} characters without control characters; empty where it is absent. */
    public String text(String field, int maxLength) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return "";
        }
        if (!value.isTextual()) {
            refuse(field, "must be a text");
            return "";
        }
        return checkedText(field, value.textValue(), maxLength);
    }

    /** An id; empty where it is absent. */
    public String id(String field) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return "";
        }
        if (!value.isTextual()) {
            refuse(field, "must be a text");
            return "";
        }
        if (!Ids.isValid(value.textValue())) {
            refuse(field, Ids.RULE);
            return "";
        }
        return value.textValue();
    }

    /** A whole number within bounds. */
    public OptionalInt integer(String field, int minimum, int maximum) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return OptionalInt.empty();
        }
        if (!isWhole(value)) {
            refuse(field, "must be a whole number");
            return OptionalInt.empty();
        }
        BigDecimal number = value.decimalValue();
        if (number.compareTo(BigDecimal.valueOf(minimum)) < 0 || number.compareTo(BigDecimal.valueOf(maximum)) > 0) {
            refuse(field, "must be from " + minimum + " to " + maximum);
            return OptionalInt.empty();
        }
        return OptionalInt.of(number.intValue());
    }

    /** A whole number of at most 18 digits. */
    public OptionalLong wholeNumber(String field) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return OptionalLong.empty();
        }
        if (!isWhole(value) || value.decimalValue().abs().compareTo(MAX_WHOLE) > 0) {
            refuse(field, "must be a whole number of at most 18 digits");
            return OptionalLong.empty();
        }
        return OptionalLong.of(value.decimalValue().longValue());
    }

    /** A number: 0, or one whose magnitude is from {@value #SMALLEST} to {@value #LARGEST}, which is what can be stored. */
    public OptionalDouble number(String field) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return OptionalDouble.empty();
        }
        if (!value.isNumber()) {
            refuse(field, "must be a number");
            return OptionalDouble.empty();
        }
        double number = value.doubleValue();
        double magnitude = Math.abs(number);
        if (magnitude != 0 && !(magnitude >= SMALLEST && magnitude <= LARGEST)) {
            refuse(field, "must be 0 or a number of a magnitude from " + SMALLEST + " to " + LARGEST);
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(number);
    }

    /** True or false; {@code otherwise} where it is absent. */
    public boolean flag(String field, boolean otherwise) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            refuse(field, "must be true or false");
            return otherwise;
        }
        return value.booleanValue();
    }

    /** A moment in ISO 8601 with a time zone. */
    public Optional<Instant> timestamp(String field) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (value.isTextual()) {
            Optional<Instant> moment = moment(value.textValue());
            if (moment.isPresent()) {
                return moment;
            }
        }
        refuse(field, "must be a date and time with a time zone in ISO 8601, such as 2026-02-08T10:30:00Z");
        return Optional.empty();
    }

    /** A list of texts, each of 1 to {@code maxLength} characters; empty where it is absent. */
    public List<String> texts(String field, int maxCount, int maxLength) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return List.of();
        }
        if (!value.isArray()) {
            refuse(field, "must be a list of texts");
            return List.of();
        }
        if (value.size() > maxCount) {
            refuse(field, "may have at most " + maxCount + " entries");
            return List.of();
        }
        List<String> texts = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            String name = field + "[" + i + "]";
            if (!value.get(i).isTextual()) {
                refuse(name, "must be a text");
            } else if (value.get(i).textValue().isEmpty()) {
                refuse(name, "must not be empty");
            } else {
                texts.add(checkedText(name, value.get(i).textValue(), maxLength));
            }
        }
        return texts;
    }

    /** The fields of an object inside this one; without any field where it is absent. */
    public JsonFields object(String field) {
        JsonNode value = value(field);
        if (!value.isMissingNode() && !value.isObject()) {
            refuse(field, "must be an object");
        }
        return new JsonFields(value.isObject() ? value : Json.object(), prefix + field + ".", errors);
    }

    /** The objects of a list inside this one; empty where it is absent. */
    public List<JsonFields> objects(String field, int maxCount) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return List.of();
        }
        if (!value.isArray() || value.size() > maxCount) {
            refuse(field, "must be a list of at most " + maxCount + " objects");
            return List.of();
        }
        List<JsonFields> objects = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            if (value.get(i).isObject()) {
                objects.add(new JsonFields(value.get(i), prefix + field + "[" + i + "].", errors));
            } else {
                refuse(field + "[" + i + "]", "must be an object");
            }
        }
        return objects;
    }

    /** The same object with a list of mistakes of its own: for a batch whose elements succeed or fail each by itself. */
    public JsonFields apart() {
        return new JsonFields(node, "", new LinkedHashMap<>());
    }

    /** The JSON text of an object nobody looks into, of at most {@code maxBytes} of UTF-8. */
    public Optional<String> opaqueObject(String field, int maxBytes) {
        JsonNode value = value(field);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (!value.isObject()) {
            refuse(field, "must be an object");
            return Optional.empty();
        }
        String text = Json.text(value);
        if (text.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            refuse(field, "may have at most " + maxBytes + " bytes");
            return Optional.empty();
        }
        return Optional.of(text);
    }

    /** Whatever stands in a field, as it was sent; missing where it is absent. */
    public JsonNode any(String field) {
        return value(field);
    }

    /** The names of this object's fields. */
    public List<String> names() {
        List<String> names = new ArrayList<>(node.size());
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The moment, in whole milliseconds, that an ISO 8601 text with a time zone names; empty for any other text. */
    public static Optional<Instant> moment(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private JsonNode value(String field) {
        known.add(field);
        JsonNode value = node.path(field);
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    private String checkedText(String field, String text, int maxLength) {
        if (text.codePointCount(0, text.length()) > maxLength) {
            refuse(field, "may have at most " + maxLength + " characters");
            return "";
        }
        if (text.codePoints().anyMatch(Character::isISOControl)) {
            refuse(field, "must not contain control characters");
            return "";
        }
        return text;
    }

    private static boolean isWhole(JsonNode value) {
        // 1e999999999 must not be expanded only to find out that it is whole.
        return value.isIntegralNumber()
                || value.isBigDecimal()
                        && value.decimalValue().scale() <= 20
                        && value.decimalValue().scale() >= -20
                        && value.decimalValue().stripTrailingZeros().scale() <= 0;
    }
}
