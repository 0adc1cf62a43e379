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

/** The configured providers, with the metadata and keys that they publish. Thread-safe. */
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

    /** Returns the configured providers, ordered by name. */
    public List<IdentityProvider> all() {
        return configured.current();
    }

    /** Returns the first configured provider, by name, that matches. */
    public Optional<IdentityProvider> find(Predicate<IdentityProvider> wanted) {
        return configured.find(wanted);
    }

    /** Returns the client that calls the providers. */
    public ProviderClient client() {
        return client;
    }

    /**
     * Returns the addresses of a provider.
     *
     * @throws ApiError 503 if they cannot be read
     */
    public ProviderMetadata metadata(IdentityProvider provider) {
        return of(provider).read(any -> true).metadata();
    }

    /**
     * Returns the keys of a provider: the keys in its configuration, else the keys that the provider serves.
     *
     * @param keyId the id of the required key
     * @throws ApiError 503 if they cannot be read
     */
    SigningKeys keys(IdentityProvider provider, String keyId) {
        return provider.jwks().isEmpty()
                ? of(provider).read(keys -> !keys.find(keyId).isEmpty()).keys()
                : written.computeIfAbsent(
                        provider.jwks(), jwks -> SigningKeys.of(jwks).orElseThrow());
    }

    private ProviderKeys of(IdentityProvider provider) {
        // The entry of a former issuer stays: issuers change rarely between two starts. The same holds for configured
        // keys.
        return keys.computeIfAbsent(provider.issuer(), issuer -> new ProviderKeys(issuer, client, clock));
    }
}
