package dev.agenthealth.client;

/** Thrown if no answer arrived: the registry is down, cannot be reached, or did not answer in time. The request may have been processed. */
public final class RegistryUnreachableException extends AgentHealthException {

    private static final long serialVersionUID = 1L;

    RegistryUnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
