package dev.agenthealth.client;

/** 410 {@code superseded}: another process registered the agent. This process stops, and does not register again. */
public final class SupersededException extends ProblemException {

    private static final long serialVersionUID = 1L;

    SupersededException(Refusal refusal) {
        super(refusal);
    }
}
