package dev.agenthealth.functions.storage.notifications;

import dev.agenthealth.model.operations.notification.NotificationRule;

/**
 * A rule with its target.
 *
 * @param rule what it reports
 * @param version counts its writes, from 1
 * @param shownTarget JSON of what administrators see of the target: no secrets
 * @param sealedTarget the whole target, encrypted
 * @param state how its messages arrive
 */
public record StoredRule(
        NotificationRule rule, long version, String shownTarget, byte[] sealedTarget, DeliveryState state) {

    /** Its name. */
    public String name() {
        return rule.name();
    }
}
