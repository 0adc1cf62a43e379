package dev.agenthealth.functions.storage.system;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A part of the runtime configuration that is needed with every request. It is cached for a minute, so that a change takes effect within a
 * minute, for half a read unit a minute. Thread-safe.
 */
public final class CachedConfiguration<T> {

    private static final Duration MAX_AGE = Duration.ofSeconds(60);

    private final Database database;
    private final Function<Map<String, AttributeValue>, T> part;
    private T cached;
    private Instant until = Instant.MIN;

    private CachedConfiguration(Database database, Function<Map<String, AttributeValue>, T> part) {
        this.database = database;
        this.part = part;
    }

    /** The limits of invocations. */
    public static CachedConfiguration<InvocationLimits> invocations(Database database) {
        return new CachedConfiguration<>(
                database,
                item -> new InvocationLimits(
                        ConfigurationStore.callerLimit(item), ConfigurationStore.MAX_INVOCATIONS_IN_FLIGHT.of(item)));
    }

    /** Returns the settings of registrations. */
    public static CachedConfiguration<RegistrationSettings> registrations(Database database) {
        return new CachedConfiguration<>(
                database,
                item -> new RegistrationSettings(
                        ConfigurationStore.DEFAULT_WINDOW.of(item),
                        ConfigurationStore.MAX_AGENTS_PER_KEY.of(item),
                        ConfigurationStore.ownersAtQuota(item)));
    }

    /** Returns the setting whether the catalogue is public. */
    public static CachedConfiguration<Boolean> publicCatalogue(Database database) {
        return new CachedConfiguration<>(database, ConfigurationStore.PUBLIC_CATALOGUE::of);
    }

    /** Returns the part that has been in force within the last minute. */
    public synchronized T current() {
        Instant now = database.now();
        if (!now.isBefore(until)) {
            cached = part.apply(database.registry().get(ItemKind.CONFIGURATION.key(), false));
            until = now.plus(MAX_AGE);
        }
        return cached;
    }
}
