package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BIT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.model.operations.configuration.RuntimeConfiguration.DEFAULT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the runtime configuration in an item, so that it changes without a deployment. {@link RuntimeConfiguration#DEFAULT} is its first
 * content. Thread-safe.
 */
public final class ConfigurationStore {

    private static final Codec<RuntimeConfiguration> CONFIGURATION = new Codec<>();
    private static final Codec<MassSilenceRule> MASS = CONFIGURATION.part(RuntimeConfiguration::massSilence);
    private static final Codec<CallerLimit> LIMIT = CONFIGURATION.part(RuntimeConfiguration::invocations);
    private static final Attribute<Integer> PASSES = CONFIGURATION.always(
            "passes", INTEGER.or(DEFAULT.sweepPassesPerMinute()), RuntimeConfiguration::sweepPassesPerMinute);
    private static final Attribute<Integer> FAN_OUT = CONFIGURATION.always(
            "fan_out", INTEGER.or(DEFAULT.sweepFanOutAgents()), RuntimeConfiguration::sweepFanOutAgents);
    private static final Attribute<Integer> MASS_MINIMUM = MASS.always(
            "mass_minimum", INTEGER.or(DEFAULT.massSilence().minimumAgents()), MassSilenceRule::minimumAgents);
    private static final Attribute<Integer> MASS_SILENT = MASS.always(
            "mass_silent", INTEGER.or(DEFAULT.massSilence().silentPercent()), MassSilenceRule::silentPercent);
    private static final Attribute<Integer> MASS_DEATHS = MASS.always(
            "mass_deaths",
            INTEGER.or(DEFAULT.massSilence().deathPercentPerMinute()),
            MassSilenceRule::deathPercentPerMinute);
    private static final Attribute<Integer> INVOCATIONS_PER_SECOND =
            LIMIT.always("invocations", INTEGER.or(DEFAULT.invocations().perSecond()), CallerLimit::perSecond);
    private static final Attribute<Integer> INVOCATION_BURST =
            LIMIT.always("invocation_burst", INTEGER.or(DEFAULT.invocations().burst()), CallerLimit::burst);

    private static final Attribute<MeasurementWindow> DEFAULT_WINDOW = CONFIGURATION.always(
            "default_window",
            NUMBER.as(DEFAULT.defaultWindow(), MeasurementWindow::seconds, MeasurementWindow::ofSeconds),
            RuntimeConfiguration::defaultWindow);

    private static final Attribute<Integer> MAX_AGENTS_PER_KEY = CONFIGURATION.always(
            "max_agents_per_key", INTEGER.or(DEFAULT.maxAgentsPerKey()), RuntimeConfiguration::maxAgentsPerKey);

    private static final Attribute<Integer> MAX_WATCHED_AGENTS_PER_KEY = CONFIGURATION.always(
            "max_watched_per_key",
            INTEGER.or(DEFAULT.maxWatchedAgentsPerKey()),
            RuntimeConfiguration::maxWatchedAgentsPerKey);

    private static final Codec<LeaseLimits> LEASES = CONFIGURATION.part(RuntimeConfiguration::leases);
    private static final Attribute<Integer> MAX_LEASES_PER_AGENT =
            LEASES.always("max_leases_per_agent", INTEGER.or(DEFAULT.leases().perAgent()), LeaseLimits::perAgent);
    private static final Attribute<Integer> MAX_LEASES_PER_KEY =
            LEASES.always("max_leases_per_key", INTEGER.or(DEFAULT.leases().perKey()), LeaseLimits::perKey);
    private static final Attribute<Integer> MAX_LEASES =
            LEASES.always("max_leases", INTEGER.or(DEFAULT.leases().inAll()), LeaseLimits::inAll);

    private static final Attribute<Integer> MAX_INVOCATIONS_IN_FLIGHT = CONFIGURATION.always(
            "max_in_flight",
            INTEGER.or(DEFAULT.maxInvocationsInFlight()),
            RuntimeConfiguration::maxInvocationsInFlight);

    private static final Attribute<Boolean> PUBLIC_CATALOGUE = CONFIGURATION.always(
            "public_catalogue", BIT.or(DEFAULT.publicCatalogue()), RuntimeConfiguration::publicCatalogue);

    private static final Attribute<List<String>> CARD_KEYS =
            CONFIGURATION.always("card_keys", TEXTS, RuntimeConfiguration::cardKeys);

    private static final Attribute<List<String>> METRIC_ROLES =
            CONFIGURATION.always("metric_roles", TEXTS, RuntimeConfiguration::metricRoles);

    private static final String OWNERS_AT_QUOTA = "owners_at_quota";
    private static final String OWNERS_AT_WATCH_QUOTA = "owners_at_watch_quota";
    private static final int BASE = 36;

    private final Table registry;

    public ConfigurationStore(Database database) {
        this.registry = database.registry();
    }

    /** Returns the configuration as of now; stores the default if there is none. */
    public RuntimeConfiguration current() {
        return stored().configuration();
    }

    /**
     * The content of the item.
     *
     * @param ownersAtQuota numbers of the owners with the maximum number of live agents or rows at the last count of the sweep
     * @param ownersAtWatchQuota numbers of the owners with the maximum number of watched agents at the last count of the sweep
     */
    public record Stored(RuntimeConfiguration configuration, Set<Long> ownersAtQuota, Set<Long> ownersAtWatchQuota) {

        public Stored {
            ownersAtQuota = Set.copyOf(ownersAtQuota);
            ownersAtWatchQuota = Set.copyOf(ownersAtWatchQuota);
        }

        /** Returns whether this owner has its maximum number of live agents or rows. */
        public boolean isAtQuota(Owner owner) {
            return ownersAtQuota.contains(OwnerCounts.numberOf(owner));
        }

        /** Returns whether this owner has its maximum number of watched agents. */
        public boolean isAtWatchQuota(Owner owner) {
            return ownersAtWatchQuota.contains(OwnerCounts.numberOf(owner));
        }
    }

    /** Returns the configuration as of now, with the owners that the sweep stored; stores the default if there is none. */
    public Stored stored() {
        Map<String, AttributeValue> item = registry.get(ItemKind.CONFIGURATION.key());
        // The item may already exist with only the key of page tokens.
        return read(
                PASSES.isIn(item)
                        ? item
                        : registry.updateAndGet(update(DEFAULT).when(Condition.absent(PASSES.name())))
                                .item());
    }

    /**
     * Stores the owners that may register no further agent, and the owners that may have no further agent watched. Each set has some
     * hundred owners at most, so that the item stays small.
     */
    public void noteOwnersAtQuota(Set<Long> owners, Set<Long> ownersOfWatched) {
        Update update = Update.of(ItemKind.CONFIGURATION.key()).when(Condition.exists(PASSES.name()));
        registry.update(note(note(update, OWNERS_AT_QUOTA, owners), OWNERS_AT_WATCH_QUOTA, ownersOfWatched));
    }

    private static Update note(Update update, String attribute, Set<Long> owners) {
        String text = owners.stream()
                .sorted()
                .map(owner -> Long.toString(owner, BASE))
                .collect(Collectors.joining(","));
        return text.isEmpty() ? update.remove(attribute) : update.set(attribute, s(text));
    }

    /**
     * Replaces the configuration in force. Returns {@code false} if the read configuration is no longer in force. Attributes of a later
     * version stay, because both versions may run during a deployment.
     */
    public boolean replace(RuntimeConfiguration before, RuntimeConfiguration configuration) {
        Update update = update(configuration);
        CONFIGURATION
                .attributes(before)
                .forEach((name, value) -> update.when(Condition.absent(name).or(Condition.equal(name, value))));
        return registry.update(update);
    }

    /** Returns the content of an item, with the default for each missing attribute. */
    static Stored read(Map<String, AttributeValue> item) {
        RuntimeConfiguration configuration = new RuntimeConfiguration(
                PASSES.of(item),
                FAN_OUT.of(item),
                new MassSilenceRule(MASS_MINIMUM.of(item), MASS_SILENT.of(item), MASS_DEATHS.of(item)),
                new CallerLimit(INVOCATIONS_PER_SECOND.of(item), INVOCATION_BURST.of(item)),
                DEFAULT_WINDOW.of(item),
                MAX_AGENTS_PER_KEY.of(item),
                MAX_WATCHED_AGENTS_PER_KEY.of(item),
                MAX_INVOCATIONS_IN_FLIGHT.of(item),
                PUBLIC_CATALOGUE.of(item),
                CARD_KEYS.of(item),
                METRIC_ROLES.of(item),
                new LeaseLimits(MAX_LEASES_PER_AGENT.of(item), MAX_LEASES_PER_KEY.of(item), MAX_LEASES.of(item)));
        return new Stored(configuration, owners(item, OWNERS_AT_QUOTA), owners(item, OWNERS_AT_WATCH_QUOTA));
    }

    private static Set<Long> owners(Map<String, AttributeValue> item, String attribute) {
        String text = text(item, attribute);
        return text.isEmpty()
                ? Set.of()
                : Arrays.stream(text.split(","))
                        .map(owner -> Long.valueOf(owner, BASE))
                        .collect(Collectors.toSet());
    }

    private static Update update(RuntimeConfiguration configuration) {
        return Update.upsert(ItemKind.CONFIGURATION.key()).setAll(CONFIGURATION.attributes(configuration));
    }
}
