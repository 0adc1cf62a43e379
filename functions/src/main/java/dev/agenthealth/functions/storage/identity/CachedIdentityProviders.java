package dev.agenthealth.functions.storage.identity;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.IdentityProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The identity providers for requests. They are cached for half a minute. Together with the cache of callers, a change takes effect within
 * a minute. A read costs half a read unit for each 4 KB. Thread-safe.
 */
public final class CachedIdentityProviders {

    static final Duration MAX_AGE = Duration.ofSeconds(30);

    private final Database database;
    private List<IdentityProvider> cached = List.of();
    private Instant until = Instant.MIN;

    public CachedIdentityProviders(Database database) {
        this.database = database;
    }

    /** Returns the providers that were configured within the last half minute, by name. */
    public synchronized List<IdentityProvider> current() {
        Instant now = database.now();
        if (!ClockRule.holds(until, MAX_AGE, now)) {
            cached = IdentityProviderStore.read(
                    database.registry(), Query.partition(ItemKind.IDENTITY_PROVIDER.partition()));
            until = now.plus(MAX_AGE);
        }
        return cached;
    }

    /** Returns the first provider, by name, that matches. */
    public Optional<IdentityProvider> find(Predicate<IdentityProvider> wanted) {
        return current().stream().filter(wanted).findFirst();
    }
}
