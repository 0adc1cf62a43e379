package dev.agenthealth.functions.outbound;

import dev.agenthealth.model.gateway.InvocationFailure;

/** A call to an address of another party failed, or may not be made. */
public final class CallFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InvocationFailure reason;
    private final String returned;

    public CallFailedException(InvocationFailure reason) {
        this(reason, "");
    }

    /**
     * @param returned JSON text of the error or the task that the agent returned; empty for none
     */
    public CallFailedException(InvocationFailure reason, String returned) {
        super(reason.wireName(), null, false, false);
        this.reason = reason;
        this.returned = returned;
    }

    public InvocationFailure reason() {
        return reason;
    }

    /** JSON text of the error or the task that the agent returned; empty where it returned neither. */
    public String returned() {
        return returned;
    }
}
