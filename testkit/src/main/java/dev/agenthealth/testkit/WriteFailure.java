package dev.agenthealth.testkit;

/** A kind of failure of a write. */
public enum WriteFailure {
    /** The process crashes before the write: neither this request nor any later one reaches the storage. */
    CRASHES_BEFORE,
    /** The process crashes after the write. */
    CRASHES_AFTER,
    /** The write is rejected with an error that is not retryable; the process continues. */
    IS_REJECTED,
    /** The write is applied, its response is lost, and the process continues and may retry. */
    LOSES_RESPONSE
}
