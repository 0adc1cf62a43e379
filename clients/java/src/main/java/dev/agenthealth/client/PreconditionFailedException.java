package dev.agenthealth.client;

/** Thrown on 412: a precondition of the caller no longer holds, such as a version or a lease in force. */
public final class PreconditionFailedException extends ProblemException {

    private static final long serialVersionUID = 1L;

    PreconditionFailedException(Refusal refusal) {
        super(refusal);
    }
}
