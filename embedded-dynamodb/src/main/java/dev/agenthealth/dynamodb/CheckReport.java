package dev.agenthealth.dynamodb;

import java.util.List;

/**
 * The findings of a check of a database.
 *
 * @param problems what is not whole, a sentence each; empty where all is
 * @param items number of items of all tables
 * @param indexEntries number of entries of their indexes
 * @param streamRecords number of records that the streams keep
 */
public record CheckReport(List<String> problems, long items, long indexEntries, long streamRecords) {

    public CheckReport {
        problems = List.copyOf(problems);
    }
}
