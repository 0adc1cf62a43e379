package dev.agenthealth.template;

import java.time.Duration;
import java.util.List;

/**
 * How records of a table's stream reach a function.
 *
 * @param name logical id of the event within the function
 * @param tableName physical name of the table whose stream is read
 * @param startingPosition {@code TRIM_HORIZON} or {@code LATEST}
 * @param filterPatterns event patterns (JSON text) of which a record must match one; none means every record is handed
 *     over
 * @param batchSize records handed over at once, at most
 * @param maximumRetryAttempts how often a failed batch is tried again; -1 means without end
 * @param maximumRecordAge age at which a record is given up; zero means never
 * @param bisectsOnError whether a failed batch is split in two
 * @param reportsBatchItemFailures whether the function's response names the records that failed
 * @param onFailureDestination ARN of where given-up records are noted; empty when nowhere
 */
public record StreamMapping(
        String name,
        String tableName,
        String startingPosition,
        List<String> filterPatterns,
        int batchSize,
        int maximumRetryAttempts,
        Duration maximumRecordAge,
        boolean bisectsOnError,
        boolean reportsBatchItemFailures,
        String onFailureDestination) {

    public StreamMapping {
        filterPatterns = List.copyOf(filterPatterns);
    }
}
