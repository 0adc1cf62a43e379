package dev.agenthealth.functions.operations.sources;

/** A document did not come in time. */
final class UnansweredException extends UnreadableSourceException {

    private static final long serialVersionUID = 1L;

    UnansweredException(String message) {
        super(message);
    }
}
