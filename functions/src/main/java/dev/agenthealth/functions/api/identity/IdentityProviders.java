package dev.agenthealth.functions.api.identity;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.identity.CachedIdentityProviders;
import dev.agenthealth.model.identity.IdentityProvider;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The configured providers with what they say themselves. Thread-safe. */
public final class IdentityProviders {

    private final CachedIdentityProviders configured;
    private final ProviderClient client;
    private final Clock clock;
    private final Map<String, ProviderKeys> keys = new ConcurrentHashMap<>();
    private final Map<String, SigningKeys> written = new ConcurrentHashMap<>();

    public IdentityProviders(Wiring wiring, CachedIdentityProviders configured) {
        this.configured = configured;
        this.client = new ProviderClient(wiring);
        this.clock = wiring.clock();
    }

    /** The configured providers, by name. */
    public List<IdentityProvider> all() {
        return configured.current();
    }

    /** The first configured provider, by name, for which this holds. */
    public Optional<IdentityProvider> find(Predicate<IdentityProvider> wanted) {
        return configured.find(wanted);
    }

    /** The client that calls the providers. */
    public ProviderClient client() {
        return client;
    }

    /**
     * The addresses of a provider.
     *
     * @throws ApiError 503 where they cannot be read
     */
    public ProviderMetadata metadata(IdentityProvider provider) {
        return of(provider).read(any -> true).metadata();
    }

    /**
     * The keys of a provider: those of its configuration, else those that it serves.
     *
     * @param keyId the key that is wanted
     * @throws ApiError 503 where they cannot be read
     */
    SigningKeys keys(IdentityProvider provider, String keyId) {
        return provider.jwks().isEmpty()
                ? of(provider).read(keys -> !keys.find(keyId).isEmpty()).keys()
                : written.computeIfAbsent(
                        provider.jwks(), jwks -> SigningKeys.of(jwks).orElseThrow());
    }

    private ProviderKeys of(IdentityProvider provider) {
        // As that of written keys, the entry of a changed issuer stays: there are few changes between two starts.
        return keys.computeIfAbsent(provider.issuer(), issuer -> new ProviderKeys(issuer, client, clock));
    }
}
