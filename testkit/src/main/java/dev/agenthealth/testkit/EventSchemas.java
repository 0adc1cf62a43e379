package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The project's JSON Schemas of events, {@code docs/schemas/events/<detail type>/<version>.json}. Compiled once; thread-safe.
 *
 * <p>A published schema allows unknown fields and values, for subscribers. {@link #faults} is stricter, for the sender: it rejects fields and
 * values that the schema does not name.
 */
public final class EventSchemas {

    /** The folder of the schemas. */
    public static final String FOLDER = "docs/schemas/events";

    /** The keyword for the known values of an enumeration that may grow. */
    public static final String KNOWN_VALUES = "x-known-values";

    private static final EventSchemas OF_PROJECT = new EventSchemas();

    private final Map<String, Path> files = new TreeMap<>();
    private final Map<String, JsonNode> published = new TreeMap<>();
    private final Map<String, Schema> strict = new TreeMap<>();

    private EventSchemas() {
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        for (Path folder : ProjectFiles.list(ProjectFiles.path(FOLDER))) {
            for (Path file : ProjectFiles.list(folder)) {
                String version = file.getFileName().toString().replace(".json", "");
                String detailType = detailType(folder.getFileName().toString(), Integer.parseInt(version));
                JsonNode schema = TestJson.read(ProjectFiles.text(file));
                files.put(detailType, file);
                published.put(detailType, schema);
                strict.put(detailType, registry.getSchema(TestJson.text(strict(schema)), InputFormat.JSON));
            }
        }
    }

    /** Returns the schemas of this project. */
    public static EventSchemas ofProject() {
        return OF_PROJECT;
    }

    /** Returns the detail type of a version of a schema; from version 2 on it contains the version. */
    public static String detailType(String name, int version) {
        return version == 1 ? name : name + ".v" + version;
    }

    /** Returns the file of a detail type's schema. */
    public static Path file(String detailType) {
        return OF_PROJECT.files.get(detailType);
    }

    /** Returns the schemas by detail type, as published. */
    public Map<String, JsonNode> published() {
        return Map.copyOf(published);
    }

    /** Returns the detail types with a schema. */
    public Set<String> detailTypes() {
        return Set.copyOf(published.keySet());
    }

    /** Returns the errors in the detail of an event that this system sends; empty if it is valid. */
    public List<String> faults(String detailType, String detail) {
        if (!strict.containsKey(detailType)) {
            return List.of("there is no schema of " + detailType);
        }
        List<String> faults = new ArrayList<>();
        for (Error error : strict.get(detailType)
                .validate(
                        detail,
                        InputFormat.JSON,
                        context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))) {
            faults.add(detailType + " " + error + ": " + detail);
        }
        return faults;
    }

    private static JsonNode strict(JsonNode schema) {
        JsonNode strict = schema.deepCopy();
        tighten(strict);
        return strict;
    }

    private static void tighten(JsonNode node) {
        if (node instanceof ObjectNode object) {
            if (object.path("properties").isObject() && object.path("type").isTextual()) {
                object.put("additionalProperties", false);
            }
            if (object.path(KNOWN_VALUES).isArray()) {
                object.set("enum", object.path(KNOWN_VALUES));
            }
        }
        node.forEach(EventSchemas::tighten);
    }
}
