package dev.agenthealth.client;

import java.util.Map;
import java.util.function.Supplier;

/**
 * The proof to the registry of who sends a request. Thread-safe as its suppliers are.
 *
 * @param current called for every request; empty for none
 * @param afterRefusal called once after a 401: where it gives another than was sent, the request is sent once more
 * @param isToken whether it goes into {@code Authorization} rather than {@code X-API-Key}
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

    /** The header that carries it. */
    Map<String, String> header(String value) {
        if (value.isEmpty()) {
            return Map.of();
        }
        return isToken ? Map.of("Authorization", "Bearer " + value) : Map.of("X-API-Key", value);
    }

    /**
     * Returns the value.
     *
     * @throws IllegalArgumentException when it has characters other than visible ASCII, which no header can carry
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
