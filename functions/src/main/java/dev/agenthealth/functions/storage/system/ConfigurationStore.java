package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.model.configuration.RuntimeConfiguration.DEFAULT;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.configuration.RuntimeConfiguration;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The runtime configuration: an item, so that it changes without a deployment. {@link RuntimeConfiguration#DEFAULT} is its first content.
 * Thread-safe.
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
    private static final String MAX_AGENTS_PER_KEY = "max_agents_per_key";
    private static final String MAX_INVOCATIONS_IN_FLIGHT = "max_in_flight";
    private static final String PUBLIC_CATALOGUE = "public_catalogue";
    private static final String OWNERS_AT_QUOTA = "owners_at_quota";

    private static final int BASE = 36;

    private final Table registry;

    public ConfigurationStore(Database database) {
        this.registry = database.registry();
    }

    /** The configuration as of now; stores the default where there is none. */
    public RuntimeConfiguration current() {
        return stored().configuration();
    }

    /**
     * What the item holds.
     *
     * @param ownersAtQuota numbers of the owners that register no further agent
     */
    public record Stored(RuntimeConfiguration configuration, Set<Long> ownersAtQuota) {}

    /** The configuration as of now, with what the sweep noted; stores the default where there is none. */
    public Stored stored() {
        Map<String, AttributeValue> item = registry.get(ItemKind.CONFIGURATION.key());
        // The key of page tokens may have been there first.
        Map<String, AttributeValue> whole = item.containsKey(PASSES)
                ? item
                : registry.updateAndGet(update(DEFAULT).when(Condition.absent(PASSES)))
                        .item();
        return new Stored(read(whole), ownersAtQuota(whole));
    }

    /** Notes the owners that register no further agent: some hundred at most, so that the item stays small. */
    public void noteOwnersAtQuota(Set<Long> owners) {
        Update update = Update.of(ItemKind.CONFIGURATION.key()).when(Condition.exists(PASSES));
        String text = owners.stream()
                .sorted()
                .map(owner -> Long.toString(owner, BASE))
                .collect(Collectors.joining(","));
        registry.update(text.isEmpty() ? update.remove(OWNERS_AT_QUOTA) : update.set(OWNERS_AT_QUOTA, s(text)));
    }

    /** Puts another configuration in force. Attributes of a later version stay, as both may run during a deployment. */
    public void replace(RuntimeConfiguration configuration) {
        registry.update(update(configuration));
    }

    private RuntimeConfiguration read(Map<String, AttributeValue> item) {
        return new RuntimeConfiguration(
                (int) number(item, PASSES, DEFAULT.sweepPassesPerMinute()),
                (int) number(item, FAN_OUT, DEFAULT.sweepFanOutAgents()),
                new MassSilenceRule(
                        (int) number(item, MASS_MINIMUM, DEFAULT.massSilence().minimumAgents()),
                        (int) number(item, MASS_SILENT, DEFAULT.massSilence().silentPercent()),
                        (int) number(item, MASS_DEATHS, DEFAULT.massSilence().deathPercentPerMinute())),
                callerLimit(item),
                defaultWindow(item),
                maxAgentsPerKey(item),
                maxInvocationsInFlight(item),
                publicCatalogue(item));
    }

    /** How often one caller may invoke agents by the item. */
    static CallerLimit callerLimit(Map<String, AttributeValue> item) {
        return new CallerLimit(
                (int) number(item, INVOCATIONS_PER_SECOND, DEFAULT.invocations().perSecond()),
                (int) number(item, INVOCATION_BURST, DEFAULT.invocations().burst()));
    }

    /** The window of agents that declare none, by the item. */
    static MeasurementWindow defaultWindow(Map<String, AttributeValue> item) {
        return MeasurementWindow.ofSeconds(
                number(item, DEFAULT_WINDOW, DEFAULT.defaultWindow().seconds()));
    }

    /** How many live agents a key may have, by the item. */
    static int maxAgentsPerKey(Map<String, AttributeValue> item) {
        return (int) number(item, MAX_AGENTS_PER_KEY, DEFAULT.maxAgentsPerKey());
    }

    /** How many synchronous invocations may be under way, by the item. */
    static int maxInvocationsInFlight(Map<String, AttributeValue> item) {
        return (int) number(item, MAX_INVOCATIONS_IN_FLIGHT, DEFAULT.maxInvocationsInFlight());
    }

    /** Whether the catalogue is public, by the item. */
    static boolean publicCatalogue(Map<String, AttributeValue> item) {
        return number(item, PUBLIC_CATALOGUE, DEFAULT.publicCatalogue() ? 1 : 0) == 1;
    }

    /** The owners that register no further agent, by the item. */
    static Set<Long> ownersAtQuota(Map<String, AttributeValue> item) {
        String text = text(item, OWNERS_AT_QUOTA);
        return text.isEmpty()
                ? Set.of()
                : Arrays.stream(text.split(","))
                        .map(owner -> Long.valueOf(owner, BASE))
                        .collect(Collectors.toSet());
    }

    private static Update update(RuntimeConfiguration configuration) {
        return Update.of(ItemKind.CONFIGURATION.key()).setAll(numbers(configuration));
    }

    private static Map<String, AttributeValue> numbers(RuntimeConfiguration configuration) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(Attributes.SCHEMA_NUMBER, n(Attributes.SCHEMA));
        item.put(PASSES, n(configuration.sweepPassesPerMinute()));
        item.put(FAN_OUT, n(configuration.sweepFanOutAgents()));
        item.put(MASS_MINIMUM, n(configuration.massSilence().minimumAgents()));
        item.put(MASS_SILENT, n(configuration.massSilence().silentPercent()));
        item.put(MASS_DEATHS, n(configuration.massSilence().deathPercentPerMinute()));
        item.put(INVOCATIONS_PER_SECOND, n(configuration.invocations().perSecond()));
        item.put(INVOCATION_BURST, n(configuration.invocations().burst()));
        item.put(DEFAULT_WINDOW, n(configuration.defaultWindow().seconds()));
        item.put(MAX_AGENTS_PER_KEY, n(configuration.maxAgentsPerKey()));
        item.put(MAX_INVOCATIONS_IN_FLIGHT, n(configuration.maxInvocationsInFlight()));
        item.put(PUBLIC_CATALOGUE, n(configuration.publicCatalogue() ? 1 : 0));
        return item;
    }
}
