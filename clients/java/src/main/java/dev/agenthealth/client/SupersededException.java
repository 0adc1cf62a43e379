package dev.agenthealth.client;

/** Thrown on 410 {@code superseded}: another process registered the agent. This process must stop, and must not register again. */
public final class SupersededException extends ProblemException {

    private static final long serialVersionUID = 1L;

    SupersededException(Refusal refusal) {
        super(refusal);
    }
}
