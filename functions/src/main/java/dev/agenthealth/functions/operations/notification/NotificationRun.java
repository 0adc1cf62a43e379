package dev.agenthealth.functions.operations.notification;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.observation.Metrics;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.notifications.DigestStore;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.operations.notification.NotificationRule;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * A run of notifications. It adds the waiting events to the problems of their subjects, and to the digests of all rules together with deferred
 * events that are due. Then it sends the due messages of each rule. Runs may overlap, fail at any point and be repeated. Thread-safe.
 */
public final class NotificationRun {

    /** The time in which a run collects events. Remaining events wait for the next run. */
    private static final Duration COLLECTING = Duration.ofSeconds(30);

    /** The time in which a run passes deferred events to the rules. */
    private static final Duration RELEASING = Duration.ofSeconds(10);

    /** The field that marks events of a replay. A replay is for other subscribers, as notifications reported its events when they happened. */
    private static final String REPLAY = "replay-name";

    private final NotificationRuleStore rules;
    private final DigestStore digests;
    private final ProblemStore problems;
    private final StatisticsStore statistics;
    private final Deferral deferral;
    private final SharedCauses causes;
    private final Escalation escalation;
    private final NotificationQueue queue;
    private final NotificationDelivery delivery;
    private final Executor executor;
    private final Clock clock;
    private final Log log;
    private final ThrottleMonitor throttles;

    public NotificationRun(Wiring wiring, Channels channels) {
        Database database = Database.of(wiring);
        this.rules = new NotificationRuleStore(database);
        this.digests = new DigestStore(database);
        this.problems = new ProblemStore(database);
        this.statistics = new StatisticsStore(database);
        this.clock = wiring.clock();
        this.deferral = new Deferral(database, clock);
        this.causes = new SharedCauses(database);
        this.escalation = new Escalation(database, clock);
        this.log = wiring.log();
        this.executor =
                wiring.storageMeter().propagating(Executors.newCachedThreadPool(DaemonThreads.named("notification")));
        this.queue = new NotificationQueue(wiring);
        this.delivery = new NotificationDelivery(
                database, new Dispatcher(wiring, channels, wiring.get(FunctionSettings.PUBLIC_URL)), queue, clock);
        this.throttles = new ThrottleMonitor("NotificationFunction", wiring.storageMeter(), log);
    }

    /**
     * The result of a run.
     *
     * @param events the number of received events, duplicates included
     * @param messages the number of messages that were sent, postponed or given up
     * @param failures the number of failed rules and batches, which the next run repeats
     */
    public record Result(int events, int messages, int failures) {}

    /** Runs once. */
    public Result run() {
        return throttles.during(this::collectAndSend);
    }

    private Result collectAndSend() {
        List<StoredRule> active =
                rules.all().stream().filter(rule -> !rule.state().isDisabled()).toList();
        // If this fails, messages with earlier events are sent nevertheless.
        OptionalInt events = step("events_not_collected", "notifications", () -> collect(active));
        OptionalInt released = step("deferred_not_released", "notifications", () -> release(active));
        List<OptionalInt> messages = Waiting.onAll(
                active, rule -> step("notification_not_sent", rule.name(), () -> delivery.send(rule)), executor);
        OptionalInt counted = step("problems_not_counted", "problems", this::countProblems);
        long failures = Stream.concat(Stream.of(events, released, counted), messages.stream())
                .filter(OptionalInt::isEmpty)
                .count();
        log.metrics(
                new Metrics().with(Metric.NOTIFICATION_RUNS, 1).withNonZero(Metric.NOTIFICATION_FAILURES, failures));
        return new Result(
                events.orElse(0),
                messages.stream().mapToInt(sent -> sent.orElse(0)).sum(),
                (int) failures);
    }

    private int countProblems() {
        statistics.putOpenProblems(problems.countOpen());
        return 0;
    }

    /** Returns the number that a step returns; empty if it failed. A failure is logged. */
    private OptionalInt step(String failure, String subject, IntSupplier work) {
        try {
            return OptionalInt.of(work.getAsInt());
        } catch (RuntimeException e) {
            log.failure(failure, subject, e);
            return OptionalInt.empty();
        }
    }

