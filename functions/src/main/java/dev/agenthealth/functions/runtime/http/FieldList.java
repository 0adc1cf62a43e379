package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.model.WireNamed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The entries of one field: of a JSON list, or of a comma-separated text in a query. An error names the index of its entry, such as {@code
 * roles[2]}. A query parameter has no index, so its error quotes the entry.
 *
 * @param fields the fields that record the errors
 * @param field the name of the list
 * @param ofQuery whether the entries are words of a query parameter
 * @param entries the entries; empty if the field is absent or no list of a valid length
 */
record FieldList(Fields fields, String field, boolean ofQuery, List<JsonNode> entries) {

    /** Returns the entries of a JSON list. Records an error for more than {@code maxCount} entries. */
    static FieldList ofJson(Fields fields, String field, int maxCount, JsonNode list) {
        List<JsonNode> entries = new ArrayList<>(list.size());
        list.forEach(entries::add);
        return limited(new FieldList(fields, field, false, entries), maxCount);
    }

    /** Returns the different words of a query parameter. Records an error for more than {@code maxCount} words, and for a parameter without words. */
    static FieldList ofQuery(Fields fields, String field, int maxCount, String words) {
        List<JsonNode> entries = Arrays.stream(words.split(","))
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .distinct()
                .<JsonNode>map(TextNode::valueOf)
                .toList();
        if (entries.isEmpty() && fields.has(field)) {
            fields.refuse(field, "must not be empty");
        }
        return limited(new FieldList(fields, field, true, entries), maxCount);
    }

    private static FieldList limited(FieldList list, int maxCount) {
        if (list.entries.size() <= maxCount) {
            return list;
        }
        list.fields.refuse(list.field, "may have at most " + maxCount + " entries");
        return new FieldList(list.fields, list.field, list.ofQuery, List.of());
    }

    /**
     * Returns the texts of the entries. A bad entry reads as an empty text, so that other entries keep their indexes.
     *
     * @param fault returns the rule that a text breaks; empty for a valid text
     */
    List<String> texts(int maxLength, Function<String, Optional<String>> fault) {
        return IntStream.range(0, entries.size())
                .mapToObj(i -> text(i, maxLength, fault))
                .toList();
    }

    private String text(int index, int maxLength, Function<String, Optional<String>> fault) {
        JsonNode entry = entries.get(index);
        if (!entry.isTextual()) {
            return refused(index, "must be a text");
        }
        String text = entry.textValue();
        if (text.isEmpty()) {
            return refused(index, "must not be empty");
        }
        return FieldValues.brokenRule(text, maxLength)
                .or(() -> fault.apply(text).map(rule -> ofQuery ? rule + ", unlike '" + text + "'" : rule))
                .map(rule -> refused(index, rule))
                .orElse(text);
    }

    private String refused(int index, String rule) {
        fields.refuse(ofQuery ? field : field + "[" + index + "]", rule);
        return "";
    }

    /** Returns the constants with the names in the entries. Records an error for each other name. */
    <E extends Enum<E> & WireNamed> Set<E> anyOf(Class<E> type, Collection<E> allowed, int maxLength) {
        Set<E> found = EnumSet.noneOf(type);
        texts(maxLength, word -> {
            Optional<E> value = WireNamed.find(type, word).filter(allowed::contains);
            value.ifPresent(found::add);
            return value.isPresent()
                    ? Optional.empty()
                    : Optional.of(allowed.stream()
                            .map(WireNamed::wireName)
                            .collect(Collectors.joining(
                                    ", ", ofQuery ? "must be one or more of " : "must be one of ", "")));
        });
        return found;
    }

    /** Returns the whole numbers in the entries. Records an error for each other value. */
    List<Integer> integers(int minimum, int maximum) {
        List<Integer> numbers = new ArrayList<>(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            JsonNode number = entries.get(i);
            if (number.isInt() && number.intValue() >= minimum && number.intValue() <= maximum) {
                numbers.add(number.intValue());
            } else {
                refused(i, "must be a whole number from " + minimum + " to " + maximum);
            }
        }
        return numbers;
    }
}
