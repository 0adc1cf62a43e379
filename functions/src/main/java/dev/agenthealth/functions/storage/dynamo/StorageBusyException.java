package dev.agenthealth.functions.storage.dynamo;

/** The storage did not take a request within the time there is for retrying: the caller may repeat it later. */
public final class StorageBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** An operation that was not even tried, as the time of the work that it belongs to is over. */
    public StorageBusyException(String operation) {
        super(operation + " was not begun in time");
    }

    public StorageBusyException(String operation, Throwable cause) {
        super(operation + " was not accepted in time", cause);
    }
}
