package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.wiring.Wiring;

/**
 * The physical names of the two tables, and how the index of due agents is partitioned.
 *
 * @param pulses one narrow row for each monitored agent
 * @param registry everything else
 * @param duePartitions how many partitions of the index {@value Attributes#DUE_INDEX} are written to, {@value #MIN_DUE_PARTITIONS} to
 *     {@value #MAX_DUE_PARTITIONS}; entries written while the number was another stand in any of {@value #MAX_DUE_PARTITIONS}
 */
public record Tables(String pulses, String registry, int duePartitions) {

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

    /** The tables that the template names to every function. */
    public static Tables of(Wiring wiring) {
        return new Tables(
                wiring.required("PULSES_TABLE"),
                wiring.required("REGISTRY_TABLE"),
                wiring.requiredInt("MARK_PARTITIONS"));
    }
}
