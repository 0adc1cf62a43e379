package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * The requests about sign-in and the caller. Only {@link #me} needs a key. Every method throws {@link AgentHealthException} if its request
 * fails. Thread-safe.
 */
public final class SignIn {

    private static final String SIGN_IN = "/api/v1/sign-in";

    private final Api api;

    SignIn(Api api) {
        this.api = api;
    }

    /** Returns the identity providers by which people sign in, in {@code providers}. */
    public JsonNode providers() {
        return api.send(Call.get(SIGN_IN));
    }

    /** Begins the device flow of a provider (RFC 8628). */
    public JsonNode device(String provider) {
        return api.send(Call.post(SIGN_IN).segment(provider).path("/device"));
    }

    /**
     * Gets a token, in {@code token}. An unanswered request is not retried, because a code and many refresh tokens are valid only once.
     *
     * @param grant {@code grant_type} and the parameters of that grant
     */
    public JsonNode token(String provider, Map<String, String> grant) {
        Call call = Call.post(SIGN_IN).segment(provider).path("/token");
        return api.send(call.notAfterSilence().body((ObjectNode) Json.of(grant)));
    }

    /**
     * Revokes a refresh token, or the token if there is no refresh token, at its provider.
     *
     * @return whether the provider supports that, in {@code revoked}
     */
    public JsonNode revoke(String provider, String token) {
        Call call = Call.post(SIGN_IN).segment(provider).path("/revoke");
        return api.send(call.body((ObjectNode) Json.of(Map.of("token", token))));
    }

    /** Returns the caller: {@code kind}, {@code name} and {@code role}. */
    public JsonNode me() {
        return api.send(Call.get("/api/v1/me"));
    }
}
