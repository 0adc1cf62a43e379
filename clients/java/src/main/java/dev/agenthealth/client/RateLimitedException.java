package dev.agenthealth.client;

/** Thrown on 429: the key exceeds its limit. {@link #retryAfter} returns the time until a retry. */
public final class RateLimitedException extends ProblemException {

    private static final long serialVersionUID = 1L;

    RateLimitedException(Refusal refusal) {
        super(refusal);
    }
}
