package dev.agenthealth.functions.runtime.outbound;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs webhooks with a shared secret (Standard Webhooks, signature scheme {@code v1}). */
public final class WebhookSignature {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private static final int MIN_BYTES = 24;
    private static final int MAX_BYTES = 64;
    private static final int NEW_BYTES = 32;

    private WebhookSignature() {}

    /** Returns a random secret. */
    public static String newSecret() {
        byte[] random = new byte[NEW_BYTES];
        new SecureRandom().nextBytes(random);
        return secretOf(random);
    }

    /** Returns the secret whose key is {@code text}. */
    public static String secretOf(String text) {
        return secretOf(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String secretOf(byte[] key) {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    /** Returns the fault of a secret; empty if the secret is valid. */
    public static Optional<String> fault(String secret) {
        try {
            int bytes = key(secret).length;
            if (bytes >= MIN_BYTES && bytes <= MAX_BYTES) {
                return Optional.empty();
            }
        } catch (IllegalArgumentException e) {
            // The secret is refused like a secret of a wrong length.
        }
        return Optional.of("must be " + PREFIX + " and the base64 of " + MIN_BYTES + " to " + MAX_BYTES + " bytes");
    }

    /**
     * Returns the headers of a signed message.
     *
     * @param id the id of the message, without full stops, the same for every attempt
     * @param attemptAt the time of this attempt, in whole seconds
     * @param secrets base64 with the prefix {@code whsec_}, at least one
     * @throws IllegalArgumentException if a secret has another form
     */
    public static Map<String, String> headers(String id, Instant attemptAt, byte[] body, List<String> secrets) {
        return Map.of(
                "webhook-id", id,
                "webhook-timestamp", Long.toString(attemptAt.getEpochSecond()),
                "webhook-signature", of(id, attemptAt, body, secrets));
    }

    /**
     * Returns the header {@code webhook-signature}. It has one signature for each secret, so that receivers can change to a new secret at
     * their own time.
     */
    static String of(String id, Instant attemptAt, byte[] body, List<String> secrets) {
        return secrets.stream()
                .map(secret -> "v1," + Base64.getEncoder().encodeToString(hmac(secret, id, attemptAt, body)))
                .collect(Collectors.joining(" "));
    }

    private static byte[] hmac(String secret, String id, Instant attemptAt, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key(secret), ALGORITHM));
            mac.update((id + "." + attemptAt.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has HMAC-SHA256", e);
        }
    }

    private static byte[] key(String secret) {
        if (!secret.startsWith(PREFIX)) {
            throw new IllegalArgumentException("a signing secret begins with " + PREFIX);
        }
        return Base64.getDecoder().decode(secret.substring(PREFIX.length()));
    }
}
