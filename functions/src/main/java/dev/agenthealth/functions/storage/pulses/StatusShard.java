package dev.agenthealth.functions.storage.pulses;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The partition key of the by-status index, and of tombstones in the feed index: a code for the status and the number of a shard. Shards
 * spread a mass transition over several partitions.
 */
public final class StatusShard {

    /** The number of shards of each status. */
    private static final int SHARDS = 8;

    private StatusShard() {}

    /**
     * Returns the code of a status.
     *
     * @throws IllegalArgumentException for {@link LifecycleStatus#REGISTERING}, which is not stored
     */
    public static String code(LifecycleStatus status) {
        return switch (status) {
            case REGISTERING -> throw new IllegalArgumentException("registering is not stored");
            case ACTIVE -> "A";
            case DRAINING -> "G";
            case UNHEALTHY -> "U";
            case DEAD -> "X";
            case DEREGISTERED -> "Z";
        };
    }

    public static LifecycleStatus status(String code) {
        return switch (code) {
            case "A" -> LifecycleStatus.ACTIVE;
            case "G" -> LifecycleStatus.DRAINING;
            case "U" -> LifecycleStatus.UNHEALTHY;
            case "X" -> LifecycleStatus.DEAD;
            case "Z" -> LifecycleStatus.DEREGISTERED;
            default -> throw new IllegalStateException("a stored status is unknown: " + code);
        };
    }

    /** Returns the status and shard of an agent. */
    public static String of(LifecycleStatus status, String agentId) {
        return code(status) + Math.floorMod(agentId.hashCode(), SHARDS);
    }

    /** Returns all shards of a status. */
    public static List<String> all(LifecycleStatus status) {
        return IntStream.range(0, SHARDS).mapToObj(i -> code(status) + i).toList();
    }
}
