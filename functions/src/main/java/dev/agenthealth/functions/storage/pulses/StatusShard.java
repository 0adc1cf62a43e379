package dev.agenthealth.functions.storage.pulses;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The hash key of the by-status index and of tombstones in the feed index: a letter for the status and a digit for one of
 * {@link #SHARDS} shards, so that a mass transition does not fall on one partition.
 */
public final class StatusShard {

    /** Shards of each status. */
    static final int SHARDS = 8;

    private StatusShard() {}

    /** The letter of a status. */
    public static String letter(LifecycleStatus status) {
        return switch (status) {
            case REGISTERING -> throw new IllegalArgumentException("registering is never stored");
            case ACTIVE -> "A";
            case DRAINING -> "G";
            case UNHEALTHY -> "U";
            case DEAD -> "X";
            case DEREGISTERED -> "Z";
        };
    }

    /** The status of a letter. */
    public static LifecycleStatus status(String letter) {
        return switch (letter) {
            case "A" -> LifecycleStatus.ACTIVE;
            case "G" -> LifecycleStatus.DRAINING;
            case "U" -> LifecycleStatus.UNHEALTHY;
            case "X" -> LifecycleStatus.DEAD;
            case "Z" -> LifecycleStatus.DEREGISTERED;
            default -> throw new IllegalStateException("a stored status is unknown: " + letter);
        };
    }

    /** Status and shard of an agent. */
    public static String of(LifecycleStatus status, String agentId) {
        return letter(status) + Math.floorMod(agentId.hashCode(), SHARDS);
    }

    /** All shards of a status. */
    public static List<String> all(LifecycleStatus status) {
        return IntStream.range(0, SHARDS).mapToObj(i -> letter(status) + i).toList();
    }
}
