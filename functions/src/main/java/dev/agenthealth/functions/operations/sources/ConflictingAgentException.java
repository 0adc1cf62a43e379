package dev.agenthealth.functions.operations.sources;

/** An agent is not the source's to change; the message says why, in words for operators. */
final class ConflictingAgentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConflictingAgentException(String message) {
        super(message, null, false, false);
    }
}
