package dev.agenthealth.client;

import java.util.Map;
import java.util.function.Supplier;

/**
 * The credential of a request. As thread-safe as its suppliers.
 *
 * @param current called for every request; empty for none
 * @param afterRefusal called once after a 401; if it returns another value than was sent, the request is retried once
 * @param isToken true for the header {@code Authorization}, false for {@code X-API-Key}
 */
record Credential(Supplier<String> current, Supplier<String> afterRefusal, boolean isToken) {

    static Credential key(Supplier<String> key) {
        return new Credential(key, key, false);
    }

    static Credential token(Supplier<String> token) {
        return new Credential(token, token, true);
    }

    static Credential token(TokenFile file) {
        return new Credential(file::current, file::afterRefusal, true);
    }

    /** Returns the header with this value. */
    Map<String, String> header(String value) {
        if (value.isEmpty()) {
            return Map.of();
        }
        return isToken ? Map.of("Authorization", "Bearer " + value) : Map.of("X-API-Key", value);
    }

    /**
     * Returns the value.
     *
     * @throws IllegalArgumentException if it has characters other than visible ASCII, which a header cannot contain
     */
    static String checked(String value) {
        if (!isVisibleAscii(value)) {
            throw new IllegalArgumentException(
                    "the API key has characters other than visible ASCII; use the key as it was issued");
        }
        return value;
    }

    static boolean isVisibleAscii(String value) {
        return value.chars().allMatch(c -> c > ' ' && c < 127);
    }
}
