package dev.agenthealth.functions.registry.heartbeat;

import dev.agenthealth.model.identity.Sha256;
import java.nio.ByteBuffer;
import java.util.List;

/** A hash of a list of task ids, for comparison with the stored list. The order of the ids does not matter. */
final class TaskListHash {

    /** The hash of an empty list. */
    static final long OF_NONE = 0;

    private TaskListHash() {}

    /** Returns 64 bits of SHA-256 over the sorted ids; 0 for an empty list. */
    static long of(List<String> tasks) {
        return tasks.isEmpty()
                ? OF_NONE
                : ByteBuffer.wrap(Sha256.of(tasks.stream().sorted().toList())).getLong();
    }
}
