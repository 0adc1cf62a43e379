package dev.agenthealth.functions.runtime.wiring;

/** The storage did not take a request within the time there is for retrying: the caller may repeat it later. */
public final class StorageBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** For a request that was not even tried, or a change that was tried in vain against other writers. */
    public StorageBusyException(String message) {
        super(message);
    }

    public StorageBusyException(String operation, Throwable cause) {
        super(operation + " was not accepted in time", cause);
    }
}
