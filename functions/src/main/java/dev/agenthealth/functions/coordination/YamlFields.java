package dev.agenthealth.functions.coordination;

import dev.agenthealth.functions.coordination.YamlNode.Entry;
import dev.agenthealth.functions.coordination.YamlNode.Mapping;
import dev.agenthealth.functions.coordination.YamlNode.Scalar;
import dev.agenthealth.functions.coordination.YamlNode.Sequence;
import dev.agenthealth.model.identity.Ids;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads the fields of a YAML mapping and notes every fault with its path and line, instead of stopping at the first: a field that is wrong
 * counts as absent, as does one that is null. Not thread-safe.
 */
final class YamlFields {

    private final Mapping mapping;
    private final String path;
    private final int line;
    private final YamlFaults faults;
    private final Set<String> known = new HashSet<>();

    /**
     * @param path of the mapping; empty for the whole text
     * @param line of the mapping's key
     */
    YamlFields(Mapping mapping, String path, int line, YamlFaults faults) {
        this.mapping = mapping;
        this.path = path;
        this.line = line;
        this.faults = faults;
    }

    /** The keys, in their order. */
    List<String> names() {
        return List.copyOf(mapping.entries().keySet());
    }

    /** Whether the field is there and not null. */
    boolean has(String field) {
        Entry entry = mapping.entries().get(field);
        return entry != null && !entry.value().isNull();
    }

    /** Notes a fault of a field; where it is absent, the line is that of the mapping. */
    void refuse(String field, String message) {
        Entry entry = mapping.entries().get(field);
        faults.add(pathOf(field), entry == null ? line : entry.line(), message);
    }

    /** Notes a fault for every field that nobody has read. */
    void refuseUnknown() {
        for (String name : mapping.entries().keySet()) {
            if (!known.contains(name)) {
                refuse(name, "is not a field that is known here");
            }
        }
    }

    /** An id; empty where it is absent. */
    String id(String field) {
        known.add(field);
        if (!has(field)) {
            return "";
        }
        if (!(mapping.entries().get(field).value() instanceof Scalar scalar) || !scalar.isText()) {
            refuse(field, "must be a text");
            return "";
        }
        if (!Ids.isValid(scalar.text())) {
            refuse(field, Ids.RULE);
            return "";
        }
        return scalar.text();
    }

    /** A whole number within bounds. */
    OptionalInt integer(String field, int minimum, int maximum) {
        known.add(field);
        if (!has(field)) {
            return OptionalInt.empty();
        }
        if (mapping.entries().get(field).value() instanceof Scalar scalar
                && scalar.isWhole()
                && scalar.text().length() <= 10) {
            long number = Long.parseLong(scalar.text());
            if (number >= minimum && number <= maximum) {
                return OptionalInt.of((int) number);
            }
        }
        refuse(field, "must be a whole number from " + minimum + " to " + maximum);
        return OptionalInt.empty();
    }

    /** A list of texts of 1 to {@code maxLength} characters each; empty where it is absent. */
    List<String> texts(String field, int maxCount, int maxLength) {
        known.add(field);
        if (!has(field)) {
            return List.of();
        }
        if (!(mapping.entries().get(field).value() instanceof Sequence sequence)) {
            refuse(field, "must be a list of texts");
            return List.of();
        }
        if (sequence.elements().size() > maxCount) {
            refuse(field, "may have at most " + maxCount + " entries");
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < sequence.elements().size(); i++) {
            YamlNode element = sequence.elements().get(i);
            String name = pathOf(field) + "[" + i + "]";
            if (!(element instanceof Scalar scalar) || !scalar.isText()) {
                faults.add(name, element.line(), "must be a text");
            } else if (scalar.text().isEmpty()
                    || scalar.text().codePointCount(0, scalar.text().length()) > maxLength
                    || scalar.text().codePoints().anyMatch(Character::isISOControl)) {
                faults.add(
                        name, element.line(), "must have 1 to " + maxLength + " characters and no control characters");
            } else {
                texts.add(scalar.text());
            }
        }
        return texts;
    }

    /** The fields of a mapping inside this one; without any where it is absent. */
    YamlFields object(String field) {
        known.add(field);
        int at = mapping.entries().containsKey(field)
                ? mapping.entries().get(field).line()
                : line;
        Mapping inner = Mapping.in(at);
        if (has(field)) {
            if (mapping.entries().get(field).value() instanceof Mapping found) {
                inner = found;
            } else {
                refuse(field, "must be a mapping");
            }
        }
        return new YamlFields(inner, pathOf(field), at, faults);
    }

    private String pathOf(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }
}
