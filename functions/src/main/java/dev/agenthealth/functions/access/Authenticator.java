package dev.agenthealth.functions.access;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the caller of a request by its API key.
 *
 * <p>Valid keys are cached for {@link #CACHE_TIME}, so that a revoked key stops working within a minute. Invalid keys are looked up every
 * time. Thread-safe.
 */
public final class Authenticator {

    static final Duration CACHE_TIME = Duration.ofSeconds(30);

    /** The id of the deployment's own key, which is not issued. */
    public static final String ADMINISTRATOR = "administrator";

    private static final int MAX_CACHED = 1_000;
    private static final int MAX_KEY_LENGTH = 256;

    private final KeyHash administrator;
    private final KeyStore keys;
    private final Clock clock;
    private final Map<KeyHash, Cached> cache;

    private record Cached(Caller caller, Instant until) {}

    /**
     * @param administrator hash of the administrator's key, from the deployment's parameters
     * @param maxCached maximum number of keys in the cache, from which the least recently used key leaves first
     */
    Authenticator(KeyHash administrator, KeyStore keys, Clock clock, int maxCached) {
        this.administrator = administrator;
        this.keys = keys;
        this.clock = clock;
        this.cache = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<KeyHash, Cached> leastUsed) {
                return size() > maxCached;
            }
        });
    }

    /** The authenticator of a deployed function. */
    public static Authenticator of(Wiring wiring, KeyStore keys) {
        return new Authenticator(KeyHash.ofHex(wiring.required("ADMIN_KEY_SHA256")), keys, wiring.clock(), MAX_CACHED);
    }

    /**
     * Checks that a request has the key that its route requires, and gives the request its caller where the key is looked up.
     *
     * @throws Problem 401 where the key is missing or invalid, 403 where its role may not call the route
     */
    public void authenticate(ApiRequest request, Access access) {
        switch (access) {
            case PUBLIC -> {
                // A key is not read.
            }
            case UNVERIFIED_KEY -> presentedKey(request);
            case OPTIONAL_KEY -> {
                if (!request.apiKey().isEmpty()) {
                    identify(request);
                }
            }
            default -> identify(request);
        }
    }

    private Caller identify(ApiRequest request) {
        Caller caller = caller(presentedKey(request));
        request.identify(caller);
        return caller;
    }

    /**
     * The hash of the key in the request, which need not be valid.
     *
     * @throws Problem 401 where there is no key
     */
    public static KeyHash presentedKey(ApiRequest request) {
        String key = request.apiKey();
        if (key.isEmpty() || key.length() > MAX_KEY_LENGTH) {
            throw Problem.unauthenticated();
        }
        return KeyHash.ofKey(key);
    }

    /**
     * The holder of the key with this hash.
     *
     * @throws Problem 401 where the key was never issued or is revoked
     */
    public Caller caller(KeyHash presented) {
        if (presented.equals(administrator)) {
            return new Caller(ADMINISTRATOR, Role.ADMINISTRATOR, Set.of(), presented);
        }
        Instant now = clock.instant();
        Cached known = cache.get(presented);
        if (known != null && now.isBefore(known.until())) {
            return known.caller();
        }
        cache.remove(presented);
        ApiKey key = keys.find(presented).orElseThrow(Problem::unauthenticated);
        Caller caller = key.asCaller();
        Instant end = key.endOf(presented);
        Instant until = now.plus(CACHE_TIME);
        cache.put(presented, new Cached(caller, until.isBefore(end) ? until : end));
        return caller;
    }

    /** The key with this id as an owner, with its newest secret; empty where it is not in force, or is a viewer's. Never cached. */
    public Optional<Owner> owner(String keyId) {
        return keyId.equals(ADMINISTRATOR)
                ? Optional.of(new Owner(keyId, administrator))
                : keys.find(keyId).filter(key -> key.role() != Role.VIEWER).map(ApiKey::asOwner);
    }

    /** The providers that an owner's agents may name. Never cached. */
    public ProviderGrants providers(Owner owner) {
        return owner.keyId().equals(ADMINISTRATOR)
                ? ProviderGrants.ANY
                : keys.find(owner.keyId()).map(ApiKey::providers).orElse(ProviderGrants.NONE);
    }
}
