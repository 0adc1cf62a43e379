package dev.agenthealth.functions.storage.system;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The runtime configuration for requests. It is cached for a minute, so that a change takes effect within a minute. Costs half a read unit
 * per minute. Thread-safe.
 */
public final class CachedConfiguration {

    private static final Duration MAX_AGE = Duration.ofSeconds(60);

    private final Database database;
    private ConfigurationStore.Stored cached;
    private Instant until = Instant.MIN;

    public CachedConfiguration(Database database) {
        this.database = database;
    }

    /** Returns a configuration that was in force within the last minute. */
    public synchronized ConfigurationStore.Stored current() {
        Instant now = database.now();
        if (!ClockRule.holds(until, MAX_AGE, now)) {
            cached = ConfigurationStore.read(database.registry().get(ItemKind.CONFIGURATION.key(), false));
            until = now.plus(MAX_AGE);
        }
        return cached;
    }
}
