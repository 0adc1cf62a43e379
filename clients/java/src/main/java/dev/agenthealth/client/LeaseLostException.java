package dev.agenthealth.client;

/** Thrown if the lease is no longer held. Nothing may be written under it (RFC-0016 §4.6). */
public final class LeaseLostException extends AgentHealthException {

    private static final long serialVersionUID = 1L;

    LeaseLostException(String message) {
        super(message, null);
    }
}
