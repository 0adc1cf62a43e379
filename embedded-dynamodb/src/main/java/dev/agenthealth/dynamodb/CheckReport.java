package dev.agenthealth.dynamodb;

import java.util.List;

/**
 * The findings of a check of a database.
 *
 * @param problems a sentence per problem; empty if the database is undamaged
 * @param items number of items of all tables
 * @param indexEntries number of entries of all indexes
 * @param streamRecords number of records that the streams keep
 * @param messages number of messages in queues
 */
public record CheckReport(List<String> problems, long items, long indexEntries, long streamRecords, long messages) {

    public CheckReport {
        problems = List.copyOf(problems);
    }
}
