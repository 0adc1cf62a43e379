package dev.agenthealth.functions.runtime.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts texts into tokens that only this system can read or create, each for one context (AES-256 in Galois/Counter Mode, NIST SP
 * 800-38D). Thread-safe.
 */
public final class TokenCipher {

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;

    private final Supplier<byte[]> key;
    private final Supplier<Optional<byte[]>> made;

    /** A cipher that no token uses. It keeps the schedule of its key. Looking up a cipher and preparing its key take a third of the time of a token. */
    private final AtomicReference<Cipher> idle = new AtomicReference<>();

    /**
     * @param key returns the 32 bytes of the key, which is the same for all functions; called when the first token is created
     * @param made returns the key if one was created before; opening a false token creates no key
     */
    public TokenCipher(Supplier<byte[]> key, Supplier<Optional<byte[]>> made) {
        this.key = key;
        this.made = made;
    }

    /** Returns a token of a text. Each token of the same text is different. */
    String seal(String text, String context) {
        byte[] nonce = new byte[NONCE_BYTES];
        // No field holds the generator: all instances of a snapshot would draw the same numbers.
        new SecureRandom().nextBytes(nonce);
        try {
            byte[] sealed = finished(
                    cipher(Cipher.ENCRYPT_MODE, key.get(), nonce, context), text.getBytes(StandardCharsets.UTF_8), 0);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                            .put(nonce)
                            .put(sealed)
                            .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has AES-GCM", e);
        }
    }

    /** Returns the text of a token; empty if {@link #seal} did not create the token for this context. */
    Optional<String> open(String token, String context) {
        byte[] bytes = decoded(token);
        if (bytes.length < NONCE_BYTES + TAG_BYTES) {
            return Optional.empty();
        }
        return made.get().flatMap(known -> open(bytes, known, context));
    }

    private Optional<String> open(byte[] bytes, byte[] key, String context) {
        byte[] nonce = new byte[NONCE_BYTES];
        System.arraycopy(bytes, 0, nonce, 0, NONCE_BYTES);
        try {
            byte[] text = finished(cipher(Cipher.DECRYPT_MODE, key, nonce, context), bytes, NONCE_BYTES);
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    private Cipher cipher(int mode, byte[] key, byte[] nonce, String context) throws GeneralSecurityException {
        Cipher known = idle.getAndSet(null);
        Cipher cipher = known == null ? Cipher.getInstance("AES/GCM/NoPadding") : known;
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * 8, nonce));
        cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    /** Processes the bytes from a position on, and keeps the cipher. A cipher that fails is dropped. */
    private byte[] finished(Cipher cipher, byte[] bytes, int from) throws GeneralSecurityException {
        byte[] result = cipher.doFinal(bytes, from, bytes.length - from);
        idle.set(cipher);
        return result;
    }

    private static byte[] decoded(String token) {
        try {
            return Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
