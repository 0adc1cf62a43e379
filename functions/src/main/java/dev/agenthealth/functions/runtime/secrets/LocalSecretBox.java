package dev.agenthealth.functions.runtime.secrets;

import java.nio.ByteBuffer;

/** Encrypts with one key that the process holds. A local run uses it. Thread-safe. */
final class LocalSecretBox implements SecretBox {

    private static final byte FORMAT = 1;

    private final byte[] key;

    /** @param key 32 bytes */
    LocalSecretBox(byte[] key) {
        if (key.length != SealedBytes.KEY_BYTES) {
            throw new IllegalStateException("the key of stored secrets must have " + SealedBytes.KEY_BYTES + " bytes");
        }
        this.key = key.clone();
    }

    @Override
    public byte[] seal(String context, byte[] plain) {
        byte[] sealed = SealedBytes.seal(key, context, plain);
        return ByteBuffer.allocate(1 + sealed.length).put(FORMAT).put(sealed).array();
    }

    @Override
    public byte[] open(String context, byte[] sealed) {
        ByteBuffer bytes = ByteBuffer.wrap(sealed);
        if (!bytes.hasRemaining() || bytes.get() != FORMAT) {
            throw new UnreadableSecretException("a stored secret was encrypted by another installation");
        }
        return SealedBytes.open(key, context, bytes);
    }
}
