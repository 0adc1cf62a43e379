package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.gateway.InvocationFailure;
import java.util.Optional;

/** A call to an address of another party failed, or may not be made. */
public final class CallFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InvocationFailure reason;
    private final String returned;
    private final transient Optional<Refusal> refusal;

    public CallFailedException(InvocationFailure reason) {
        this(reason, "");
    }

    /**
     * @param returned JSON text of the error or the task that the agent returned; empty for none
     */
    public CallFailedException(InvocationFailure reason, String returned) {
        this(reason, returned, Optional.empty());
    }

    CallFailedException(InvocationFailure reason, Refusal refusal) {
        this(reason, "", Optional.of(refusal));
    }

    private CallFailedException(InvocationFailure reason, String returned, Optional<Refusal> refusal) {
        super(reason.wireName(), null, false, false);
        this.reason = reason;
        this.returned = returned;
        this.refusal = refusal;
    }

    /**
     * A response with a status that is none of success.
     *
     * @param text of its JSON; empty for none, or too much of it
     */
    public record Refusal(int status, String text) {}

    public InvocationFailure reason() {
        return reason;
    }

    /** The response that refused the call; empty where there was none, or it was not read. */
    public Optional<Refusal> refusal() {
        return refusal;
    }

    /** JSON text of the error or the task that the agent returned; empty where it returned neither. */
    public String returned() {
        return returned;
    }
}
