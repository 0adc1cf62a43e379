package dev.agenthealth.client;

/** Thrown on 409: the request contradicts the current state, such as {@code agent_exists} or {@code lease_held}. */
public sealed class ConflictException extends ProblemException permits AgentAlreadyRunningException {

    private static final long serialVersionUID = 1L;

    ConflictException(Refusal refusal) {
        super(refusal);
    }
}
