package dev.agenthealth.dynamodb;

/** DynamoDB's limits, in bytes unless stated otherwise. */
final class Limits {

    static final int MAX_ITEM = 400 * 1024;
    static final int MAX_PAGE = 1024 * 1024;
    static final int MAX_BATCH = 16 * 1024 * 1024;
    static final int MAX_TRANSACTION = 4 * 1024 * 1024;

    /** The maximum number of items of a transaction, and of keys of a batch read. */
    static final int MAX_ITEMS = 100;

    /** The maximum number of characters of a transaction's token. */
    static final int MAX_TOKEN = 36;

    /** The maximum number of items of a batch write. */
    static final int MAX_BATCH_WRITES = 25;

    static final int MAX_SEGMENTS = 1_000_000;
    static final int MAX_STREAM_RECORDS = 1_000;

    private Limits() {}
}
