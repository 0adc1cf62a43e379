package dev.agenthealth.functions.storage.outcomes;

/** The result of comparing a batch with the stored ones. */
public enum BatchMatch {
    /** No batch with its id is stored. */
    NEW,
    /** The batch is stored. */
    COUNTED,
    /** A batch with its id is stored whose content is different. */
    OTHER_CONTENT
}
