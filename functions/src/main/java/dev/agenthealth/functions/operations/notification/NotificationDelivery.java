package dev.agenthealth.functions.operations.notification;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.notifications.DeliveryState;
import dev.agenthealth.functions.storage.notifications.DigestStore;
import dev.agenthealth.functions.storage.notifications.DigestStore.Waiting;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.operations.notification.Collected;
import dev.agenthealth.model.operations.notification.DeliveryAttempts;
import dev.agenthealth.model.operations.notification.Digest;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.model.operations.problem.ProblemMoment;
import dev.agenthealth.model.operations.problem.ProblemMoment.Sending;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sends the due messages of a rule. Messages are sent one at a time, in the order of their events, and each is retried until it arrives or is given
 * up. A crash between sending a message and recording it sends the message once more, with the same id. Thread-safe.
 */
final class NotificationDelivery {

    /** A time longer than a function may run. For this time, no other invocation sends the same message. */
    private static final Duration CLAIM = Duration.ofMinutes(2);

    /** The time after which no attempt begins, so that the last attempt, of at most {@link HttpSender#MAX_TIME}, ends before the function does. */
    private static final Duration SENDING = Duration.ofSeconds(20);

    /** The maximum number of steps. It bounds a run with a digest that keeps growing. The next run does the rest. */
    private static final int MAX_STEPS = 100;

    private final NotificationRuleStore rules;
    private final DigestStore digests;
    private final GroupStore groups;
    private final ProblemStore problems;
    private final Dispatcher dispatcher;
    private final NotificationQueue queue;
    private final Clock clock;

    NotificationDelivery(Database database, Dispatcher dispatcher, NotificationQueue queue, Clock clock) {
        this.rules = new NotificationRuleStore(database);
        this.digests = new DigestStore(database);
        this.groups = new GroupStore(database);
        this.problems = new ProblemStore(database);
        this.dispatcher = dispatcher;
        this.queue = queue;
        this.clock = clock;
    }

    /** Sends the due messages of a rule. Returns the number of attempts. */
    int send(StoredRule rule) {
        Instant end = clock.instant().plus(SENDING);
        int attempts = 0;
        for (int step = 0; step < MAX_STEPS && !clock.instant().isAfter(end); step++) {
            Instant now = clock.instant();
            Optional<Waiting> message = digests.message(rule.name());
            if (message.isPresent()) {
                if (!attempt(rule.name(), message.get(), now)) {
                    break;
                }
                attempts++;
            } else if (!freeze(rule, now)) {
                break;
            }
        }
        return attempts;
    }

    /** Turns the digest that has been due for the longest time into the next message. Returns {@code false} if no digest is due. */
    private boolean freeze(StoredRule rule, Instant now) {
        Optional<Map.Entry<String, Digest>> due = digests.open(rule.name()).entrySet().stream()
                .filter(slot -> slot.getValue().isDue(Collected.longest(slot.getKey(), rule.rule()), now))
                .min(Comparator.comparing(slot -> slot.getValue().dueAt()));
        // If the digest grew meanwhile, it is read again.
        due.ifPresent(slot -> digests.freeze(rule, slot.getKey(), slot.getValue()));
        return due.isPresent();
    }

    /** Sends a message once. Returns {@code false} if it is not due, another run sends it, or the rule is gone. */
    private boolean attempt(String name, Waiting message, Instant now) {
        if (ClockRule.holds(message.nextAt(), DeliveryAttempts.MAX_ASKED_PAUSE, now)
                || !digests.claim(name, message, now.plus(CLAIM))) {
            return false;
        }
        // The rule is read now, as it may have another target meanwhile.
        Optional<StoredRule> rule = rules.find(name);
        rule.ifPresent(stored -> send(stored, message, now));
        return rule.isPresent();
    }

    private void send(StoredRule rule, Waiting message, Instant now) {
        Delivery delivery = dispatcher.send(rule, named(message.digest().message(rule.name())), now);
        DeliveryState before = rule.state();
        if (delivery instanceof Delivery.Delivered) {
            digests.end(rule.name(), message);
            rules.note(rule, before.delivered(now));
            note(rule, message, now, Sending.DELIVERED);
        } else if (delivery instanceof Delivery.Gone) {
            keep(rule, message, delivery.reason());
            rules.disable(rule, before.disabled(delivery.reason(), now));
            note(rule, message, now, Sending.FAILED);
        } else {
            Optional<Instant> next = nextAttempt(message, delivery, now);
            next.ifPresentOrElse(
                    at -> digests.postpone(rule.name(), message, at), () -> giveUp(rule, message, delivery.reason()));
            rules.note(rule, before.failed(delivery.reason(), now));
            // Later failures of the same message would only move the time of the note.
            if (next.isEmpty() || message.attempts().made() == 0) {
                note(rule, message, now, next.isPresent() ? Sending.RETRYING : Sending.FAILED);
            }
        }
    }

    /** Notes the result on the problems that the message shows. Comes last, so that a failure loses the note alone. */
    private void note(StoredRule rule, Waiting message, Instant now, Sending result) {
        List<String> subjects = message.digest().entries().stream()
                .filter(entry -> entry.kind() == EventKind.PROBLEM)
                .map(NotificationEntry::subject)
                .distinct()
                .toList();
        problems.note(subjects, ProblemMoment.notified(now, message.digest().id(), rule.name(), result));
    }

    /** Adds the contacts that workflows declare for the roles of the message. Costs one request if an event names a role. */
    private NotificationMessage named(NotificationMessage message) {
        List<String> roleIds = message.entries().stream()
                .map(NotificationEntry::roleId)
                .filter(roleId -> !roleId.isEmpty())
                .distinct()
                .toList();
        return roleIds.isEmpty() ? message : message.withContacts(groups.contacts(roleIds));
    }

    private static Optional<Instant> nextAttempt(Waiting message, Delivery delivery, Instant now) {
        return delivery instanceof Delivery.Retry retry
                ? message.attempts().nextAfter(now, retry.after())
                : Optional.empty();
    }

    /** Keeps the message before it is removed. A crash in between keeps it twice, and never loses it. */
    private void giveUp(StoredRule rule, Waiting message, String reason) {
        keep(rule, message, reason);
        digests.end(rule.name(), message);
    }

    private void keep(StoredRule rule, Waiting message, String reason) {
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
    }
}
