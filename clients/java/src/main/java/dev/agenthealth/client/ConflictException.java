package dev.agenthealth.client;

/** 409: the request contradicts the present state, such as {@code agent_exists} or {@code lease_held}. */
public sealed class ConflictException extends ProblemException permits AgentAlreadyRunningException {

    private static final long serialVersionUID = 1L;

    ConflictException(Refusal refusal) {
        super(refusal);
    }
}
