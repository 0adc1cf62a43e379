package dev.agenthealth.functions.operations.administration;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.operations.configuration.RuntimeSetting;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.Flag;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.Prices;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.PublicKeys;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.RoleIds;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.WholeNumber;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.registry.usage.PriceTable;
import dev.agenthealth.testkit.GeneratedText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The API description, the page and the documents follow from the declarations of the runtime settings. */
@Tag(GeneratedText.TAG)
@Tag("SYS-02")
class ConfigurationDocumentsTest {

    private static final String WRITTEN =
            "Written from the runtime settings by \"" + GeneratedText.COMMAND + "\"; not to be edited by hand.";
    private static final String END = "The end of the runtime settings.";

    private static final GeneratedText API =
            GeneratedText.between("docs/openapi.yaml", "    # " + WRITTEN, "    # " + END);

    private static final GeneratedText PAGE =
            GeneratedText.between("page/src/main/resources/page/configuration.js", "  // " + WRITTEN, "  // " + END);

    private static final GeneratedText DOCUMENT = GeneratedText.between(
            "docs/operations/running.md", "<!-- written from the runtime settings -->", "<!-- end -->");

    /** The schemas of objects that hold settings. Other objects are named after their field. */
    private static final Map<String, Schema> SCHEMAS = Map.of(
            "mass_silence",
            new Schema(
                    "MassSilence",
                    "When marking agents as dead is limited, because heartbeats of so many agents are missing at once."),
            "invocations",
            new Schema(
                    "InvocationLimit",
                    "How often one key may invoke agents, and how many synchronous invocations may be under way."),
            "leases",
            new Schema("LeaseLimits", "How many leases may be live. A lease is live until its end is stored."));

    private record Schema(String name, String description) {

        static Schema of(String group) {
            String name = List.of(group.split("_")).stream()
                    .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                    .collect(Collectors.joining());
            return SCHEMAS.getOrDefault(group, new Schema(name, "Settings of " + group.replace('_', ' ') + "."));
        }

        String name(boolean inRequest, List<RuntimeSetting<?>> settings) {
            return inRequest && !areRequired(settings) ? name + "Request" : name;
        }
    }

    private static boolean areRequired(List<RuntimeSetting<?>> settings) {
        return settings.stream().allMatch(setting -> setting.description().isRequired());
    }

    /** Returns the settings by the object that holds them. A setting in no object is alone, under its own name. */
    private static Map<String, List<RuntimeSetting<?>>> fields() {
        Map<String, List<RuntimeSetting<?>>> fields = new LinkedHashMap<>();
        RuntimeSettings.all()
                .forEach(setting -> fields.computeIfAbsent(setting.path().split("\\.")[0], name -> new ArrayList<>())
                        .add(setting));
        return fields;
    }

    @Test
    void the_api_description_has_every_setting() {
        StringBuilder yaml = new StringBuilder();
        whole(yaml, "SystemConfigurationRequest", "All values.", true);
        whole(yaml, "SystemConfiguration", "All values.", false);
        fields().forEach((name, settings) -> {
            if (!settings.get(0).group().isEmpty()) {
                if (!areRequired(settings)) {
                    group(yaml, name, settings, true);
                }
                group(yaml, name, settings, false);
            }
        });
        API.check(yaml.toString());
    }

    private static void whole(StringBuilder yaml, String schema, String description, boolean inRequest) {
        List<String> required = new ArrayList<>();
        StringBuilder properties = new StringBuilder();
        fields().forEach((name, settings) -> {
            boolean isGroup = !settings.get(0).group().isEmpty();
            if (!inRequest
                    || settings.stream()
                            .anyMatch(setting -> setting.description().isRequired())) {
                required.add(name);
            }
            String value = isGroup
                    ? "{ $ref: '#/components/schemas/" + Schema.of(name).name(inRequest, settings) + "' }"
                    : property(settings.get(0), inRequest);
            properties.append("        %s: %s%n".formatted(name, value));
        });
        object(yaml, schema, "object", description, required, inRequest);
        yaml.append(properties);
    }

    private static void group(StringBuilder yaml, String name, List<RuntimeSetting<?>> settings, boolean inRequest) {
        List<String> required = settings.stream()
                .filter(setting -> !inRequest || setting.description().isRequired())
                .map(RuntimeSetting::name)
                .toList();
        Schema schema = Schema.of(name);
        String type = inRequest && required.isEmpty() ? "[object, 'null']" : "object";
        object(yaml, schema.name(inRequest, settings), type, schema.description(), required, true);
        settings.forEach(
                setting -> yaml.append("        %s: %s%n".formatted(setting.name(), property(setting, inRequest))));
    }

    private static void object(
            StringBuilder yaml,
            String schema,
            String type,
            String description,
            List<String> required,
            boolean isClosed) {
        yaml.append("    %s:%n      type: %s%n      description: %s%n".formatted(schema, type, quoted(description)));
        if (!required.isEmpty()) {
            yaml.append("      required: [%s]%n".formatted(String.join(", ", required)));
        }
        yaml.append(isClosed ? "      additionalProperties: false\n" : "").append("      properties:\n");
    }

