package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.api.identity.IdentityProviders;
import dev.agenthealth.functions.api.identity.TokenVerifier;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.identity.CachedIdentityProviders;
import dev.agenthealth.functions.storage.keys.AdministratorKeyStore;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.CallerKind;
import dev.agenthealth.model.identity.KeyAction;
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
 * Finds the caller of a request by its API key or its token.
 *
 * <p>Valid keys and tokens are cached for {@link #CACHE_TIME}, so that a revoked key stops working within a minute. Invalid keys and tokens
 * are looked up every time. Thread-safe.
 */
public final class Authenticator {

    static final Duration CACHE_TIME = Duration.ofSeconds(30);

    /** The id of the deployment's own key, which the registry does not issue. */
    public static final String ADMINISTRATOR = "administrator";

    private static final String ADMINISTRATOR_NAME = "administrator's key";

    private static final int MAX_CACHED = 1_000;

    private final KeyHash administrator;
    private final AdministratorKeyStore administratorKeys;
    private final KeyStore keys;
    private final KeyUses uses;
    private final WrongKeys wrongKeys;
    private final Clock clock;
    private final Map<KeyHash, Cached> cache;
    private final Wiring wiring;
    private final Database database;
    private IdentityProviders providers;

    private record Cached(Caller caller, Instant until) {}

    /**
     * @param administrator hash of the administrator's key, from the deployment's parameters
     * @param maxCached maximum number of keys in the cache; the least recently used key leaves first
     */
    Authenticator(KeyHash administrator, Wiring wiring, Database database, int maxCached) {
        this.administrator = administrator;
        this.administratorKeys = new AdministratorKeyStore(database);
        this.keys = new KeyStore(database);
        this.uses = new KeyUses(wiring, database);
        this.clock = wiring.clock();
        this.wrongKeys = wiring.process().shared(WrongKeys.class, () -> new WrongKeys(clock));
        this.wiring = wiring;
        this.database = database;
        this.cache = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<KeyHash, Cached> leastUsed) {
                return size() > maxCached;
            }
        });
    }

    /** Returns the authenticator of a deployed function. */
    public static Authenticator of(Wiring wiring, Database database) {
        return new Authenticator(
                KeyHash.ofHex(wiring.get(FunctionSettings.ADMIN_KEY_SHA256)), wiring, database, MAX_CACHED);
    }

    /** Returns the record of the uses of keys. */
    public KeyUses uses() {
        return uses;
    }

    /** Returns the identity providers, which are created when the first token arrives. Until then none of their classes is loaded. */
    public synchronized IdentityProviders identityProviders() {
        if (providers == null) {
            providers = new IdentityProviders(wiring, new CachedIdentityProviders(database));
        }
        return providers;
    }

    /**
     * Checks that a request has the key or token that its route requires, and sets the caller of the request if the route looks it up.
     *
     * @throws ApiError 401 if the key or token is missing or invalid, 403 if nothing is granted to the holder of a token, 503 if a
     *     token cannot be verified
     */
    public void authenticate(ApiRequest request, Access access) {
        switch (access) {
            case PUBLIC -> {
                // The route reads no key.
            }
            case UNVERIFIED_KEY -> PresentedCredential.require(request);
            case OPTIONAL_KEY -> {
                if (!request.apiKey().isEmpty()) {
                    identify(request);
                }
            }
            default -> identify(request);
        }
    }

    private Caller identify(ApiRequest request) {
        Caller caller = caller(PresentedCredential.of(request));
        request.identify(caller);
        return caller;
    }

    /**
     * Returns the holder of a key or a token.
     *
     * @throws ApiError 401 if the key was never issued, is revoked or has expired, or the token is invalid; 403 if nothing is
     *     granted to the holder of a token, or the key is not accepted from the address; 429 if the address sent too many wrong keys;
     *     503 if a token cannot be verified
     */
    public Caller caller(PresentedCredential presented) {
        Caller caller =
                cached(presented.hash()).orElseGet(() -> presented.isToken() ? ofToken(presented) : ofKey(presented));
        if (!caller.limits().allows(presented.address())) {
            throw AccessError.addressNotAllowed(presented.address());
        }
        return caller;
    }

    /**
     * Returns the holder of a key or a token that may do this action with its own agents.
     *
     * @throws ApiError as {@link #caller}, and 403 if the key is limited to other actions
     */
    public Caller caller(PresentedCredential presented, KeyAction action) {
        Caller caller = caller(presented);
        if (!caller.limits().allows(action)) {
            throw AccessError.actionNotAllowed(action);
        }
        return caller;
    }

    /**
     * Returns the holder of the key with this hash.
     *
     * @throws ApiError 401 if the key was never issued or is revoked
     */
    public Caller caller(KeyHash presented) {
        return caller(new PresentedCredential(presented, "", "", false));
    }

    /**
     * Returns the credential that the rows of agents store after a heartbeat with this key or token. A key with limits has a credential of
     * its own. The method looks up
     * only keys that this process has already seen with limits; any other key counts as a key without limits.
     *
     * <p>Tokens, the administrator's key and keys with limits are checked again, although the stored row may show that they were valid
     * before. For tokens and the administrator's key, only cached configuration is read, and the signature of a token is not verified
     * again.
     *
     * @throws ApiError 401 and 403 if the credential is no longer valid, or may not send heartbeats
     */
    public KeyHash credential(PresentedCredential presented) {
        if (presented.isToken()) {
            verifier().verifyAgain(presented.token());
        } else if (presented.hash().equals(administrator)) {
            ofAdministrator(presented);
        } else if (hadLimits(presented.hash())
                && !caller(presented, KeyAction.HEARTBEAT).limits().isNone()) {
            return presented.hash().ofLimitedKey();
        }
        return presented.hash();
    }

    private boolean hadLimits(KeyHash presented) {
        Cached known = cache.get(presented);
        return known != null && !known.caller().limits().isNone();
    }

    /** Returns the hash of the deployment's own key. */
    public KeyHash administratorKey() {
        return administrator;
    }

    /** Returns the holder of a key or token that was valid within the last half minute, even if the holder may not make the request. */
    public Optional<Caller> holder(PresentedCredential presented) {
        return cached(presented.hash());
    }

    private Optional<Caller> cached(KeyHash presented) {
        Cached known = cache.get(presented);
        if (known != null && ClockRule.holds(known.until(), CACHE_TIME, clock.instant())) {
            return Optional.of(known.caller());
        }
        return Optional.empty();
    }

    private Caller ofKey(PresentedCredential presented) {
        if (presented.hash().equals(administrator)) {
            return ofAdministrator(presented);
        }
        ApiKey key = keys.find(presented.hash()).orElseThrow(() -> refused(presented));
        Instant end = key.endOf(presented.hash());
        Instant expiry = key.limits().expiresAt().orElse(end);
        return cached(key.asCaller(), presented.hash(), expiry.isBefore(end) ? expiry : end);
    }

    /** Returns the administrator as a caller. A guesser gets the same answer for the right key as for a wrong key. */
    private Caller ofAdministrator(PresentedCredential presented) {
        wrongKeys.wait(presented.address()).ifPresent(wait -> {
            throw AccessError.tooManyWrongKeys(wait);
        });
        if (administratorKeys.isOff(administrator)) {
            throw AccessError.unauthenticated();
        }
        return ofDeployment();
    }

    private ApiError refused(PresentedCredential presented) {
        if (!presented.mayBeChosen()) {
            return AccessError.unauthenticated();
        }
        Optional<Duration> wait = wrongKeys.wait(presented.address());
        wrongKeys.note(presented.address(), presented.hash());
        return wait.map(AccessError::tooManyWrongKeys).orElseGet(AccessError::unauthenticated);
    }

    private Caller ofDeployment() {
        return Caller.ofKey(ADMINISTRATOR, ADMINISTRATOR_NAME, Role.ADMINISTRATOR, Set.of(), administrator);
    }

    private Caller ofToken(PresentedCredential presented) {
        Caller caller = verifier().verify(presented.token());
        return cached(caller, presented.hash(), caller.endsAt().orElse(Instant.MAX));
    }

    private TokenVerifier verifier() {
        return new TokenVerifier(identityProviders(), clock);
    }

    private Caller cached(Caller caller, KeyHash presented, Instant end) {
        Instant until = clock.instant().plus(CACHE_TIME);
        cache.put(presented, new Cached(caller, until.isBefore(end) ? until : end));
        return caller;
    }

    /**
     * Returns the owner with this id: a key with its newest secret, or an owner of workloads. Empty if the key is not in force or belongs
     * to a viewer. Never cached.
     */
    public Optional<Owner> owner(String keyId) {
        return keyId.equals(ADMINISTRATOR)
                ? Optional.of(new Owner(keyId, administrator)).filter(owner -> !administratorKeys.isOff(administrator))
                : keys.owner(keyId);
    }

    /**
     * Returns the key or the owner of workloads that issued an address or a configuration, which is valid only as long as its issuer. Never
     * cached.
     *
     * @param issuer the issuer with the hash of the secret at the time of issue, or {@link KeyHash#NONE} if the hash is unknown
     * @return empty if the issuer is no longer in force: revoked, expired, without a grant, or an earlier own key of the deployment
     */
    public Optional<Caller> issuer(Owner issuer) {
        if (!issuer.keyId().equals(ADMINISTRATOR)) {
            return keys.holder(issuer.keyId()).filter(Caller::mayChange);
        }
        boolean same = issuer.credential().isNone() || issuer.credential().equals(administrator);
        return Optional.of(ofDeployment()).filter(caller -> same && !administratorKeys.isOff(administrator));
    }

    /**
     * Returns a caller as an owner, with the newest secret of its key, or with the token that it presents. Empty if its key is no longer in
     * force.
     */
    public Optional<Owner> newest(Caller caller) {
        return caller.kind() == CallerKind.KEY ? owner(caller.keyId()) : Optional.of(caller.asOwner());
    }

    /** Returns the providers that an owner's agents may name. Never cached. */
    public ProviderGrants providers(Owner owner) {
        return owner.keyId().equals(ADMINISTRATOR) ? ProviderGrants.ANY : keys.providers(owner.keyId());
    }
}
