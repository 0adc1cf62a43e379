package dev.agenthealth.client;

/**
 * Thrown if the answer does not come from an Agent Health registry. The URL may belong to another service, or to a proxy that refuses the
 * request.
 */
public final class UnexpectedAnswerException extends AgentHealthException {

    private static final long serialVersionUID = 1L;

    private final int status;

    UnexpectedAnswerException(int status, String message) {
        super(message, null);
        this.status = status;
    }

    /** Returns the HTTP status of the answer. */
    public int status() {
        return status;
    }
}
