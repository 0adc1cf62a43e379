package dev.agenthealth.functions.runtime.wiring;

/** Reports that the storage did not take a request within the time for retries. The caller may retry later. */
public final class StorageBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception for a request that was not sent, or a change that failed against other writers. */
    public StorageBusyException(String message) {
        super(message);
    }

    public StorageBusyException(String operation, Throwable cause) {
        super(operation + " was not accepted in time", cause);
    }
}
