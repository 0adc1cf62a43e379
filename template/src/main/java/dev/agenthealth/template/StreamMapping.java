package dev.agenthealth.template;

import java.time.Duration;
import java.util.List;

/**
 * The delivery of a table's stream to a function.
 *
 * @param name logical id of the event within the function
 * @param tableName physical name of the table
 * @param startingPosition {@code TRIM_HORIZON} or {@code LATEST}
 * @param filterPatterns event patterns (JSON text); a record must match one of them; without patterns every record matches
 * @param batchSize maximum number of records per invocation
 * @param reportsBatchItemFailures whether the function's response names the failed records
 * @param retries the handling of failed batches
 */
public record StreamMapping(
        String name,
        String tableName,
        String startingPosition,
        List<String> filterPatterns,
        int batchSize,
        boolean reportsBatchItemFailures,
        Retries retries) {

    /**
     * The handling of failed batches.
     *
     * @param maximumAttempts -1 without a limit
     * @param maximumRecordAge age from which on a record is not delivered; zero without a limit
     * @param bisectsOnError whether a failed batch is split in two
     * @param onFailureDestination ARN of the destination of undelivered records; empty without a destination
     */
    public record Retries(
            int maximumAttempts, Duration maximumRecordAge, boolean bisectsOnError, String onFailureDestination) {}

    public StreamMapping {
        filterPatterns = List.copyOf(filterPatterns);
    }
}
