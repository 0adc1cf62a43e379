package dev.agenthealth.dynamodb.sqlite;

/** Thrown if SQLite could not read. */
public final class ReadFailedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    ReadFailedException(String message) {
        super(message);
    }

    ReadFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
