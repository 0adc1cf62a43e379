package dev.agenthealth.client;

/** Thrown on 503: the registry is busy. A retry of the request has no second effect. */
public final class RegistryBusyException extends ProblemException {

    private static final long serialVersionUID = 1L;

    RegistryBusyException(Refusal refusal) {
        super(refusal);
    }
}
