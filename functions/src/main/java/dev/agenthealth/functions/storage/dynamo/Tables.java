package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.time.Duration;

/**
 * The physical names of the two tables, the number of partitions of the index of due agents, and the retention of events and audit entries.
 *
 * @param pulses the table with one narrow row for each monitored agent
 * @param registry the table with all other items
 * @param duePartitions the number of partitions of the index {@value Attributes#DUE_INDEX} to which entries are written, {@value
 *     #MIN_DUE_PARTITIONS} to {@value #MAX_DUE_PARTITIONS}; entries that were written under another number are in any of {@value
 *     #MAX_DUE_PARTITIONS} partitions
 * @param eventRetention the time for which an event is kept after it was written
 * @param auditRetention the time for which an entry of the audit log is kept
 */
public record Tables(
        String pulses, String registry, int duePartitions, Duration eventRetention, Duration auditRetention) {

    /** The number of partitions for a small fleet. */
    public static final int MIN_DUE_PARTITIONS = 8;

    public static final int MAX_DUE_PARTITIONS = 128;

    /** The number of shards of the feed of events, for a small fleet and at most. */
    public static final int MIN_FEED_SHARDS = 4;

    public static final int MAX_FEED_SHARDS = 32;

    public Tables {
        if (duePartitions < MIN_DUE_PARTITIONS || duePartitions > MAX_DUE_PARTITIONS) {
            throw new IllegalArgumentException(duePartitions + " partitions of due agents");
        }
    }

    /**
     * Returns the number of shards per hour to which events are written: {@value #MIN_FEED_SHARDS} for a small fleet, {@value #MAX_FEED_SHARDS} for a
     * large one. An index takes about 1,000 write units a second for each shard.
     */
    public int feedShards() {
        return Math.max(MIN_FEED_SHARDS, duePartitions * MAX_FEED_SHARDS / MAX_DUE_PARTITIONS);
    }

    /** Creates the tables of a small fleet. */
    public Tables(String pulses, String registry) {
        this(pulses, registry, MIN_DUE_PARTITIONS);
    }

    /** Creates tables with the default retention of events and entries. */
    public Tables(String pulses, String registry, int duePartitions) {
        this(pulses, registry, duePartitions, Duration.ofDays(90), Duration.ofDays(400));
    }

    /** Returns the tables that the template names to every function. */
    public static Tables of(Wiring wiring) {
        return new Tables(
                wiring.get(FunctionSettings.PULSES_TABLE),
                wiring.get(FunctionSettings.REGISTRY_TABLE),
                wiring.get(FunctionSettings.MARK_PARTITIONS),
                Duration.ofDays(wiring.get(FunctionSettings.EVENT_RETENTION_DAYS)),
                Duration.ofDays(wiring.get(FunctionSettings.AUDIT_RETENTION_DAYS)));
    }
}
