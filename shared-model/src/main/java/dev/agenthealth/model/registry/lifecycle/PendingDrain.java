package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.usage.UsageLimit;
import java.time.Duration;

/**
 * A drain that was requested but that the agent has not begun (RFC-0016 §5.3). Every answer to a heartbeat names it until the drain begins.
 *
 * @param reason the reason, at most {@link #MAX_REASON} characters; empty without a reason
 * @param timeout the maximum length of the drain; zero if none is pending
 * @param requestedBy the id of the key that requested the drain, or {@link #REGISTRY}; empty if none is pending
 * @param restarts whether the process should end after the drain so that its supervisor restarts it
 */
public record PendingDrain(String reason, Duration timeout, String requestedBy, boolean restarts) {

    /** The requester if the agent's own declaration causes the drain. */
    public static final String REGISTRY = "registry";

    /** The requester if an operator stopped the agent together with others. The end of the stop withdraws the command. */
    public static final String STOP = "stop";

    /** The maximum length of a reason, in characters. The reason is on the row that every heartbeat writes. */
    public static final int MAX_REASON = 64;

    /** The value if no drain was requested. */
    public static final PendingDrain NONE = new PendingDrain("", Duration.ZERO, "");

    /** Creates a drain without a restart. */
    public PendingDrain(String reason, Duration timeout, String requestedBy) {
        this(reason, timeout, requestedBy, false);
    }

    /** Returns the command of a stop, with the beginning of the stop's reason. */
    public static PendingDrain ofStop(String reason, Duration timeout) {
        return new PendingDrain(beginning(reason), timeout, STOP);
    }

    /** Returns the command of a containment rule, with the beginning of the rule's name. */
    public static PendingDrain ofRule(String rule, Duration timeout, boolean restarts) {
        return new PendingDrain(beginning("rule " + rule), timeout, REGISTRY, restarts);
    }

    /** Returns the command of a used up limit, with the limit as its reason. */
    public static PendingDrain ofLimit(UsageLimit limit, Duration timeout, boolean restarts) {
        return new PendingDrain(limit.wireName(), timeout, REGISTRY, restarts);
    }

    private static String beginning(String reason) {
        int end = Math.min(reason.length(), MAX_REASON);
        boolean splits = end < reason.length() && Character.isHighSurrogate(reason.charAt(end - 1));
        return reason.substring(0, splits ? end - 1 : end);
    }

    /** Returns the name of the command. */
    public String command() {
        return restarts ? "restart" : "drain";
    }

    /** Returns whether a stop asks the agent to drain. */
    public boolean isOfStop() {
        return requestedBy.equals(STOP);
    }

    /** Returns whether a used up limit asks the agent to drain or to restart. */
    public boolean isOfLimit() {
        return requestedBy.equals(REGISTRY)
                && WireNamed.find(UsageLimit.class, reason).isPresent();
    }

    /** Returns whether a drain was requested. */
    public boolean isPending() {
        return !timeout.isZero();
    }
}
