package dev.agenthealth.client;

/** 404: there is no such thing, or the key may not know of it. */
public final class NotFoundException extends ProblemException {

    private static final long serialVersionUID = 1L;

    NotFoundException(Refusal refusal) {
        super(refusal);
    }
}
