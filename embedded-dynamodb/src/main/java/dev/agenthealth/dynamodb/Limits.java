package dev.agenthealth.dynamodb;

/** DynamoDB's limits, in bytes where they say nothing else. */
final class Limits {

    static final int MAX_ITEM = 400 * 1024;
    static final int MAX_PAGE = 1024 * 1024;
    static final int MAX_BATCH = 16 * 1024 * 1024;
    static final int MAX_TRANSACTION = 4 * 1024 * 1024;

    /** Items of a transaction, and keys of a batch that is read. */
    static final int MAX_ITEMS = 100;

    /** Characters of the token of a transaction. */
    static final int MAX_TOKEN = 36;

    /** Items of a batch that is written. */
    static final int MAX_BATCH_WRITES = 25;

    static final int MAX_SEGMENTS = 1_000_000;
    static final int MAX_STREAM_RECORDS = 1_000;

    private Limits() {}
}
