package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A key with a new secret, which the registry shows once. Its {@code json()} and text do not contain the secret. */
public final class IssuedKey extends KeyRecord {

    private final String apiKey;

    private IssuedKey(ObjectNode json, String apiKey) {
        super(json);
        this.apiKey = apiKey;
    }

    static IssuedKey of(ObjectNode json) {
        return new IssuedKey(json, json.remove("api_key").asText());
    }

    /** Returns the secret, for {@code X-API-Key}. */
    public String apiKey() {
        return apiKey;
    }
}
