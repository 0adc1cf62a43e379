package dev.agenthealth.functions.storage.notifications;

import java.time.Instant;

/**
 * The state of a rule's deliveries.
 *
 * @param lastDelivery when the last one arrived; {@link Instant#EPOCH} where none did
 * @param lastError why the last attempt failed; empty where it did not
 * @param failingSince since when attempts fail; {@link Instant#EPOCH} where they do not
 * @param disabled why the rule sends nothing until it is written again; empty where it sends
 */
public record DeliveryState(Instant lastDelivery, String lastError, Instant failingSince, String disabled) {

    /** Of a rule that has sent nothing. */
    public static final DeliveryState NONE = new DeliveryState(Instant.EPOCH, "", Instant.EPOCH, "");

    /** After a message arrived. */
    public DeliveryState delivered(Instant now) {
        return new DeliveryState(now, "", Instant.EPOCH, "");
    }

    /** After an attempt failed. */
    public DeliveryState failed(String error, Instant now) {
        Instant since = failingSince.equals(Instant.EPOCH) ? now : failingSince;
        return new DeliveryState(lastDelivery, error, since, disabled);
    }

    /** After the receiver refused every further message. */
    public DeliveryState disabled(String reason, Instant now) {
        DeliveryState failed = failed(reason, now);
        return new DeliveryState(failed.lastDelivery(), reason, failed.failingSince(), reason);
    }

    /** Of the rule once it is written again. */
    public DeliveryState enabled() {
        return new DeliveryState(lastDelivery, "", Instant.EPOCH, "");
    }

    public boolean isDisabled() {
        return !disabled.isEmpty();
    }
}
