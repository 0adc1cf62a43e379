package dev.agenthealth.functions.operations.sources;

/** Thrown if a source may not change an agent. The message has the reason, in words for operators. */
final class ConflictingAgentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConflictingAgentException(String message) {
        super(message, null, false, false);
    }
}
