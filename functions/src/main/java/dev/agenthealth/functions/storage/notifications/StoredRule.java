package dev.agenthealth.functions.storage.notifications;

import dev.agenthealth.model.operations.notification.NotificationRule;

/**
 * A rule with its target.
 *
 * @param rule the rule
 * @param version the number of its writes, from 1
 * @param shownTarget JSON of the part of the target that administrators see: no secrets
 * @param sealedTarget the whole target, encrypted
 * @param state the state of its deliveries
 */
public record StoredRule(
        NotificationRule rule, long version, String shownTarget, byte[] sealedTarget, DeliveryState state) {

    /** Returns the rule's name. */
    public String name() {
        return rule.name();
    }
}
