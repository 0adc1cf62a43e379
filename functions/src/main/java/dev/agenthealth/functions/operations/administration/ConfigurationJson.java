package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.signing.CardKeys;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSetting;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.Flag;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.Prices;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.PublicKeys;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.RoleIds;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.WholeNumber;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The runtime configuration in JSON, by the declarations of its settings. */
final class ConfigurationJson {

    private ConfigurationJson() {}

    /** Reads a configuration, with the default for each optional setting that is missing. Records an error for each wrong field. */
    static RuntimeConfiguration read(Fields body) {
        Map<String, Fields> groups = new LinkedHashMap<>();
        RuntimeConfiguration configuration = RuntimeConfiguration.DEFAULT;
        for (RuntimeSetting<?> setting : RuntimeSettings.all()) {
            Fields fields = setting.group().isEmpty() ? body : groups.computeIfAbsent(setting.group(), body::object);
            configuration = read(setting, fields, configuration);
        }
        groups.values().forEach(Fields::refuseUnknown);
        body.refuseUnknown();
        return configuration;
    }

    private static RuntimeConfiguration read(
            RuntimeSetting<?> setting, Fields fields, RuntimeConfiguration configuration) {
        if (setting.description().isRequired()) {
            fields.require(setting.name());
        }
        if (setting instanceof WholeNumber number) {
            return configuration.with(
                    number,
                    fields.integer(number.name(), Integer.MIN_VALUE, Integer.MAX_VALUE)
                            .orElse(number.standard()));
        } else if (setting instanceof Flag flag) {
            return configuration.with(flag, fields.flag(flag.name(), flag.standard()));
        } else if (setting instanceof RoleIds roles) {
            List<String> ids = fields.ids(roles.name(), roles.maxCount()).stream()
                    .filter(id -> !id.isEmpty())
                    .toList();
            return configuration.with(roles, ids);
        } else if (setting instanceof Prices prices) {
            return configuration.with(prices, PriceFields.of(fields, prices.name()));
        }
        PublicKeys keys = (PublicKeys) setting;
        return configuration.with(keys, publicKeys(fields, keys));
    }

    /** Returns the public parts of the keys; empty if the field is missing. */
    private static List<String> publicKeys(Fields fields, PublicKeys setting) {
        JsonNode given = fields.any(setting.name());
        if (!given.isMissingNode() && (!given.isArray() || given.size() > setting.maxCount())) {
            fields.refuse(setting.name(), "must be at most " + setting.maxCount() + " public JSON Web Keys with a kid");
            return List.of();
        }
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            String field = setting.name() + "[" + i + "]";
            CardKeys.key(Json.text(given.get(i)))
                    .ifPresentOrElse(
                            found -> keys.add(found.toJSONString()),
                            () -> fields.refuse(field, "must be a public JSON Web Key with a kid"));
        }
        return keys;
    }

    /** Returns a configuration in JSON, with all settings. */
    static ObjectNode write(RuntimeConfiguration configuration) {
        ObjectNode json = Json.object();
        for (RuntimeSetting<?> setting : RuntimeSettings.all()) {
            write(setting, setting.group().isEmpty() ? json : json.withObjectProperty(setting.group()), configuration);
        }
        return json;
    }

    private static void write(RuntimeSetting<?> setting, ObjectNode json, RuntimeConfiguration configuration) {
        if (setting instanceof WholeNumber number) {
            json.put(number.name(), configuration.get(number));
        } else if (setting instanceof Flag flag) {
            json.put(flag.name(), configuration.get(flag));
        } else if (setting instanceof RoleIds roles) {
            configuration.get(roles).forEach(json.putArray(roles.name())::add);
        } else if (setting instanceof Prices prices) {
            PriceFields.put(json, prices.name(), configuration.get(prices));
        } else if (setting instanceof PublicKeys keys) {
            ArrayNode array = json.putArray(keys.name());
            configuration.get(keys).forEach(key -> array.add(Json.stored(key)));
        }
    }
}
