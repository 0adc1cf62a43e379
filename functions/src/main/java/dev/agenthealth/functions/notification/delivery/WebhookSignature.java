package dev.agenthealth.functions.notification.delivery;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Symmetric signatures of webhooks (Standard Webhooks, signature scheme {@code v1}). */
final class WebhookSignature {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private WebhookSignature() {}

    /**
     * The header {@code webhook-signature}: one signature for each secret, so that receivers can change to a new one at their own time.
     *
     * @param id of the message, without full stops
     * @param attemptAt when this attempt is made; whole seconds count
     * @param secrets base64 with the prefix {@code whsec_}, at least one
     * @throws IllegalArgumentException if a secret has another form
     */
    static String of(String id, Instant attemptAt, byte[] body, List<String> secrets) {
        return secrets.stream()
                .map(secret -> "v1," + Base64.getEncoder().encodeToString(hmac(secret, id, attemptAt, body)))
                .collect(Collectors.joining(" "));
    }

    private static byte[] hmac(String secret, String id, Instant attemptAt, byte[] body) {
        if (!secret.startsWith(PREFIX)) {
            throw new IllegalArgumentException("a signing secret begins with " + PREFIX);
        }
        byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update((id + "." + attemptAt.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has HMAC-SHA256", e);
        }
    }
}
