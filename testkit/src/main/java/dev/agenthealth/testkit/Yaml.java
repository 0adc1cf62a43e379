package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads YAML, including JSON, which is a subset. */
final class Yaml {

    private static final JsonMapper MAPPER = new JsonMapper();

    private Yaml() {}

    /**
     * Returns a text as a tree.
     *
     * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException if it is no YAML
     */
    static JsonNode read(String text) {
        LoadSettings settings =
                LoadSettings.builder().setAllowDuplicateKeys(false).build();
        return MAPPER.valueToTree(new Load(settings).loadFromString(text));
    }
}
