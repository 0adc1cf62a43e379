package dev.agenthealth.dynamodb.sqlite;

/** Thrown if the file cannot be opened as a database of this version. The message is a sentence for the operator. */
public final class DatabaseUnusableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DatabaseUnusableException(String message) {
        super(message);
    }

    public DatabaseUnusableException(String message, Throwable cause) {
        super(message, cause);
    }
}
