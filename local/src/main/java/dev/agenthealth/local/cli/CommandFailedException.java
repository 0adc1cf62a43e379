package dev.agenthealth.local.cli;

/** Thrown if a command cannot do its work. The message tells people the reason and the remedy. */
final class CommandFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CommandFailedException(String message) {
        super(message);
    }

    CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
