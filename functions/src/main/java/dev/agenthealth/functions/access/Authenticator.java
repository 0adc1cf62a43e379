package dev.agenthealth.functions.access;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells who makes a request.
 *
 * <p>Known keys are remembered for {@link #MEMORY}, so that a revoked one stops working well within a minute; unknown keys are
 * looked up every time. Thread-safe.
 */
public final class Authenticator {

    /** How long a key is believed without being looked up again. */
    static final Duration MEMORY = Duration.ofSeconds(30);

    private static final int MAX_REMEMBERED = 1_000;
    private static final int MAX_KEY = 256;

    private final KeyHash administrator;
    private final KeyStore keys;
    private final Clock clock;
    private final int mostRemembered;
    private final Map<KeyHash, Remembered> remembered = new LinkedHashMap<>(16, 0.75f, true);

    private record Remembered(Caller caller, Instant until) {}

    /**
     * @param administrator hash of the administrator's key, from the deployment's parameters
     */
    public Authenticator(KeyHash administrator, KeyStore keys, Clock clock) {
        this(administrator, keys, clock, MAX_REMEMBERED);
    }

    Authenticator(KeyHash administrator, KeyStore keys, Clock clock, int mostRemembered) {
        this.administrator = administrator;
        this.keys = keys;
        this.clock = clock;
        this.mostRemembered = mostRemembered;
    }

    /** The authenticator of a deployed function. */
    public static Authenticator of(Wiring wiring, KeyStore keys) {
        return new Authenticator(KeyHash.ofHex(wiring.required("ADMIN_KEY_SHA256")), keys, wiring.clock());
    }

    /**
     * The hash of the key in the request, unknown though it may be.
     *
     * @throws Problem 401 where there is no key
     */
    public static KeyHash presented(ApiRequest request) {
        String key = request.apiKey();
        if (key.isEmpty() || key.length() > MAX_KEY) {
            throw Problem.unauthenticated();
        }
        return KeyHash.ofKey(key);
    }

    /**
     * Who makes this request.
     *
     * @throws Problem 401 where there is no key, or nobody was given it, or it was revoked
     */
    public Caller caller(ApiRequest request) {
        Caller caller = caller(presented(request));
        request.comesFrom(caller);
        return caller;
    }

    /**
     * Who makes this request, which needs no key.
     *
     * @throws Problem 401 where there is a key all the same, but nobody was given it, or it was revoked
     */
    public Visitor visitor(ApiRequest request) {
        return request.apiKey().isEmpty() ? new Visitor.Anybody() : new Visitor.KeyHolder(caller(request));
    }

    /**
     * Who holds the key with this hash.
     *
     * @throws Problem 401 where nobody does
     */
    public Caller caller(KeyHash presented) {
        if (presented.equals(administrator)) {
            return new Caller("administrator", Role.ADMINISTRATOR, Set.of(), presented);
        }
        Instant now = clock.instant();
        synchronized (remembered) {
            Remembered known = remembered.get(presented);
            if (known != null && now.isBefore(known.until())) {
                return known.caller();
            }
        }
        Optional<ApiKey> key = keys.find(presented);
        if (key.isEmpty()) {
            forget(presented);
            throw Problem.unauthenticated();
        }
        Caller caller =
                new Caller(key.get().keyId(), key.get().role(), key.get().roleIds(), presented);
        remember(presented, new Remembered(caller, now.plus(MEMORY)));
        return caller;
    }

    /** Whether anybody holds the key with this hash, as of now. */
    public boolean isHeld(KeyHash credential) {
        return credential.equals(administrator) || keys.find(credential).isPresent();
    }

    /**
     * The caller of a request that only an administrator may make.
     *
     * @throws Problem 401 or 403
     */
    public Caller administrator(ApiRequest request) {
        Caller caller = caller(request);
        if (!caller.isAdministrator()) {
            throw Problem.forbidden("Only an administrator may do this.");
        }
        return caller;
    }

    private void remember(KeyHash presented, Remembered caller) {
        synchronized (remembered) {
            remembered.put(presented, caller);
            if (remembered.size() > mostRemembered) {
                remembered.remove(remembered.keySet().iterator().next());
            }
        }
    }

    private void forget(KeyHash presented) {
        synchronized (remembered) {
            remembered.remove(presented);
        }
    }
}
