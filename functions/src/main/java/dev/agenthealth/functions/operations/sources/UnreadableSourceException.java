package dev.agenthealth.functions.operations.sources;

/** A document could not be read; the message says why, in words for operators. */
class UnreadableSourceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableSourceException(String message) {
        super(message, null, false, false);
    }
}
