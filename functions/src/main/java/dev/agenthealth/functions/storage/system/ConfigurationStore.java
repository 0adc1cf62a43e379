package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.configuration.RuntimeConfiguration;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The runtime configuration: an item, because changed template parameters do not reach a published version of a function. The
 * parameters are only what it is first filled with. Thread-safe.
 */
public final class ConfigurationStore {

    private static final String PASSES = "passes";
    private static final String FAN_OUT = "fan_out";
    private static final String MASS_MINIMUM = "mass_minimum";
    private static final String MASS_SILENT = "mass_silent";
    private static final String MASS_DEATHS = "mass_deaths";
    private static final String INVOCATIONS_PER_SECOND = "invocations";
    private static final String INVOCATION_BURST = "invocation_burst";
    private static final String DEFAULT_WINDOW = "default_window";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final RuntimeConfiguration seed;

    /**
     * @param seed what holds until an administrator changes it
     */
    public ConfigurationStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, RuntimeConfiguration seed) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.seed = seed;
    }

    /** What the template's parameters say. */
    public static RuntimeConfiguration seed(Wiring wiring) {
        return new RuntimeConfiguration(
                wiring.requiredInt("SWEEP_PASSES_PER_MINUTE"),
                wiring.requiredInt("SWEEP_FAN_OUT_AGENTS"),
                new MassSilenceRule(
                        wiring.requiredInt("MASS_SILENCE_MINIMUM_AGENTS"),
                        wiring.requiredInt("MASS_SILENCE_SILENT_PERCENT"),
                        wiring.requiredInt("MASS_SILENCE_DEATH_PERCENT_PER_MINUTE")),
                callerLimitSeed(wiring),
                defaultWindowSeed(wiring));
    }

    /** What the template's parameters say about invocations. */
    public static CallerLimit callerLimitSeed(Wiring wiring) {
        return new CallerLimit(wiring.requiredInt("INVOCATIONS_PER_SECOND"), wiring.requiredInt("INVOCATION_BURST"));
    }

    /** What the template's parameters say about agents that declare no measurement window. */
    public static MeasurementWindow defaultWindowSeed(Wiring wiring) {
        return MeasurementWindow.ofSeconds(wiring.requiredInt("DEFAULT_WINDOW_SECONDS"));
    }

    /** What the item holds this moment; fills it where it is missing. */
    public RuntimeConfiguration current() {
        return stored().orElseGet(this::fill);
    }

    /** Puts another configuration in force. What a later version wrote beside it stays, as both may answer during a deployment. */
    public void replace(RuntimeConfiguration configuration) {
        Map<String, String> names = new HashMap<>();
        Map<String, AttributeValue> values = new HashMap<>();
        numbers(configuration).forEach((name, value) -> {
            names.put("#" + name, name);
            values.put(":" + name, value);
        });
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.configuration())
                .updateExpression(names.values().stream()
                        .map(name -> "#" + name + " = :" + name)
                        .collect(Collectors.joining(", ", "SET ", "")))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        retries.call("configuration", () -> dynamoDb.updateItem(request));
    }

    private Optional<RuntimeConfiguration> stored() {
        Map<String, AttributeValue> item = retries.call(
                        "read of the configuration",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.configuration())
                                .consistentRead(true)))
                .item();
        return item.isEmpty() ? Optional.empty() : Optional.of(read(item));
    }

    private RuntimeConfiguration fill() {
        PutItemRequest request = PutItemRequest.builder()
                .tableName(tables.registry())
                .item(item(seed))
                .conditionExpression("attribute_not_exists(#pk)")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                .build();
        try {
            retries.call("configuration", () -> dynamoDb.putItem(request));
            return seed;
        } catch (ConditionalCheckFailedException e) {
            // Somebody else filled it between the read and this write.
            return stored().orElse(seed);
        }
    }

    private RuntimeConfiguration read(Map<String, AttributeValue> item) {
        return new RuntimeConfiguration(
                (int) number(item, PASSES, seed.sweepPassesPerMinute()),
                (int) number(item, FAN_OUT, seed.sweepFanOutAgents()),
                new MassSilenceRule(
                        (int) number(item, MASS_MINIMUM, seed.massSilence().minimumAgents()),
                        (int) number(item, MASS_SILENT, seed.massSilence().silentPercent()),
                        (int) number(item, MASS_DEATHS, seed.massSilence().deathPercentPerMinute())),
                callerLimit(item, seed.invocations()),
                defaultWindow(item, seed.defaultWindow()));
    }

    /** How often one caller may invoke agents, as the item says. */
    public static CallerLimit callerLimit(Map<String, AttributeValue> item, CallerLimit seed) {
        return new CallerLimit((int) number(item, INVOCATIONS_PER_SECOND, seed.perSecond()), (int)
                number(item, INVOCATION_BURST, seed.burst()));
    }

    /** The window of agents that declare none, as the item says; an item of the version before says nothing. */
    public static MeasurementWindow defaultWindow(Map<String, AttributeValue> item, MeasurementWindow seed) {
        return MeasurementWindow.ofSeconds(number(item, DEFAULT_WINDOW, seed.seconds()));
    }

    private static Map<String, AttributeValue> item(RuntimeConfiguration configuration) {
        Map<String, AttributeValue> item = numbers(configuration);
        item.putAll(RegistryKeys.configuration());
        return item;
    }

    private static Map<String, AttributeValue> numbers(RuntimeConfiguration configuration) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(PASSES, n(configuration.sweepPassesPerMinute()));
        item.put(FAN_OUT, n(configuration.sweepFanOutAgents()));
        item.put(MASS_MINIMUM, n(configuration.massSilence().minimumAgents()));
        item.put(MASS_SILENT, n(configuration.massSilence().silentPercent()));
        item.put(MASS_DEATHS, n(configuration.massSilence().deathPercentPerMinute()));
        item.put(INVOCATIONS_PER_SECOND, n(configuration.invocations().perSecond()));
        item.put(INVOCATION_BURST, n(configuration.invocations().burst()));
        item.put(DEFAULT_WINDOW, n(configuration.defaultWindow().seconds()));
        return item;
    }
}
