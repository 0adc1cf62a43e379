package dev.agenthealth.functions.notification;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.notification.channel.Delivery;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.notifications.DigestStore;
import dev.agenthealth.functions.storage.notifications.DigestStore.Pending;
import dev.agenthealth.functions.storage.notifications.DigestStore.Waiting;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.model.notification.Digest;
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

    /** Each message takes two, and one more for each time that its digest grew meanwhile; the next run does the rest. */
    private static final int MAX_STEPS = 10;

    private final NotificationRuleStore rules;
    private final DigestStore digests;
    private final Dispatcher dispatcher;
    private final NotificationQueue queue;
    private final Clock clock;

    NotificationDelivery(Stores stores, Dispatcher dispatcher, NotificationQueue queue, Clock clock) {
        this.rules = stores.notificationRules();
        this.digests = stores.digests();
        this.dispatcher = dispatcher;
        this.queue = queue;
        this.clock = clock;
    }

    /** Sends what is due of a rule. Returns how many messages it sent or gave up or postponed. */
    int send(StoredRule rule) {
        int attempts = 0;
        for (int step = 0; step < MAX_STEPS && attempts < MAX_MESSAGES; step++) {
            Instant now = clock.instant();
            Pending pending = digests.pending(rule.name());
            Optional<Waiting> message = pending.message();
            if (message.isEmpty()) {
                Optional<Map.Entry<String, Digest>> due = pending.due(now);
                if (due.isEmpty()) {
                    break;
                }
                // Where it grew meanwhile, it is read again.
                digests.freeze(rule.name(), due.get().getKey(), due.get().getValue());
            } else if (message.get().nextAt().isAfter(now)
                    || !digests.claim(rule.name(), message.get(), now.plus(CLAIM))) {
                break;
            } else {
                attempt(rules.find(rule.name()).orElse(rule), message.get(), now);
                attempts++;
            }
        }
        return attempts;
    }

    private void attempt(StoredRule rule, Waiting message, Instant now) {
        Delivery delivery = dispatcher.send(rule, message.digest().message(rule.name()), now);
        if (delivery instanceof Delivery.Delivered) {
            digests.end(rule.name(), message);
            rules.note(rule, rule.state().delivered(now));
            return;
        }
        Optional<Instant> next = delivery instanceof Delivery.Retry retry
                ? message.attempts().nextAfter(now, retry.after())
                : Optional.empty();
        next.ifPresentOrElse(
                at -> digests.postpone(rule.name(), message, at), () -> giveUp(rule, message, delivery.reason()));
        if (delivery instanceof Delivery.Gone) {
            rules.note(rule, rule.state().disabled(delivery.reason(), now));
            digests.discard(rule.name());
        } else {
            rules.note(rule, rule.state().failed(delivery.reason(), now));
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