    private static String property(RuntimeSetting<?> setting, boolean inRequest) {
        boolean isOptional = inRequest && !setting.description().isRequired();
        String meaning =
                setting.description().meaning() + (isOptional ? " The default applies if the field is left out." : "");
        return "{ type: %s, description: %s, examples: [%s] }"
                .formatted(type(setting, isOptional, inRequest), quoted(meaning), example(setting));
    }

    /** Returns the type. The registry answers with what is stored, also if it lies below the minimum of new values. */
    private static String type(RuntimeSetting<?> setting, boolean isOptional, boolean inRequest) {
        String form = isOptional ? "[%s, 'null']" : "%s";
        if (setting instanceof WholeNumber number) {
            return form.formatted("integer")
                    + ", format: int32, minimum: %d, maximum: %d"
                            .formatted(inRequest ? number.min() : Math.min(1, number.min()), number.max());
        } else if (setting instanceof Flag) {
            return form.formatted("boolean");
        } else if (setting instanceof RoleIds roles) {
            return form.formatted("array")
                    + ", maxItems: %d, items: { type: string, minLength: 1, maxLength: %d }"
                            .formatted(roles.maxCount(), Ids.MAX_LENGTH);
        } else if (setting instanceof Prices) {
            return "[object, 'null'], additionalProperties: false, required: [currency, models], properties: { "
                    + "currency: { type: string, pattern: '^[A-Z]{3}$', description: \"The code of the currency.\" }, "
                    + "models: { type: array, maxItems: %d, description: \"The models. An empty list removes all prices.\", items: { type: object, additionalProperties: false, required: [model, input, output], properties: { "
                            .formatted(PriceTable.MAX_MODELS)
                    + "model: { type: string, minLength: 1, maxLength: 100, description: \"The model, as agents report it.\" }, "
                    + price("input", "number", "The price of a million input tokens.") + ", "
                    + price("output", "number", "The price of a million output tokens.") + ", "
                    + price(
                            "cached_input",
                            inRequest ? "[number, 'null']" : "number",
                            "The price of a million input tokens from a cache; the price of input if it is left out.")
                    + " } } } }";
        }
        return form.formatted("array")
                + ", maxItems: %d, items: { type: object, additionalProperties: true }"
                        .formatted(((PublicKeys) setting).maxCount());
    }

    private static String price(String name, String type, String meaning) {
        return name + ": { type: " + type + ", format: double, minimum: 0, maximum: 1000000, description: \"" + meaning
                + "\" }";
    }

    private static String example(RuntimeSetting<?> setting) {
        if (setting instanceof Prices) {
            return "{ currency: USD, models: [{ model: gpt-5, input: 1.25, output: 10, cached_input: 0.125 }] }";
        }
        return setting instanceof RoleIds ? "[billing]" : setting.standard().toString();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\"", "\\\"") + "\"";
    }

    /** The page has no field for public keys and prices, and keeps them. */
    @Test
    void the_page_has_a_field_for_every_other_setting() {
        PAGE.check(RuntimeSettings.all().stream()
                .filter(setting -> !(setting instanceof PublicKeys || setting instanceof Prices))
                .map(setting -> "  ['%s', '%s', %s, %s],%n"
                        .formatted(
                                field(setting),
                                setting.path(),
                                script(setting.description().label()),
                                script(setting.description().meaning())))
                .collect(Collectors.joining()));
    }

    private static String field(RuntimeSetting<?> setting) {
        return setting instanceof WholeNumber ? "number" : setting instanceof Flag ? "flag" : "ids";
    }

    private static String script(String text) {
        return "'" + text.replace("'", "\\'") + "'";
    }

    @Test
    void the_document_for_operators_lists_every_setting() {
        DOCUMENT.check("| setting | default | values | left out | meaning |\n|---|---|---|---|---|\n"
                + RuntimeSettings.all().stream()
                        .map(ConfigurationDocumentsTest::row)
                        .collect(Collectors.joining()));
    }

    private static String row(RuntimeSetting<?> setting) {
        return "| `%s` | %s | %s | %s | %s |%n"
                .formatted(
                        setting.path(),
                        setting instanceof WholeNumber number
                                ? number(number.standard())
                                : setting instanceof Flag flag ? flag.standard() : "none",
                        values(setting),
                        setting.description().isRequired() ? "refused" : "default",
                        setting.description().meaning());
    }

    private static String values(RuntimeSetting<?> setting) {
        if (setting instanceof WholeNumber number) {
            return number(number.min()) + " to " + number(number.max());
        } else if (setting instanceof Flag) {
            return "true or false";
        } else if (setting instanceof RoleIds roles) {
            return "at most " + roles.maxCount() + " ids";
        } else if (setting instanceof Prices) {
            return "at most " + PriceTable.MAX_MODELS + " models";
        }
        return "at most " + ((PublicKeys) setting).maxCount() + " keys";
    }

    private static String number(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