    /** Adds the waiting events to problems and to the digests of all rules. Returns the number of received messages. */
    private int collect(List<StoredRule> active) {
        Instant end = clock.instant().plus(COLLECTING);
        int received = 0;
        List<Message> batch = queue.receive();
        while (!batch.isEmpty()) {
            add(active, causes.marked(batch.stream().map(this::read).toList()));
            queue.delete(batch);
            received += batch.size();
            batch = clock.instant().isBefore(end) ? queue.receive() : List.of();
        }
        return received;
    }

    /** @param read the event of each message, followed by the ends of other problems that rules report with it */
    private void add(List<StoredRule> active, List<List<ReceivedEvent>> read) {
        List<ReceivedEvent> all = read.stream().flatMap(List::stream).toList();
        List<ReceivedEvent> events =
                read.stream().flatMap(one -> one.stream().limit(1)).toList();
        Deferral.Split split = deferral.split(recent(all));
        Runnable toProblems = () -> {
            problems.add(events);
            deferral.note(split);
        };
        Runnable toRules = () -> report(active, split.free());
        Waiting.onAll(List.of(toProblems, toRules), executor);
    }

    /** Passes deferred events to the rules, and problems that are due to the rules that wait, after the new events. So nothing is sent about a problem that is over by now. */
    private int release(List<StoredRule> active) {
        Instant until = clock.instant().plus(RELEASING);
        int released = deferral.release(readings -> report(active, readings), until);
        Map<String, NotificationRule> rules =
                active.stream().map(StoredRule::rule).collect(Collectors.toMap(NotificationRule::name, rule -> rule));
        // Only rules that wait have readings. Readings of deleted rules expire.
        return rules.values().stream().allMatch(rule -> rule.after().isZero())
                ? released
                : released + escalation.release(rules, this::release, until);
    }

    private void release(NotificationRule rule, List<ReceivedEvent> readings) {
        Deferral.Split split = deferral.split(readings);
        add(rule, split.free());
        deferral.note(split);
    }

    private List<ReceivedEvent> recent(List<ReceivedEvent> events) {
        Instant now = clock.instant();
        return events.stream()
                .filter(event -> !NotificationRule.isTooOld(event, now))
                .toList();
    }

    private void report(List<StoredRule> active, List<ReceivedEvent> events) {
        Stream<Runnable> toRules = active.stream().map(rule -> () -> add(rule.rule(), events));
        Waiting.onAll(toRules.toList(), executor);
    }

    private void add(NotificationRule rule, List<ReceivedEvent> events) {
        List<ReceivedEvent> covered =
                events.stream().filter(event -> rule.covers(event.type())).toList();
        digests.add(rule.name(), escalation.ready(rule, covered));
    }

    /**
     * Returns the event of a message, and the recoveries that follow from it. Empty for an event of a replay, and for an unreadable event, which is
     * kept for operators.
     */
    private List<ReceivedEvent> read(Message message) {
        JsonNode envelope = json(message.body());
        if (envelope.has(REPLAY)) {
            return List.of();
        }
        List<ReceivedEvent> events = read(envelope);
        if (events.isEmpty()) {
            queue.keep(message.body());
            log.warn("notification_unreadable", Map.of("message", message.messageId()));
        }
        return events;
    }

    static JsonNode json(String body) {
        try {
            return Json.received(body);
        } catch (UnreadableJsonException e) {
            return MissingNode.getInstance();
        }
    }

    /** Returns the event in an envelope of the bus, and the recoveries that follow from it; empty if the registry did not send it. */
    static List<ReceivedEvent> read(JsonNode envelope) {
        Map<String, String> detail = envelope.path("detail").properties().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, field -> text(field.getValue())));
        return WireNamed.find(EventType.class, envelope.path("detail-type").asText())
                .map(type -> ReceivedEvent.of(type, detail))
                .orElse(List.of());
    }

    private static String text(JsonNode value) {
        return value.isArray()
                ? StreamSupport.stream(value.spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(", "))
                : value.asText();
    }
}
