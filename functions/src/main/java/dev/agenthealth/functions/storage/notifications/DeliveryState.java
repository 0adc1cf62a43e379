package dev.agenthealth.functions.storage.notifications;

import java.time.Instant;

/**
 * The state of a rule's deliveries.
 *
 * @param lastDelivery when the last message arrived; {@link Instant#EPOCH} if none did
 * @param lastError why the last attempt failed; empty if it succeeded
 * @param failingSince since when attempts fail; {@link Instant#EPOCH} if they succeed
 * @param disabled why the rule sends nothing until it is written again; empty if it sends
 */
public record DeliveryState(Instant lastDelivery, String lastError, Instant failingSince, String disabled) {

    /** The state of a rule that has sent nothing. */
    public static final DeliveryState NONE = new DeliveryState(Instant.EPOCH, "", Instant.EPOCH, "");

    /** Returns the state after a message arrived. */
    public DeliveryState delivered(Instant now) {
        return new DeliveryState(now, "", Instant.EPOCH, "");
    }

    /** Returns the state after an attempt failed. */
    public DeliveryState failed(String error, Instant now) {
        Instant since = failingSince.equals(Instant.EPOCH) ? now : failingSince;
        return new DeliveryState(lastDelivery, error, since, disabled);
    }

    /** Returns the state after the receiver refused every further message. */
    public DeliveryState disabled(String reason, Instant now) {
        DeliveryState failed = failed(reason, now);
        return new DeliveryState(failed.lastDelivery(), reason, failed.failingSince(), reason);
    }

    /** Returns the state after the rule was written again. */
    public DeliveryState enabled() {
        return new DeliveryState(lastDelivery, "", Instant.EPOCH, "");
    }

    public boolean isDisabled() {
        return !disabled.isEmpty();
    }
}
