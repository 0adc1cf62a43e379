package dev.agenthealth.client;

/** 503: the registry is busy. The request may be repeated without a second effect. */
public final class RegistryBusyException extends ProblemException {

    private static final long serialVersionUID = 1L;

    RegistryBusyException(Refusal refusal) {
        super(refusal);
    }
}
