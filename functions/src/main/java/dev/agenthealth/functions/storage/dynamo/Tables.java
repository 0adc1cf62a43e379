package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.storage.health.MarkItem;
import dev.agenthealth.functions.wiring.Wiring;

/**
 * The physical names of the two tables, and how the index of what is due is cut.
 *
 * @param pulses one narrow row for every monitored agent
 * @param registry everything else
 * @param markPartitions so many partitions of the index the marks are put into that are set now; where the number was another before, or
 *     not everybody has heard of it, some stand in others, up to {@link MarkItem#MAX_PARTITIONS}
 */
public record Tables(String pulses, String registry, int markPartitions) {

    public Tables {
        if (markPartitions < MarkItem.MIN_PARTITIONS || markPartitions > MarkItem.MAX_PARTITIONS) {
            throw new IllegalArgumentException(markPartitions + " partitions of marks");
        }
    }

    /** The tables of a small fleet. */
    public Tables(String pulses, String registry) {
        this(pulses, registry, MarkItem.MIN_PARTITIONS);
    }

    /** What the template hands to every function. */
    public static Tables of(Wiring wiring) {
        return new Tables(
                wiring.required("PULSES_TABLE"),
                wiring.required("REGISTRY_TABLE"),
                wiring.requiredInt("MARK_PARTITIONS"));
    }
}
