package dev.agenthealth.functions.runtime.observation;

/**
 * The DynamoDB usage of a unit of work.
 *
 * @param readUnits read capacity units, indexes included
 * @param writeUnits write capacity units, indexes included
 * @param throttles throttled requests, each attempt counted
 */
public record StorageUse(double readUnits, double writeUnits, long throttles) {

    /** No usage. */
    public static final StorageUse NONE = new StorageUse(0, 0, 0);
}
