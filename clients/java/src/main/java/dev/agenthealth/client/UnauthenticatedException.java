package dev.agenthealth.client;

/** Thrown on 401: the API key is missing, unknown or revoked, or the token is not valid. */
public final class UnauthenticatedException extends ProblemException {

    private static final long serialVersionUID = 1L;

    UnauthenticatedException(Refusal refusal) {
        super(refusal);
    }
}
