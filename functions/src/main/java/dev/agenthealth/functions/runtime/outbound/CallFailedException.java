package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.health.trust.Block;
import java.time.Instant;
import java.util.Optional;

/** Reports that a call to another party's address failed or is not allowed. */
public final class CallFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final InvocationFailure reason;
    private final String returned;
    private final transient Optional<Refusal> refusal;
    private final String note;
    private final transient Optional<Blocked> blocked;

    public CallFailedException(InvocationFailure reason) {
        this(reason, "");
    }

    /** @param returned JSON text of the error or the task that the agent returned; empty for none */
    public CallFailedException(InvocationFailure reason, String returned) {
        this(reason, returned, Optional.empty(), "", Optional.empty());
    }

    CallFailedException(InvocationFailure reason, Refusal refusal) {
        this(reason, "", Optional.of(refusal), "", Optional.empty());
    }

    private CallFailedException(
            InvocationFailure reason,
            String returned,
            Optional<Refusal> refusal,
            String note,
            Optional<Blocked> blocked) {
        super(reason.wireName(), null, false, false);
        this.reason = reason;
        this.returned = returned;
        this.refusal = refusal;
        this.note = note;
        this.blocked = blocked;
    }

    /**
     * Returns the refusal of a call of a stopped agent.
     *
     * @param note the reason of the stop in the operator's words, for callers; empty if the operator gave none
     */
    public static CallFailedException stopped(String note) {
        return new CallFailedException(InvocationFailure.AGENT_STOPPED, "", Optional.empty(), note, Optional.empty());
    }

    /** Returns the refusal of a call of a blocked agent. */
    public static CallFailedException blocked(Block block, Instant now) {
        return new CallFailedException(
                InvocationFailure.AGENT_BLOCKED, "", Optional.empty(), "", Optional.of(new Blocked(block, now)));
    }

    /** Returns the reason of a stop; empty without one. */
    public String note() {
        return note;
    }

    /** Returns the block because of which the agent was not called; empty if it is not blocked. */
    public Optional<Blocked> blocked() {
        return blocked;
    }

    /**
     * A block that refused a call.
     *
     * @param at the time of the call
     */
    public record Blocked(Block block, Instant at) {}

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
