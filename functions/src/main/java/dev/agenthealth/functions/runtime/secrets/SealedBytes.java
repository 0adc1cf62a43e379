package dev.agenthealth.functions.runtime.secrets;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts with AES-256 in Galois/Counter Mode (NIST SP 800-38D). The result holds the nonce, the encrypted bytes and the tag. */
final class SealedBytes {

    static final int KEY_BYTES = 32;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;

    private SealedBytes() {}

    /** Returns the encrypted bytes. Each call draws a new nonce. */
    static byte[] seal(byte[] key, String context, byte[] plain) {
        byte[] nonce = new byte[NONCE_BYTES];
        // No field holds the generator: all instances of a snapshot would draw the same numbers.
        new SecureRandom().nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, context).doFinal(plain);
            return ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has AES-GCM", e);
        }
    }

    /**
     * Returns the decrypted bytes.
     *
     * @throws UnreadableSecretException if the bytes were not encrypted with this key for this context, or were changed
     */
    static byte[] open(byte[] key, String context, ByteBuffer sealed) {
        if (sealed.remaining() < NONCE_BYTES + TAG_BYTES) {
            throw new UnreadableSecretException("a stored secret is incomplete");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        sealed.get(nonce);
        byte[] rest = new byte[sealed.remaining()];
        sealed.get(rest);
        try {
            return cipher(Cipher.DECRYPT_MODE, key, nonce, context).doFinal(rest);
        } catch (GeneralSecurityException e) {
            throw new UnreadableSecretException("a stored secret was changed, or belongs to another key or place", e);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, String context) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * 8, nonce));
        cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
