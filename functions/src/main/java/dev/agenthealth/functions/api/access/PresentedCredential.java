package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.storage.keys.KeySecret;
import dev.agenthealth.model.identity.KeyHash;
import java.util.regex.Pattern;

/**
 * The credential of a request, which may be invalid.
 *
 * @param hash the hash of the key or the token
 * @param token the token; empty for a key
 * @param address the address from which the request comes; empty if it is unknown
 * @param mayBeChosen whether a person may have chosen the key: it does not have the form of issued keys, which nobody can guess
 */
public record PresentedCredential(KeyHash hash, String token, String address, boolean mayBeChosen) {

    private static final int MAX_KEY_LENGTH = 256;

    private static final String TOKEN_START = "eyJ";

    /** A token: the beginning of a JSON object in base64url, and at least two dots. Issued keys have no dots. */
    private static final Pattern TOKEN = Pattern.compile(TOKEN_START + "[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*){2,4}");

    /**
     * Returns the key or token of a request.
     *
     * @throws ApiError 401 if there is none, or its text cannot be a key or token
     */
    public static PresentedCredential of(ApiRequest request) {
        String text = request.apiKey();
        return isToken(text)
                ? new PresentedCredential(KeyHash.ofKey(text), text, request.address(), false)
                : new PresentedCredential(KeyHash.ofKey(key(text)), "", request.address(), !KeySecret.hasForm(text));
    }

    /**
     * Checks that a request has a text that can be a key or token, without its hash.
     *
     * @throws ApiError 401 if it has none
     */
    static void require(ApiRequest request) {
        String text = request.apiKey();
        if (!isToken(text)) {
            key(text);
        }
    }

    private static boolean isToken(String text) {
        return text.startsWith(TOKEN_START) && TOKEN.matcher(text).matches();
    }

    private static String key(String text) {
        if (text.isEmpty() || text.length() > MAX_KEY_LENGTH) {
            throw AccessError.unauthenticated();
        }
        return text;
    }

    /** Returns whether it is a token and no key. */
    public boolean isToken() {
        return !token.isEmpty();
    }

    /** Returns a text without the token, so that no log contains the token by accident. */
    @Override
    public String toString() {
        return isToken() ? "PresentedCredential[token]" : "PresentedCredential[key]";
    }
}
