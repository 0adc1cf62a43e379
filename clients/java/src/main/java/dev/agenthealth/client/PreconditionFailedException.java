package dev.agenthealth.client;

/** 412: what the caller relies on no longer holds: another version, or a lease that is not in force. */
public final class PreconditionFailedException extends ProblemException {

    private static final long serialVersionUID = 1L;

    PreconditionFailedException(Refusal refusal) {
        super(refusal);
    }
}
