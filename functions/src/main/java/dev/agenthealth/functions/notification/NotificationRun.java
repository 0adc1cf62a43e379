package dev.agenthealth.functions.notification;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.json.UnreadableJsonException;
import dev.agenthealth.functions.notification.delivery.Senders;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.ThrottleWatch;
import dev.agenthealth.functions.secrets.SecretBox;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.notifications.DigestStore;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.notification.EventReading;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * One run: collects the events that wait in the queue, then sends what is due, each rule on a thread of its own. Runs may overlap, fail at
 * any point and be repeated. Thread-safe.
 */
public final class NotificationRun {

    /** For how long a run collects events; what is left waits for the next one. */
    private static final Duration COLLECTING = Duration.ofSeconds(10);

    /** On events of a replay, which is meant for other subscribers: these were reported when they happened. */
    private static final String REPLAY = "replay-name";

    private final NotificationRuleStore rules;
    private final DigestStore digests;
    private final NotificationQueue queue;
    private final NotificationDelivery delivery;
    private final Executor executor;
    private final Clock clock;
    private final Log log;
    private final ThrottleWatch throttles;

    public NotificationRun(Wiring wiring, Senders senders) {
        this(wiring, SecretBox.of(wiring), senders::send);
    }

    NotificationRun(Wiring wiring, SecretBox box, NotificationDelivery.Sender sender) {
        Stores stores = Stores.of(wiring);
        this.rules = stores.notificationRules();
        this.digests = stores.digests();
        this.queue = new NotificationQueue(wiring);
        this.clock = wiring.clock();
        this.log = wiring.log();
        this.delivery = new NotificationDelivery(rules, digests, box, sender, queue, wiring.clock());
        this.executor =
                wiring.storageMeter().propagating(Executors.newCachedThreadPool(DaemonThreads.named("notification")));
        this.throttles = new ThrottleWatch("NotificationFunction", wiring.storageMeter(), log);
    }

    /**
     * What a run did.
     *
     * @param events that were received, duplicates included
     * @param messages that were sent or given up
     * @param failures of rules and batches, which the next run repeats
     */
    public record Result(int events, int messages, int failures) {}

    /** Runs once. */
    public Result run() {
        return throttles.during(this::collectAndSend);
    }

    private Result collectAndSend() {
        List<StoredRule> active =
                rules.all().stream().filter(rule -> !rule.state().isDisabled()).toList();
        int failures = 0;
        int events = 0;
        try {
            events = collect(active);
        } catch (RuntimeException e) {
            // What is collected already is sent nevertheless.
            log.failure("events_not_collected", "notifications", e);
            failures++;
        }
        List<CompletableFuture<Optional<Integer>>> running = active.stream()
                .map(rule -> CompletableFuture.supplyAsync(() -> send(rule), executor))
                .toList();
        int messages = 0;
        for (CompletableFuture<Optional<Integer>> one : running) {
            Optional<Integer> sent = one.join();
            messages += sent.orElse(0);
            failures += sent.isPresent() ? 0 : 1;
        }
        return new Result(events, messages, failures);
    }

    /** Empty where the rule failed. */
    private Optional<Integer> send(StoredRule rule) {
        try {
            return Optional.of(delivery.send(rule));
        } catch (RuntimeException e) {
            log.failure("notification_not_sent", rule.name(), e);
            return Optional.empty();
        }
    }

    private int collect(List<StoredRule> active) {
        Instant end = clock.instant().plus(COLLECTING);
        int events = 0;
        List<Message> batch = queue.receive();
        while (!batch.isEmpty()) {
            add(
                    active,
                    batch.stream().flatMap(message -> reading(message).stream()).toList());
            queue.delete(batch);
            events += batch.size();
            batch = clock.instant().isBefore(end) ? queue.receive() : List.of();
        }
        return events;
    }

    private void add(List<StoredRule> active, List<EventReading> events) {
        for (StoredRule rule : active) {
            List<EventReading> ofRule = events.stream()
                    .filter(event -> rule.rule().covers(event.type()))
                    .toList();
            if (!ofRule.isEmpty()) {
                digests.add(rule.rule(), ofRule);
            }
        }
    }

    private Optional<EventReading> reading(Message message) {
        Optional<JsonNode> envelope = json(message.body());
        if (envelope.filter(json -> json.has(REPLAY)).isPresent()) {
            return Optional.empty();
        }
        Optional<EventReading> reading = envelope.flatMap(NotificationRun::reading);
        if (reading.isEmpty()) {
            queue.keep(message.body());
            log.warn("notification_unreadable", Map.of("message", message.messageId()));
        }
        return reading;
    }

    private static Optional<JsonNode> json(String body) {
        try {
            return Optional.of(Json.received(body)).filter(JsonNode::isObject);
        } catch (UnreadableJsonException e) {
            return Optional.empty();
        }
    }

    private static Optional<EventReading> reading(JsonNode envelope) {
        Map<String, String> detail = new HashMap<>();
        envelope.path("detail").properties().forEach(field -> {
            if (field.getValue().isValueNode()) {
                detail.put(field.getKey(), field.getValue().asText());
            }
        });
        return EventType.ofWord(envelope.path("detail-type").asText("")).flatMap(type -> EventReading.of(type, detail));
    }
}
