package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.gateway.InvocationFailure;
import java.util.Optional;

/** Reports that a call to another party's address failed or is not allowed. */
public final class CallFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InvocationFailure reason;
    private final String returned;
    private final transient Optional<Refusal> refusal;
    private final String note;

    public CallFailedException(InvocationFailure reason) {
        this(reason, "");
    }

    /** @param returned JSON text of the error or the task that the agent returned; empty for none */
    public CallFailedException(InvocationFailure reason, String returned) {
        this(reason, returned, Optional.empty(), "");
    }

    CallFailedException(InvocationFailure reason, Refusal refusal) {
        this(reason, "", Optional.of(refusal), "");
    }

    private CallFailedException(InvocationFailure reason, String returned, Optional<Refusal> refusal, String note) {
        super(reason.wireName(), null, false, false);
        this.reason = reason;
        this.returned = returned;
        this.refusal = refusal;
        this.note = note;
    }

    /**
     * Returns a refusal with the words of an operator.
     *
     * @param note the reason of a stop, or the name of the rule that contains the agent, for callers; empty for none
     */
    public static CallFailedException refused(InvocationFailure reason, String note) {
        return new CallFailedException(reason, "", Optional.empty(), note);
    }

    /** Returns the reason of a stop, or the name of a rule; empty without one. */
    public String note() {
        return note;
    }

    /**
     * A response without a status of success.
     *
     * @param text the response's JSON; empty if it has none or too much
     */
    public record Refusal(int status, String text) {}

    public InvocationFailure reason() {
        return reason;
    }

    /** Returns the response that refused the call; empty if there was no response, or it was not read. */
    public Optional<Refusal> refusal() {
        return refusal;
    }

    /** Returns the JSON text of the error or the task that the agent returned; empty if it returned neither. */
    public String returned() {
        return returned;
    }
}
