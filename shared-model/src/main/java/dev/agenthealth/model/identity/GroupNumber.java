package dev.agenthealth.model.identity;

/** A number that replaces the name of a role, a provider or a platform. It keeps the row small that every heartbeat writes. */
public final class GroupNumber {

    /** The number without a group. */
    public static final long NONE = 0;

    private static final int BYTES = 6;

    private GroupNumber() {}

    /**
     * Returns the first 48 bits of the name's SHA-256, which never change; {@link #NONE} for an empty name. Among a thousand groups of a kind, two
     * share a number with a probability of about one in 500 million.
     */
    public static long of(String name) {
        if (name.isEmpty()) {
            return NONE;
        }
        byte[] hash = Sha256.of(name);
        long number = 0;
        for (int i = 0; i < BYTES; i++) {
            number = number << 8 | hash[i] & 0xff;
        }
        return Math.max(1, number);
    }
}
