package dev.agenthealth.functions.runtime.json;

/** Reports that a text of a caller is not JSON as this system reads it. Its message completes "the text ...". */
public final class UnreadableJsonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableJsonException(String message) {
        super(message, null, false, false);
    }
}
