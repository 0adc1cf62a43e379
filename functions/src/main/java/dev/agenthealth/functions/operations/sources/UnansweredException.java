package dev.agenthealth.functions.operations.sources;

/** Thrown if a document did not arrive in time. */
final class UnansweredException extends UnreadableSourceException {

    private static final long serialVersionUID = 1L;

    UnansweredException(String message) {
        super(message);
    }
}
