package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.wiring.Wiring;
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
 * The runtime configuration: an item, because changed template parameters do not reach a published version of a function. The parameters
 * are its first content. Thread-safe.
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
    private static final String OWNERS_AT_QUOTA = "owners_at_quota";

    private static final int BASE = 36;

    private final Table registry;
    private final RuntimeConfiguration seed;

    /**
     * @param seed what applies until an administrator changes it
     */
    public ConfigurationStore(Database database, RuntimeConfiguration seed) {
        this.registry = database.registry();
        this.seed = seed;
    }

    /** The configuration by the template's parameters. */
    public static RuntimeConfiguration seed(Wiring wiring) {
        return new RuntimeConfiguration(
                wiring.requiredInt("SWEEP_PASSES_PER_MINUTE"),
                wiring.requiredInt("SWEEP_FAN_OUT_AGENTS"),
                new MassSilenceRule(
                        wiring.requiredInt("MASS_SILENCE_MINIMUM_AGENTS"),
                        wiring.requiredInt("MASS_SILENCE_SILENT_PERCENT"),
                        wiring.requiredInt("MASS_SILENCE_DEATH_PERCENT_PER_MINUTE")),
                callerLimitSeed(wiring),
                defaultWindowSeed(wiring),
                RuntimeConfiguration.DEFAULT_MAX_AGENTS_PER_KEY);
    }

    /** The limit of invocations by the template's parameters. */
    public static CallerLimit callerLimitSeed(Wiring wiring) {
        return new CallerLimit(wiring.requiredInt("INVOCATIONS_PER_SECOND"), wiring.requiredInt("INVOCATION_BURST"));
    }

    /** The window of agents that declare none, by the template's parameters. */
    public static MeasurementWindow defaultWindowSeed(Wiring wiring) {
        return MeasurementWindow.ofSeconds(wiring.requiredInt("DEFAULT_WINDOW_SECONDS"));
    }

    /** The configuration as of now; stores the seed where there is none. */
    public RuntimeConfiguration current() {
        return stored().configuration();
    }

    /**
     * What the item holds.
     *
     * @param ownersAtQuota numbers of the owners that register no further agent
     */
    public record Stored(RuntimeConfiguration configuration, Set<Long> ownersAtQuota) {}

    /** The configuration as of now, with what the sweep noted; stores the seed where there is none. */
    public Stored stored() {
        Map<String, AttributeValue> item = registry.get(ItemKind.CONFIGURATION.key());
        // The key of page tokens may have been there first.
        Map<String, AttributeValue> whole = item.containsKey(PASSES)
                ? item
                : registry.updateAndGet(update(seed).when(Condition.absent(PASSES)))
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
                (int) number(item, PASSES, seed.sweepPassesPerMinute()),
                (int) number(item, FAN_OUT, seed.sweepFanOutAgents()),
                new MassSilenceRule(
                        (int) number(item, MASS_MINIMUM, seed.massSilence().minimumAgents()),
                        (int) number(item, MASS_SILENT, seed.massSilence().silentPercent()),
                        (int) number(item, MASS_DEATHS, seed.massSilence().deathPercentPerMinute())),
                callerLimit(item, seed.invocations()),
                defaultWindow(item, seed.defaultWindow()),
                maxAgentsPerKey(item));
    }

    /** How often one caller may invoke agents by the item. */
    static CallerLimit callerLimit(Map<String, AttributeValue> item, CallerLimit seed) {
        return new CallerLimit((int) number(item, INVOCATIONS_PER_SECOND, seed.perSecond()), (int)
                number(item, INVOCATION_BURST, seed.burst()));
    }

    /** The window of agents that declare none, by the item; an item of the version before lacks it. */
    static MeasurementWindow defaultWindow(Map<String, AttributeValue> item, MeasurementWindow seed) {
        return MeasurementWindow.ofSeconds(number(item, DEFAULT_WINDOW, seed.seconds()));
    }

    /** How many live agents a key may have, by the item; an item of the version before lacks it. */
    static int maxAgentsPerKey(Map<String, AttributeValue> item) {
        return (int) number(item, MAX_AGENTS_PER_KEY, RuntimeConfiguration.DEFAULT_MAX_AGENTS_PER_KEY);
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
        return item;
    }
}
