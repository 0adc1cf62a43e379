package dev.agenthealth.emulator.streams;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.dynamodb.table.StreamFilter;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.template.StreamMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/**
 * The changes that the filter criteria of stream mappings may take, decided before a change is stored. Most changes are no events, so that
 * the stream needs no records of them. Thread-safe.
 *
 * <p>The decision reads the event name and the texts of keys. It ignores any other part of a pattern, and therefore takes more changes than
 * {@link RecordFilter}, never fewer. A table without a mapping keeps all its changes.
 */
final class WantedChanges implements StreamFilter {

    private final Map<String, List<Pattern>> patternsByTable = new HashMap<>();

    /** @param mappings all mappings of all functions */
    WantedChanges(Collection<StreamMapping> mappings) {
        for (StreamMapping mapping : mappings) {
            List<Pattern> patterns = patternsByTable.computeIfAbsent(mapping.tableName(), name -> new ArrayList<>());
            if (mapping.filterPatterns().isEmpty()) {
                patterns.add(new Pattern(Texts.ANY, Map.of()));
            }
            mapping.filterPatterns().forEach(pattern -> patterns.add(Pattern.of(pattern)));
        }
    }

    @Override
    public boolean stores(Table table, OperationType change, Map<String, AttributeValue> item) {
        List<Pattern> patterns = patternsByTable.get(table.name());
        if (patterns == null) {
            return true;
        }
        for (Pattern pattern : patterns) {
            if (pattern.mayMatch(change, item)) {
                return true;
            }
        }
        return false;
    }

    /** The parts of a pattern that the decision reads. */
    private record Pattern(Texts eventNames, Map<String, Texts> keys) {

        /** @throws IllegalStateException if the pattern is not JSON */
        static Pattern of(String pattern) {
            JsonNode tree;
            try {
                tree = Json.read(pattern);
            } catch (IOException e) {
                throw new IllegalStateException("filter pattern " + pattern + ": " + e.getMessage(), e);
            }
            Map<String, Texts> keys = new HashMap<>();
            JsonNode attributes = tree.path("dynamodb").path("Keys");
            attributes
                    .fieldNames()
                    .forEachRemaining(name ->
                            keys.put(name, Texts.of(attributes.path(name).path("S"))));
            return new Pattern(Texts.of(tree.path("eventName")), keys);
        }

        boolean mayMatch(OperationType change, Map<String, AttributeValue> item) {
            if (!eventNames.mayContain(change.toString())) {
                return false;
            }
            for (Map.Entry<String, Texts> key : keys.entrySet()) {
                AttributeValue value = item.get(key.getKey());
                if (value != null && value.s() != null && !key.getValue().mayContain(value.s())) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * The texts that a part of a pattern takes.
     *
     * @param all true if the part has another comparison than equality or a prefix, so that it may take any text
     */
    private record Texts(boolean all, List<String> equal, List<String> prefixes) {

        private static final Texts ANY = new Texts(true, List.of(), List.of());

        static Texts of(JsonNode part) {
            List<String> equal = new ArrayList<>();
            List<String> prefixes = new ArrayList<>();
            for (JsonNode comparison : part) {
                Optional<String> prefix = prefix(comparison);
                if (comparison.isTextual()) {
                    equal.add(comparison.textValue());
                } else if (prefix.isPresent()) {
                    prefixes.add(prefix.get());
                } else {
                    return ANY;
                }
            }
            return part.isArray() ? new Texts(false, equal, prefixes) : ANY;
        }

        private static Optional<String> prefix(JsonNode comparison) {
            return comparison.size() == 1
                    ? Optional.ofNullable(comparison.path("prefix").textValue())
                    : Optional.empty();
        }

        boolean mayContain(String text) {
            if (all || equal.contains(text)) {
                return true;
            }
            for (String prefix : prefixes) {
                if (text.startsWith(prefix)) {
                    return true;
                }
            }
            return false;
        }
    }
}
