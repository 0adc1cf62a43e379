package dev.agenthealth.client;

/** Thrown on 404: the object does not exist, or the key may not see it. */
public final class NotFoundException extends ProblemException {

    private static final long serialVersionUID = 1L;

    NotFoundException(Refusal refusal) {
        super(refusal);
    }
}
