package dev.agenthealth.model.identity;

import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The SHA-256 of an API key: the only form in which a key is stored or compared.
 *
 * <p>Comparison takes constant time. Immutable and thread-safe.
 */
public final class KeyHash {

    /** The credential of an agent after its key was revoked. It equals no key's hash. */
    public static final KeyHash NONE = new KeyHash(new byte[0]);

    private static final int LENGTH = 32;

    private final byte[] bytes;

    private KeyHash(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the hash of an API key as a caller presents it. */
    public static KeyHash ofKey(String apiKey) {
        return new KeyHash(Sha256.of(apiKey));
    }

    /**
     * Returns the hash with these 32 bytes; {@link #NONE} without bytes.
     *
     * @throws IllegalArgumentException for any other length
     */
    public static KeyHash ofBytes(byte[] bytes) {
        if (bytes.length == 0) {
            return NONE;
        }
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a key's hash has 32 bytes, not " + bytes.length);
        }
        return new KeyHash(bytes.clone());
    }

    /**
     * Returns the hash written as 64 hexadecimal digits.
     *
     * @throws IllegalArgumentException if {@code hex} is anything else
     */
    public static KeyHash ofHex(String hex) {
        if (hex.length() != 2 * LENGTH) {
            throw new IllegalArgumentException("a key's hash has 64 hexadecimal digits");
        }
        return new KeyHash(HexFormat.of().parseHex(hex));
    }

    /**
     * Returns the credential on rows of agents with a limited key. It differs from the hash of every key, so that a heartbeat of such an agent counts
     * only after its key was looked up.
     */
    public KeyHash ofLimitedKey() {
        byte[] inverse = bytes.clone();
        for (int i = 0; i < inverse.length; i++) {
            inverse[i] = (byte) ~inverse[i];
        }
        return new KeyHash(inverse);
    }

    /** Returns the 32 bytes; empty for {@link #NONE}. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns 64 lower-case hexadecimal digits; the empty string for {@link #NONE}. */
    public String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns whether this is {@link #NONE}. */
    public boolean isNone() {
        return bytes.length == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyHash hash && MessageDigest.isEqual(bytes, hash.bytes);
    }

    @Override
    public int hashCode() {
        return bytes.length == 0
                ? 0
                : bytes[0] << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
    }

    /** Returns a text without the hash, so that no hash ends up in a log by accident. */
    @Override
    public String toString() {
        return isNone() ? "KeyHash[none]" : "KeyHash[…]";
    }
}
