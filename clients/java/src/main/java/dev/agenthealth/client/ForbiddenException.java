package dev.agenthealth.client;

/** 403: the key is valid, but may not do this. {@code agent_quota_reached} is one of the codes. */
public final class ForbiddenException extends ProblemException {

    private static final long serialVersionUID = 1L;

    ForbiddenException(Refusal refusal) {
        super(refusal);
    }
}
