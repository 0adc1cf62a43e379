package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.time.Duration;

/**
 * The physical names of the two tables, how the index of due agents is partitioned, and for how long events are kept.
 *
 * @param pulses one narrow row for each monitored agent
 * @param registry everything else
 * @param duePartitions how many partitions of the index {@value Attributes#DUE_INDEX} are written to, {@value #MIN_DUE_PARTITIONS} to
 *     {@value #MAX_DUE_PARTITIONS}; entries written while the number was another stand in any of {@value #MAX_DUE_PARTITIONS}
 * @param eventRetention for how long an event is kept, from its writing
 * @param auditRetention for how long an entry of the audit log is kept
 */
public record Tables(
        String pulses, String registry, int duePartitions, Duration eventRetention, Duration auditRetention) {

    /** Enough for a small fleet. */
    public static final int MIN_DUE_PARTITIONS = 8;

    public static final int MAX_DUE_PARTITIONS = 128;

    public Tables {
        if (duePartitions < MIN_DUE_PARTITIONS || duePartitions > MAX_DUE_PARTITIONS) {
            throw new IllegalArgumentException(duePartitions + " partitions of due agents");
        }
    }

    /** The tables of a small fleet. */
    public Tables(String pulses, String registry) {
        this(pulses, registry, MIN_DUE_PARTITIONS);
    }

    /** Tables that keep events and entries for as long as they do by default. */
    public Tables(String pulses, String registry, int duePartitions) {
        this(pulses, registry, duePartitions, Duration.ofDays(90), Duration.ofDays(400));
    }

    /** The tables that the template names to every function. */
    public static Tables of(Wiring wiring) {
        return new Tables(
                wiring.required("PULSES_TABLE"),
                wiring.required("REGISTRY_TABLE"),
                wiring.requiredInt("MARK_PARTITIONS"),
                Duration.ofDays(wiring.requiredInt("EVENT_RETENTION_DAYS")),
                Duration.ofDays(wiring.requiredInt("AUDIT_RETENTION_DAYS")));
    }
}
