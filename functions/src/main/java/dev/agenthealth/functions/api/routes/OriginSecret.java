package dev.agenthealth.functions.api.routes;

import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.KeyHash;
import java.util.Arrays;

/**
 * The secret that a proxy in front of the API sends with every request, so that requests around the proxy are refused. Only its SHA-256 is
 * known here. Immutable and thread-safe.
 */
final class OriginSecret {

    /** The header with the secret, or with the secret and the one that replaces it, separated by a comma. */
    static final String HEADER = "x-origin-secret";

    private static final int MAX_SECRETS = 2;

    private final KeyHash expected;

    private OriginSecret(KeyHash expected) {
        this.expected = expected;
    }

    /** The secret whose hash is in the environment; without one every request is accepted. */
    static OriginSecret of(Wiring wiring) {
        String hex = wiring.environment().getOrDefault("ORIGIN_SECRET_SHA256", "");
        return new OriginSecret(hex.isEmpty() ? KeyHash.NONE : KeyHash.ofHex(hex));
    }

    /** Returns whether there is a proxy, which alone may send requests. */
    boolean isSet() {
        return !expected.isNone();
    }

    /** Returns whether a request may be answered: where no secret is set, or it has the secret. Takes the same time for every wrong secret. */
    boolean accepts(ApiRequest request) {
        return !isSet()
                || Arrays.stream(request.header(HEADER).split(",", MAX_SECRETS + 1))
                        .limit(MAX_SECRETS)
                        .anyMatch(secret -> KeyHash.ofKey(secret.trim()).equals(expected));
    }
}
