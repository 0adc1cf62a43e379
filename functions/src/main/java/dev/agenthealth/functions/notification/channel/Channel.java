package dev.agenthealth.functions.notification.channel;

import dev.agenthealth.model.notification.NotificationMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A kind of target: its fields, and how a message becomes what its receivers accept. Its fields decide what is secret and what administrators
 * see; everything is stored encrypted. Thread-safe.
 */
public interface Channel {

    /** The word for it in {@code target.type}. */
    String type();

    /** The fields of a target besides {@code type}. */
    List<TargetField> fields();

    /** Returns why no rule may have such a target in this installation; empty where rules may. */
    default Optional<String> unavailable() {
        return Optional.empty();
    }

    /** Returns whether receivers have alerts, which a message without events may end. */
    default boolean hasAlerts() {
        return false;
    }

    /**
     * Sends a message once, within {@link HttpSender#MAX_TIME}. A receiver may get it again when it is retried, with the same id.
     *
     * @param attemptAt when this attempt is made
     */
    Delivery send(Target target, NotificationMessage message, Instant attemptAt);
}
