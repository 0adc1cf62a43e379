package dev.agenthealth.functions.observation;

/**
 * What some work used of DynamoDB.
 *
 * @param readUnits read capacity units, indexes included
 * @param writeUnits write capacity units, indexes included
 * @param throttles requests that were throttled, each try counted
 */
public record StorageUse(double readUnits, double writeUnits, long throttles) {

    /** Of work that did not touch it. */
    public static final StorageUse NONE = new StorageUse(0, 0, 0);
}
