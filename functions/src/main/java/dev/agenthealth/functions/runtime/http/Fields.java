package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.JsonMembers;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.Ids;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Reads the fields that a caller sent, and collects every error instead of stopping at the first. The fields come from a JSON object, from
 * query parameters, or from another format that was converted to a tree.
 *
 * <p>A wrong field is recorded as an error and reads as if it were absent. {@link #check()} throws after all fields are read. JSON
 * {@code null} counts as absent. An empty text is an error, except in protocols of others ({@link #withEmptyTexts}). Not thread-safe.
 */
public final class Fields extends NamedFields {

    private static final BigDecimal MAX_WHOLE = BigDecimal.valueOf(999_999_999_999_999_999L);
    private static final int MAX_WORD = 64;

    /** The source of fields, which decides how they are read. */
    private enum Origin {
        /** A JSON body of this API. */
        BODY,
        /** A JSON body whose empty texts count as absent. */
        BODY_WITH_EMPTY_TEXTS,
        /** Query parameters. */
        QUERY
    }

    private final Origin origin;
    private final RepeatedParameters repeated;

    private Fields(JsonNode node, Origin origin, RepeatedParameters repeated, String prefix, FieldErrors errors) {
        super(node, origin == Origin.QUERY, prefix, errors);
        this.origin = origin;
        this.repeated = repeated;
    }

    private Fields(JsonNode node, Origin origin, String prefix, FieldErrors errors) {
        this(node, origin, RepeatedParameters.NONE, prefix, errors);
    }

    /**
     * Returns the fields of a JSON body.
     *
     * @throws ApiError 400 if the body is not a JSON object
     */
    public static Fields ofBody(String body) {
        if (body.isBlank()) {
            throw ApiError.malformed("The request needs a JSON object as its body.");
        }
        JsonNode tree = received(body);
        if (!tree.isObject()) {
            throw ApiError.malformed("The request body must be a JSON object.");
        }
        return ofTree(tree, new FieldErrors());
    }

    /** Returns the fields of an object. {@code errors} also holds errors that were found while the object was parsed. */
    public static Fields ofTree(JsonNode object, FieldErrors errors) {
        return new Fields(object, Origin.BODY, "", errors);
    }

    /** Returns query parameters as fields. Numbers and timestamps are read from text, and an unescaped plus sign arrives as a space. */
    static Fields ofQuery(Map<String, String> parameters, RepeatedParameters repeated) {
        ObjectNode tree = Json.object();
        parameters.forEach((name, value) -> tree.put(name, value.isEmpty() ? null : value));
        return new Fields(tree, Origin.QUERY, repeated, "", new FieldErrors());
    }

    private static JsonNode received(String body) {
        try {
            return Json.received(body);
        } catch (UnreadableJsonException e) {
            throw ApiError.malformed("The request body " + e.getMessage() + ".");
        }
    }

    /**
     * Returns the same fields, of which empty texts count as absent. Protocols of others send an empty text for an unset field, and
     * measured values may be empty.
     */
    public Fields withEmptyTexts() {
        return new Fields(node, Origin.BODY_WITH_EMPTY_TEXTS, prefix, errors);
    }

    /** Returns the same fields with a text for a field that is not mentioned. */
    public Fields withDefault(String field, String text) {
        if (!mentions(field)) {
            ((ObjectNode) node).put(field, text);
        }
        return this;
    }

    /** Returns a text of at most {@code maxLength} characters without control characters; empty if absent. */
    public String text(String field, int maxLength) {
        String text = text(field);
        if (text.isEmpty()) {
            return text;
        }
        Optional<String> broken = FieldValues.brokenRule(text, maxLength);
        broken.ifPresent(rule -> refuse(field, rule));
        return broken.isPresent() ? "" : text;
    }

    /** Returns a text as {@link #text(String, int)}. An empty text is a valid value, as the registry shows it. */
    public String textOrEmpty(String field, int maxLength) {
        return node.path(field).asText("").isEmpty() && any(field).isTextual() ? "" : text(field, maxLength);
    }

    /** Returns a text of any length and content; empty if absent. */
    public String text(String field) {
        return textual(field).orElse("");
    }

    /** Returns an id; empty if absent. */
    public String id(String field) {
        String id = text(field);
        if (id.isEmpty() && !has(field) || Ids.isValid(id)) {
            return id;
        }
        refuse(field, Ids.RULE);
        return "";
    }

    /** Returns the constant with the wire name in the field. */
    public <E extends Enum<E> & WireNamed> Optional<E> oneOf(String field, Class<E> type) {
        return oneOf(field, type.getEnumConstants(), WireNamed::wireName);
    }

    /** Returns the text of the field, which must be one of {@code values}. */
    public Optional<String> oneOf(String field, String... values) {
        return oneOf(field, values, Function.identity());
    }

    /** Returns the value with the word in the field. */
    public <T> Optional<T> oneOf(String field, T[] values, Function<? super T, String> word) {
        String given = text(field, MAX_WORD);
        for (T value : values) {
            if (word.apply(value).equals(given)) {
                return Optional.of(value);
            }
        }
        if (has(field)) {
            refuse(field, "must be one of " + Arrays.stream(values).map(word).collect(Collectors.joining(", ")));
        }
        return Optional.empty();
    }

    /** Returns the constants with the wire names in the field; empty if absent. JSON has a list of names, a query separates the names by commas. */
    public <E extends Enum<E> & WireNamed> Set<E> anyOf(String field, Class<E> type) {
        return anyOf(field, type, EnumSet.allOf(type));
    }

    /** Returns the constants with the wire names in the field, as above. Only {@code allowed} constants are valid. */
    public <E extends Enum<E> & WireNamed> Set<E> anyOf(String field, Class<E> type, Collection<E> allowed) {
        return list(field, allowed.size(), "must be a list of texts").anyOf(type, allowed, MAX_WORD);
    }

    /** Returns the different ids of a JSON list, or of a comma-separated text in a query; empty if absent. */
    public List<String> ids(String field, int maxCount) {
        return words(field, maxCount, Ids.MAX_LENGTH, id -> Ids.isValid(id) ? Optional.empty() : Optional.of(Ids.RULE));
    }

    /**
     * Returns the different words of a JSON list, or of a comma-separated text in a query; empty if absent.
     *
     * @param maxLength the maximum length of a word, in characters
     * @param fault returns the rule that a word breaks; empty for a valid word
     */
    public List<String> words(String field, int maxCount, int maxLength, Function<String, Optional<String>> fault) {
        return texts(field, maxCount, maxLength, fault).stream().distinct().toList();
    }

    private FieldList list(String field, int maxCount, String rule) {
        if (query) {
            known.add(field);
            return FieldList.ofQuery(this, field, maxCount, node.path(field).asText(""));
        }
        JsonNode list = value(field, JsonNode::isArray, rule).orElse(MissingNode.getInstance());
        return FieldList.ofJson(this, field, maxCount, list);
    }

    /** Returns a whole number within bounds. */
    public OptionalInt integer(String field, int minimum, int maximum) {
        JsonNode value = any(field);
        if (value.isMissingNode()) {
            return OptionalInt.empty();
        }
        Optional<BigDecimal> number = whole(value)
                .filter(n -> n.compareTo(BigDecimal.valueOf(minimum)) >= 0)
                .filter(n -> n.compareTo(BigDecimal.valueOf(maximum)) <= 0);
        if (number.isEmpty()) {
            refuse(field, "must be a whole number from " + minimum + " to " + maximum);
            return OptionalInt.empty();
        }
        return OptionalInt.of(number.get().intValue());
    }

    /** Returns a whole number of at most 18 digits. */
    public OptionalLong wholeNumber(String field) {
        JsonNode value = any(field);
        if (value.isMissingNode()) {
            return OptionalLong.empty();
        }
        Optional<BigDecimal> number = whole(value).filter(n -> n.abs().compareTo(MAX_WHOLE) <= 0);
        if (number.isEmpty()) {
            refuse(field, "must be a whole number of at most 18 digits");
            return OptionalLong.empty();
        }
        return OptionalLong.of(number.get().longValue());
    }

    private Optional<BigDecimal> whole(JsonNode value) {
        return query ? FieldValues.whole(value.textValue()) : FieldValues.whole(value);
    }

    /** Returns a number that can be stored: 0, or a number of a magnitude from 1e-100 to 1e100. */
    public OptionalDouble number(String field) {
        Optional<JsonNode> value = value(field, JsonNode::isNumber, "must be a number");
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        OptionalDouble number = FieldValues.storable(value.get());
        if (number.isEmpty()) {
            refuse(field, FieldValues.STORABLE_RULE);
        }
        return number;
    }

    /** Returns true or false; {@code otherwise} if absent. */
    public boolean flag(String field, boolean otherwise) {
        return value(field, JsonNode::isBoolean, "must be true or false")
                .map(JsonNode::booleanValue)
                .orElse(otherwise);
    }

    /** Returns a timestamp in ISO 8601 with a time zone. */
    public Optional<Instant> timestamp(String field) {
        return timestamp(field, UnaryOperator.identity());
    }

    /** Returns a timestamp in ISO 8601 with a time zone. {@code completed} converts the text that was sent into such a timestamp. */
    public Optional<Instant> timestamp(String field, UnaryOperator<String> completed) {
        JsonNode value = any(field);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        String text = value.isTextual() ? value.textValue() : "";
        Optional<Instant> moment = FieldValues.moment(completed.apply(query ? text.replace(' ', '+') : text));
        if (moment.isEmpty()) {
            refuse(field, "must be a date and time with a time zone in ISO 8601, such as 2026-02-08T10:30:00Z");
        }
        return moment;
    }

    /** Returns a list of texts, each of 1 to {@code maxLength} characters; empty if absent. */
    public List<String> texts(String field, int maxCount, int maxLength) {
        return texts(field, maxCount, maxLength, text -> Optional.empty());
    }

    /**
     * Returns a list of texts, each of 1 to {@code maxLength} characters; empty if absent. A bad entry reads as an empty text.
     *
     * @param fault returns the rule that a text breaks; empty for a valid text
     */
    public List<String> texts(String field, int maxCount, int maxLength, Function<String, Optional<String>> fault) {
        return list(field, maxCount, "must be a list of texts").texts(maxLength, fault);
    }

    /** Returns a list of whole numbers within bounds; empty if absent. */
    public List<Integer> integers(String field, int maxCount, int minimum, int maximum) {
        return list(field, maxCount, "must be a list of whole numbers").integers(minimum, maximum);
    }

    /** Returns the fields of an object inside this object; no fields if absent. */
    public Fields object(String field) {
        JsonNode object = value(field, JsonNode::isObject, "must be an object").orElseGet(Json::object);
        return new Fields(object, origin, prefix + field + ".", errors);
    }

    /** Returns the objects of a list inside this object; empty if absent. */
    public List<Fields> objects(String field, int maxCount) {
        String rule = "must be a list of at most " + maxCount + " objects";
        JsonNode value = value(field, list -> list.isArray() && list.size() <= maxCount, rule)
                .orElse(MissingNode.getInstance());
        List<Fields> objects = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            String name = field + "[" + i + "]";
            if (value.get(i).isObject()) {
                objects.add(new Fields(value.get(i), origin, prefix + name + ".", errors));
            } else {
                refuse(name, "must be an object");
            }
        }
        return objects;
    }

    /** Returns the same object with its own list of errors, for a batch in which elements succeed or fail independently. */
    public Fields apart() {
        return new Fields(node, origin, "", new FieldErrors());
    }

    /** Returns the JSON text of an object that is not interpreted, of at most {@code maxBytes} of UTF-8. */
    public Optional<String> opaqueObject(String field, int maxBytes) {
        Optional<String> text =
                value(field, JsonNode::isObject, "must be an object").map(Json::text);
        if (text.isPresent() && text.get().getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            refuse(field, "may have at most " + maxBytes + " bytes");
            return Optional.empty();
        }
        return text;
    }

    /** Returns the value of a field as it was sent; missing if absent. */
    public JsonNode any(String field) {
        known.add(field);
        if (repeated.has(field)) {
            refuse(field, repeated.rule(field));
        }
        JsonNode value = node.path(field);
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    private Optional<JsonNode> value(String field, Predicate<JsonNode> accepted, String rule) {
        JsonNode value = any(field);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (!accepted.test(value)) {
            refuse(field, value == JsonMembers.UNREADABLE ? "stands twice in the request, or cannot be read" : rule);
            return Optional.empty();
        }
        return Optional.of(value);
    }

    private Optional<String> textual(String field) {
        Optional<String> text =
                value(field, JsonNode::isTextual, "must be a text").map(JsonNode::textValue);
        if (origin == Origin.BODY && text.filter(String::isEmpty).isPresent()) {
            refuse(field, "must not be empty");
        }
        return text;
    }
}
