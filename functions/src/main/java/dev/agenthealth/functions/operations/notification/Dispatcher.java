package dev.agenthealth.functions.operations.notification;

import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.Target;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.secrets.SecretBox;
import dev.agenthealth.functions.runtime.secrets.UnreadableSecretException;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Encrypts the targets of rules, and sends messages to them. Thread-safe. */
final class Dispatcher {

    private final Channels channels;
    private final SecretBox box;
    private final String page;

    /** @param page the address of the registry's page, to which messages link; empty for messages without links */
    Dispatcher(Wiring wiring, Channels channels, String page) {
        this.channels = channels;
        this.box = SecretBox.of(wiring);
        this.page = page;
    }

    /** Returns the encrypted target of a rule. */
    byte[] seal(String rule, Target target) {
        return box.seal(context(rule), Json.text(target.json()).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the target of a rule; empty if its key is lost, so that an administrator has to write the target again. */
    Optional<Target> open(StoredRule rule) {
        if (rule.sealedTarget().length == 0) {
            return Optional.empty();
        }
        try {
            byte[] plain = box.open(context(rule.name()), rule.sealedTarget());
            return Optional.of(new Target(Json.stored(new String(plain, StandardCharsets.UTF_8))));
        } catch (UnreadableSecretException e) {
            return Optional.empty();
        }
    }

    /** Sends a message to the target of a rule, once. */
    Delivery send(StoredRule rule, NotificationMessage message, Instant attemptAt) {
        Optional<Target> target;
        try {
            target = open(rule);
        } catch (StorageBusyException e) {
            return new Delivery.Retry(Duration.ZERO, "the target cannot be decrypted now");
        }
        if (target.isEmpty()) {
            return new Delivery.Refused("the target has no secret, or cannot be decrypted: write the rule again");
        }
        Channel channel = channels.of(target.get());
        boolean onlyEndsAlerts = message.total() == 0;
        return onlyEndsAlerts && !channel.hasAlerts()
                ? new Delivery.Delivered()
                : channel.send(target.get(), shown(rule, channel, message.with(page)), attemptAt);
    }

    private static NotificationMessage shown(StoredRule rule, Channel channel, NotificationMessage message) {
        return channel.isForPeople() ? message.shownIn(rule.rule().zone()) : message;
    }

    private static String context(String rule) {
        return "notification:" + rule;
    }
}
