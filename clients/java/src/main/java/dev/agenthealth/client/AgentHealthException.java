package dev.agenthealth.client;

/** A request to the registry failed. The subclasses say how; callers that only need to go on catch this class. */
public abstract sealed class AgentHealthException extends RuntimeException
        permits ProblemException, RegistryUnreachableException, UnexpectedAnswerException, LeaseLostException {

    private static final long serialVersionUID = 1L;

    AgentHealthException(String message, Throwable cause) {
        super(message, cause);
    }
}
