package dev.agenthealth.functions.heartbeat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** Tells whether a list of task ids is the one already stored, whatever its order. */
final class TaskDigest {

    /** The digest of no tasks. */
    static final long OF_NONE = 0;

    private TaskDigest() {}

    /** 64 bits of SHA-256 over the sorted ids; 0 for an empty list. */
    static long of(List<String> tasks) {
        if (tasks.isEmpty()) {
            return OF_NONE;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String task : tasks.stream().sorted().toList()) {
                digest.update(task.getBytes(StandardCharsets.UTF_8));
                // Ids hold no control characters, so that this separates them.
                digest.update((byte) 0);
            }
            return ByteBuffer.wrap(digest.digest()).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
