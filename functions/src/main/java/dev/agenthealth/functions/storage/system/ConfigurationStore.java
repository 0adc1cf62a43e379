package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BIT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.model.operations.configuration.RuntimeConfiguration.DEFAULT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSetting;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.Flag;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.Prices;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.PublicKeys;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.RoleIds;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.WholeNumber;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.sweep.OwnerCounts;
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

    private static final List<StoredSetting<?>> SETTINGS = RuntimeSettings.all().stream()
            .<StoredSetting<?>>map(ConfigurationStore::stored)
            .toList();

    /** Every item with a configuration has this attribute. In an item of an earlier version, the key of page tokens may stand alone. */
    private static final String PASSES =
            RuntimeSettings.SWEEP_PASSES_PER_MINUTE.description().attribute();

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
        return read(
                item.containsKey(PASSES)
                        ? item
                        : registry.updateAndGet(update(DEFAULT).when(Condition.absent(PASSES)))
                                .item());
    }

    /**
     * Stores the owners that may register no further agent, and the owners that may have no further agent watched. Each set has some
     * hundred owners at most, so that the item stays small.
     */
    public void noteOwnersAtQuota(Set<Long> owners, Set<Long> ownersOfWatched) {
        Update update = Update.of(ItemKind.CONFIGURATION.key()).when(Condition.exists(PASSES));
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
        RuntimeConfiguration configuration = DEFAULT;
        for (StoredSetting<?> stored : SETTINGS) {
            configuration = stored.read(item, configuration);
        }
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

    /** A setting with its attribute. An item without the attribute has the default. */
    private record StoredSetting<T>(RuntimeSetting<T> setting, Attribute<T> attribute) {

        static <T> StoredSetting<T> of(RuntimeSetting<T> setting, AttributeType<T> type) {
            return new StoredSetting<>(
                    setting,
                    CONFIGURATION.always(
                            setting.description().attribute(),
                            type.or(setting.standard()),
                            configuration -> configuration.get(setting)));
        }

        RuntimeConfiguration read(Map<String, AttributeValue> item, RuntimeConfiguration configuration) {
            return configuration.with(setting, attribute.of(item));
        }
    }

    private static StoredSetting<?> stored(RuntimeSetting<?> setting) {
        if (setting instanceof WholeNumber number) {
            return StoredSetting.of(number, INTEGER);
        } else if (setting instanceof Flag flag) {
            return StoredSetting.of(flag, BIT);
        } else if (setting instanceof RoleIds roles) {
            return StoredSetting.of(roles, TEXTS);
        } else if (setting instanceof Prices prices) {
            return StoredSetting.of(prices, PriceTableText.TYPE);
        }
        return StoredSetting.of((PublicKeys) setting, TEXTS);
    }
}
