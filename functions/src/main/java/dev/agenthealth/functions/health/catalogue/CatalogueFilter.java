package dev.agenthealth.functions.health.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.health.catalogue.CatalogueUrn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * The filter of a search (ARD 0.91 §5.3.1). Values of one key are alternatives, and every key has to match.
 *
 * @param conditions the conditions, one for each key
 */
record CatalogueFilter(List<Condition> conditions) {

    /**
     * A condition of the filter.
     *
     * @param path the path of a term, such as {@code metadata.verdict}; two keys may be spellings of one path
     * @param values the alternatives
     */
    record Condition(String path, List<String> values) {}

    private static final String NAMESPACE = "https://agenticresourcediscovery.org/ns#";
    private static final String PUBLISHER = "publisher";
    private static final int MAX_KEYS = 20;
    private static final int MAX_VALUES = 100;
    private static final int MAX_VALUE_LENGTH = 2_048;

    private static final Set<String> TERMS = Set.of(
            "identifier",
            "displayName",
            "type",
            "url",
            "description",
            "tags",
            "capabilities",
            "representativeQueries",
            "version",
            "updatedAt",
            PUBLISHER);

    /** Terms with free keys: the path below such a term is literal. */
    private static final Set<String> OBJECTS = Set.of("metadata", "trustManifest", "data");

    CatalogueFilter {
        conditions = List.copyOf(conditions);
    }

    /** Returns the filter of a query. Records an error for each invalid key and value. */
    static CatalogueFilter of(Fields query) {
        Map<String, String> prefixes = prefixes(query.any("@context"));
        Fields filter = query.object("filter");
        List<Condition> conditions = new ArrayList<>();
        if (filter.names().size() > MAX_KEYS) {
            query.refuse("filter", "may have at most " + MAX_KEYS + " keys");
            return new CatalogueFilter(conditions);
        }
        for (String key : filter.names()) {
            JsonNode value = filter.any(key);
            List<String> values =
                    value.isTextual() ? List.of(value.textValue()) : filter.texts(key, MAX_VALUES, MAX_VALUE_LENGTH);
            if (values.isEmpty()) {
                filter.refuse(key, "must be a text or a list of texts");
            }
            path(key, prefixes)
                    .ifPresentOrElse(
                            path -> conditions.add(new Condition(path, values)),
                            () -> filter.refuse(key, "is not a term that this catalogue filters by"));
        }
        return new CatalogueFilter(conditions);
    }

    /** Returns whether an entry matches. */
    boolean matches(CatalogueEntry entry) {
        return conditions.stream().allMatch(condition -> has(entry.json(), condition.path(), condition.values()));
    }

    private static boolean has(JsonNode entry, String path, List<String> values) {
        if (path.equals(PUBLISHER)) {
            return CatalogueUrn.of(entry.path(CatalogueEntries.IDENTIFIER).textValue())
                    .filter(urn -> values.contains(urn.publisher()))
                    .isPresent();
        }
        JsonNode found = entry;
        for (String name : path.split("\\.")) {
            found = found.path(name);
        }
        return found.isArray()
                ? StreamSupport.stream(found.spliterator(), false)
                        .anyMatch(element -> values.contains(element.asText()))
                : found.isValueNode() && values.contains(found.asText());
    }

    /** Returns the path of a key; empty if no entry has the term. The key may have the default namespace. */
    private static Optional<String> path(String key, Map<String, String> prefixes) {
        int colon = key.indexOf(':');
        String iri = colon > 0 && prefixes.containsKey(key.substring(0, colon))
                ? prefixes.get(key.substring(0, colon)) + key.substring(colon + 1)
                : key;
        String path = iri.startsWith(NAMESPACE) ? iri.substring(NAMESPACE.length()) : iri;
        int dot = path.indexOf('.');
        boolean known = dot < 0 ? TERMS.contains(path) : OBJECTS.contains(path.substring(0, dot));
        return known ? Optional.of(path) : Optional.empty();
    }

    /** Returns the prefixes that a context binds. The context is an object, or a list with objects. */
    private static Map<String, String> prefixes(JsonNode context) {
        Map<String, String> prefixes = new HashMap<>();
        Iterable<JsonNode> contexts = context.isArray() ? context : List.of(context);
        for (JsonNode each : contexts) {
            each.properties().stream()
                    .filter(binding -> binding.getValue().isTextual())
                    .forEach(binding ->
                            prefixes.put(binding.getKey(), binding.getValue().textValue()));
        }
        return prefixes;
    }
}
