package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.model.identity.KeyHash;
import java.util.regex.Pattern;

/**
 * The credential of a request, which need not be valid.
 *
 * @param hash of the key or the token
 * @param token the token; empty for a key
 * @param address from which the request comes; empty where it is unknown
 * @param mayBeChosen whether a person may have chosen the key, as it has another form than issued ones, which nobody can guess
 */
public record PresentedCredential(KeyHash hash, String token, String address, boolean mayBeChosen) {

    private static final int MAX_KEY_LENGTH = 256;

    /** The form of issued keys: 256 random bits. */
    private static final Pattern ISSUED = Pattern.compile("ahk_[A-Za-z0-9_-]{43}");

    /** The beginning of a JSON object in base64url, and two dots at least. Keys that are issued have none. */
    private static final Pattern TOKEN = Pattern.compile("eyJ[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*){2,4}");

    /**
     * The key or token of a request.
     *
     * @throws ApiError 401 where there is none, or a text that cannot be one
     */
    public static PresentedCredential of(ApiRequest request) {
        String text = request.apiKey();
        if (TOKEN.matcher(text).matches()) {
            return new PresentedCredential(KeyHash.ofKey(text), text, request.address(), false);
        }
        if (text.isEmpty() || text.length() > MAX_KEY_LENGTH) {
            throw ApiError.unauthenticated();
        }
        return new PresentedCredential(
                KeyHash.ofKey(text),
                "",
                request.address(),
                !ISSUED.matcher(text).matches());
    }

    /** Returns whether it is a token and no key. */
    public boolean isToken() {
        return !token.isEmpty();
    }

    /** Never the token itself, so that none ends up in a log by accident. */
    @Override
    public String toString() {
        return isToken() ? "PresentedCredential[token]" : "PresentedCredential[key]";
    }
}
