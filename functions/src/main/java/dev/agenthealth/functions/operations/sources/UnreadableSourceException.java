package dev.agenthealth.functions.operations.sources;

/** Thrown if a document could not be read. The message has the reason, in words for operators. */
class UnreadableSourceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableSourceException(String message) {
        super(message, null, false, false);
    }
}
