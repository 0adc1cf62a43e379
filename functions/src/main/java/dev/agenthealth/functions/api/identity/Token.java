package dev.agenthealth.functions.api.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.model.identity.TokenPeriod;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;

/**
 * A JSON Web Token in compact form (RFC 7519). Its signature may be wrong. Keys and addresses of keys in its header are not read.
 *
 * @param text the text that the caller sent
 * @param algorithm its {@code alg}
 * @param keyId its {@code kid}; empty without a {@code kid}
 */
record Token(String text, String algorithm, String keyId, Claims claims, TokenPeriod period) {

    private static final int MAX_LENGTH = 8 * 1024;

    /** The types of a token that identifies its holder. Other types are for other purposes (RFC 8725 §3.11). */
    private static final Set<String> TYPES = Set.of("", "jwt", "jose", "at+jwt", "application/at+jwt");

    /** The end of 9999-12-31 in seconds. */
    private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(253_402_300_799L);

    /**
     * Reads a token.
     *
     * @throws ApiError 401 if the text is no token
     */
    static Token of(String text) {
        if (text.length() > MAX_LENGTH) {
            throw AccessError.invalidToken("is larger than 8 KB");
        }
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3) {
            throw AccessError.invalidToken("has another form than that of a signed JSON Web Token");
        }
        JsonNode header = part(parts[0]);
        if (header.has("crit") || header.has("b64") || header.has("zip")) {
            throw AccessError.invalidToken("needs an extension that is not supported");
        }
        String type = header.path("typ").asText("");
        if (TYPES.stream().noneMatch(type::equalsIgnoreCase)) {
            throw AccessError.invalidToken("is one of another type");
        }
        Claims claims = new Claims(part(parts[1]));
        JsonNode json = claims.json();
        Instant notBefore = json.has("nbf") ? moment(json, "nbf") : Instant.EPOCH;
        Instant issuedAt = json.has("iat") ? moment(json, "iat") : TokenPeriod.UNKNOWN;
        return new Token(
                text,
                header.path("alg").asText(""),
                header.path("kid").asText(""),
                claims,
                new TokenPeriod(issuedAt, notBefore, moment(json, "exp")));
    }

    private static JsonNode part(String encoded) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(encoded);
            JsonNode json = Json.received(new String(bytes, StandardCharsets.UTF_8));
            if (json.isObject()) {
                return json;
            }
        } catch (IllegalArgumentException | UnreadableJsonException e) {
            // The error is the same as for any other text that is no token.
        }
        throw AccessError.invalidToken("cannot be read");
    }

    private static Instant moment(JsonNode claims, String name) {
        JsonNode value = claims.path(name);
        if (!value.isNumber()
                || value.decimalValue().signum() < 0
                || value.decimalValue().compareTo(MAX_SECONDS) > 0) {
            throw AccessError.invalidToken("has no number of seconds as '" + name + "'");
        }
        return Instant.ofEpochSecond(value.longValue());
    }

    /** Returns all text before the signature, which the signature signs. */
    byte[] signed() {
        return text.substring(0, text.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the signature in base64url. */
    String signature() {
        return text.substring(text.lastIndexOf('.') + 1);
    }

    /** Returns a text without the token, so that no log contains the token by accident. */
    @Override
    public String toString() {
        return "Token[…]";
    }
}
