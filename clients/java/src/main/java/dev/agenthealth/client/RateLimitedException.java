package dev.agenthealth.client;

/** 429: the key exceeds its limit. {@link #retryAfter} says when to come back. */
public final class RateLimitedException extends ProblemException {

    private static final long serialVersionUID = 1L;

    RateLimitedException(Refusal refusal) {
        super(refusal);
    }
}
