package dev.agenthealth.functions.storage.outcomes;

/** How a batch compares with what is stored. */
public enum BatchMatch {
    /** No batch with its id is stored. */
    NEW,
    /** The batch is stored. */
    COUNTED,
    /** A batch with its id is stored whose content is different. */
    OTHER_CONTENT
}
