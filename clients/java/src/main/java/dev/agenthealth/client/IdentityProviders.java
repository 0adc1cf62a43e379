package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;

/**
 * The identity providers with accepted tokens, for administrators. Every method throws {@link AgentHealthException} if its request fails.
 * Thread-safe.
 */
public final class IdentityProviders {

    private static final String PATH = "/v1/admin/identity-providers";

    private final Api api;

    IdentityProviders(Api api) {
        this.api = api;
    }

    /** Returns all providers by name. */
    public Stream<JsonNode> stream() {
        return Pages.stream(api, () -> Call.get(PATH), "identity_providers", provider -> provider);
    }

    /**
     * Creates or replaces a provider.
     *
     * @param provider with {@code issuer}, {@code audiences}, {@code grants} and further settings
     */
    public JsonNode put(String name, ObjectNode provider) {
        return api.send(Call.put(PATH).segment(name).body(provider));
    }

    /** Deletes a provider; does nothing if it does not exist. Its tokens are refused within a minute. */
    public void remove(String name) {
        api.send(Call.delete(PATH).segment(name));
    }
}
