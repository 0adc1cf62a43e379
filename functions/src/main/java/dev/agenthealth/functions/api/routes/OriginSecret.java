package dev.agenthealth.functions.api.routes;

import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.KeyHash;
import java.util.Arrays;

/**
 * The secret that a proxy in front of the API sends with every request. The function refuses requests that bypass the proxy. It holds only
 * the SHA-256 hash of the secret. Immutable and thread-safe.
 */
final class OriginSecret {

    /** The header with the secret, or with the secret and its replacement, separated by a comma. */
    static final String HEADER = "x-origin-secret";

    private static final int MAX_SECRETS = 2;

    private final KeyHash expected;

    private OriginSecret(KeyHash expected) {
        this.expected = expected;
    }

    /** Returns the secret whose hash is in the environment. Without a hash, every request is accepted. */
    static OriginSecret of(Wiring wiring) {
        String hex = wiring.get(FunctionSettings.ORIGIN_SECRET_SHA256);
        return new OriginSecret(hex.isEmpty() ? KeyHash.NONE : KeyHash.ofHex(hex));
    }

    /** Returns whether a secret is set, so that only the proxy may send requests. */
    boolean isSet() {
        return !expected.isNone();
    }

    /** Returns whether a request may be answered: no secret is set, or the request has the secret. Takes the same time for every wrong secret. */
    boolean accepts(ApiRequest request) {
        return !isSet()
                || Arrays.stream(request.header(HEADER).split(",", MAX_SECRETS + 1))
                        .limit(MAX_SECRETS)
                        .anyMatch(secret -> KeyHash.ofKey(secret.trim()).equals(expected));
    }
}
