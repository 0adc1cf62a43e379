package dev.agenthealth.functions.storage;

/** The storage did not take a request within the time there is for retrying: the caller may repeat it later. */
public final class StorageBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StorageBusyException(String operation, Throwable cause) {
        super(operation + " was not accepted in time", cause);
    }
}
