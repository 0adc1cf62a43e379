package dev.agenthealth.functions.storage.outcomes;

/** The result of comparing a batch with the stored batches. */
public enum BatchMatch {
    /** No batch with its id is stored. */
    NEW,
    /** The batch is stored. */
    COUNTED,
    /** A batch with its id but other content is stored. */
    OTHER_CONTENT
}
