package dev.agenthealth.functions.runtime.http;

import dev.agenthealth.model.identity.KeyAction;
import java.time.Duration;

/** The refusals of requests because of their key or token, or because of the way that they took. */
public final class AccessError {

    /** The error code of {@link #tooManyWrongKeys}. */
    public static final String TOO_MANY_WRONG_KEYS = "too_many_requests";

    /** The code of the problem {@link #addressNotAllowed}. */
    public static final String ADDRESS_NOT_ALLOWED = "address_not_allowed";

    /** The code of the problem {@link #actionNotAllowed}. */
    public static final String ACTION_NOT_ALLOWED = "action_not_allowed";

    /** The code of the problem {@link #identityProviderUnavailable}, which has the status 503 although the registry works. */
    public static final String PROVIDER_UNAVAILABLE = "identity_provider_unavailable";

    private AccessError() {}

    /** Returns a 401 problem: the key is missing, was never issued or is revoked. */
    public static ApiError unauthenticated() {
        return ApiError.of(
                401,
                "unauthenticated",
                "A valid API key is needed in the header X-API-Key, or as bearer token in Authorization.",
                "WWW-Authenticate",
                "Bearer realm=\"agent-health\", ApiKey realm=\"agent-health\"");
    }

    /**
     * Returns a 401 problem: the token is not accepted.
     *
     * @param reason continues the sentence "The token"; never a part of the token
     */
    public static ApiError invalidToken(String reason) {
        return ApiError.of(
                401,
                "invalid_token",
                "The token " + reason + ".",
                "WWW-Authenticate",
                "Bearer realm=\"agent-health\", error=\"invalid_token\"");
    }

    /** Returns a 503 problem: the provider of a token or of a sign-in does not answer; keys work. */
    public static ApiError identityProviderUnavailable() {
        return ApiError.of(
                503,
                PROVIDER_UNAVAILABLE,
                "The identity provider does not answer. API keys work meanwhile.",
                ApiError.RETRY_AFTER,
                "10");
    }

    /** Returns a 403 problem: the token is valid, and its identity provider grants nothing to its holder. */
    public static ApiError notGranted(String provider) {
        return ApiError.of(
                403,
                "not_granted",
                "The identity provider '" + provider + "' grants nothing to the holder of this token.");
    }

    /** Returns a 403 problem: the key is valid, but not from this address. */
    public static ApiError addressNotAllowed(String address) {
        return ApiError.of(
                403,
                ADDRESS_NOT_ALLOWED,
                "The key may not be used from " + (address.isEmpty() ? "an unknown address" : "the address " + address)
                        + ".");
    }

    /** Returns a 403 problem: the key is limited to other actions. */
    public static ApiError actionNotAllowed(KeyAction missing) {
        return ApiError.of(
                403,
                ACTION_NOT_ALLOWED,
                "The key is limited to actions, and '" + missing.wireName() + "' is none of them.");
    }

    /** Returns a 403 problem: the request did not come through the proxy in front of the API. */
    public static ApiError notThroughProxy() {
        return ApiError.of(403, "not_through_proxy", "Send requests to the public address of this registry.");
    }

    /** Returns a 429 problem: the address sent too many wrong keys. */
    public static ApiError tooManyWrongKeys(Duration wait) {
        return ApiError.of(
                429,
                TOO_MANY_WRONG_KEYS,
                "This address sent too many wrong keys. Keys that were issued still work.",
                ApiError.RETRY_AFTER,
                ApiError.wholeSeconds(wait));
    }
}
