package dev.agenthealth.model.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A number that stands for a role where its id would take too much room: on the row that every heartbeat pays for.
 */
public final class RoleNumber {

    private static final int BYTES = 6;

    private RoleNumber() {}

    /**
     * 48 bits of SHA-256, the same everywhere and always; 0 for no role. Two roles of one system share a number with a probability of about
     * one in 500 million for a thousand roles.
     */
    public static long of(String roleId) {
        if (roleId.isEmpty()) {
            return 0;
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(roleId.getBytes(StandardCharsets.UTF_8));
            long number = 0;
            for (int i = 0; i < BYTES; i++) {
                number = number << 8 | hash[i] & 0xff;
            }
            return Math.max(1, number);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
