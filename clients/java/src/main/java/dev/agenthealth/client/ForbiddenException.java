package dev.agenthealth.client;

/** Thrown on 403: the key is valid, but does not permit the request. {@code agent_quota_reached} is a possible code. */
public sealed class ForbiddenException extends ProblemException permits AgentBlockedException {

    private static final long serialVersionUID = 1L;

    ForbiddenException(Refusal refusal) {
        super(refusal);
    }
}
