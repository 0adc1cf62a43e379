package dev.agenthealth.functions.notification;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.notification.delivery.Delivery;
import dev.agenthealth.functions.secrets.SecretBox;
import dev.agenthealth.functions.secrets.UnreadableSecretException;
import dev.agenthealth.functions.storage.notifications.DigestStore;
import dev.agenthealth.functions.storage.notifications.DigestStore.Pending;
import dev.agenthealth.functions.storage.notifications.DigestStore.Waiting;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.model.notification.Digest;
import dev.agenthealth.model.notification.NotificationMessage;
import dev.agenthealth.model.notification.NotificationTarget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Sends what is due of a rule: one message at a time, in the order of their events, each until it arrives or is given up. A crash between
 * sending and noting it sends the message once more, with the same id. Thread-safe.
 */
final class NotificationDelivery {

    /** Longer than a function may run: until then a message that is being sent is not sent by another invocation. */
    private static final Duration CLAIM = Duration.ofMinutes(2);

    /** Two attempts of at most 20 s each, one for each digest, end within the time of the function. */
    private static final int MAX_MESSAGES = 2;

    static final String GONE = "the receiver answered 410: it wants no more messages";

    /** Sends a message once. */
    interface Sender {
        Delivery send(NotificationTarget target, NotificationMessage message, Instant attemptAt);
    }

    private final NotificationRuleStore rules;
    private final DigestStore digests;
    private final SecretBox box;
    private final Sender sender;
    private final NotificationQueue queue;
    private final Clock clock;

    NotificationDelivery(
            NotificationRuleStore rules,
            DigestStore digests,
            SecretBox box,
            Sender sender,
            NotificationQueue queue,
            Clock clock) {
        this.rules = rules;
        this.digests = digests;
        this.box = box;
        this.sender = sender;
        this.queue = queue;
        this.clock = clock;
    }

    /** Sends what is due of a rule. Returns how many messages it sent or gave up or postponed. */
    int send(StoredRule rule) {
        for (int sent = 0; sent < MAX_MESSAGES; ) {
            Pending pending = digests.pending(rule.name());
            Instant now = clock.instant();
            if (pending.message().isPresent()) {
                Waiting message = pending.message().get();
                if (message.nextAt().isAfter(now) || !digests.claim(rule.name(), message, now.plus(CLAIM))) {
                    return sent;
                }
                attempt(rules.find(rule.name()).orElse(rule), message, now);
                sent++;
                continue;
            }
            Optional<Map.Entry<String, Digest>> due = pending.open().entrySet().stream()
                    .filter(open -> !open.getValue().dueAt().isAfter(now))
                    .findFirst();
            if (due.isEmpty()) {
                return sent;
            }
            // Where it grew meanwhile, it is read again.
            digests.freeze(rule.name(), due.get().getKey(), due.get().getValue());
        }
        return MAX_MESSAGES;
    }

    private void attempt(StoredRule rule, Waiting message, Instant now) {
        Delivery delivery = send(rule, message, now);
        if (delivery instanceof Delivery.Delivered) {
            digests.end(rule.name(), message);
            rules.note(rule, rule.state().delivered(now));
        } else if (delivery instanceof Delivery.Gone) {
            giveUp(rule, message, GONE);
            rules.note(rule, rule.state().disabled(GONE, now));
            digests.discard(rule.name());
        } else if (delivery instanceof Delivery.Refused refused) {
            giveUp(rule, message, refused.reason());
            rules.note(rule, rule.state().failed(refused.reason(), now));
        } else if (delivery instanceof Delivery.Retry retry) {
            Optional<Instant> next = message.attempts().nextAfter(now, retry.after());
            if (next.isPresent()) {
                digests.postpone(rule.name(), message, next.get());
            } else {
                giveUp(rule, message, retry.reason());
            }
            rules.note(rule, rule.state().failed(retry.reason(), now));
        }
    }

    private Delivery send(StoredRule rule, Waiting message, Instant now) {
        try {
            return sender.send(SealedTarget.open(box, rule), message.digest().message(rule.name()), now);
        } catch (UnreadableSecretException e) {
            return new Delivery.Refused("the target cannot be decrypted: write the rule again");
        }
    }

    /** Before it is removed: a crash between both keeps it twice rather than not at all. */
    private void giveUp(StoredRule rule, Waiting message, String reason) {
        ObjectNode kept = Json.object()
                .put("message_id", message.digest().id())
                .put("rule", rule.name())
                .put("reason", reason)
                .put("total", message.digest().total());
        ArrayNode events = kept.putArray("events");
        message.digest().entries().forEach(entry -> events.addObject()
                .put("event_id", entry.eventId())
                .put("summary", entry.summary()));
        queue.keep(Json.text(kept));
        digests.end(rule.name(), message);
    }
}
