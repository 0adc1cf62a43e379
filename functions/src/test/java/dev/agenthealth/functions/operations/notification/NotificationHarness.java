package dev.agenthealth.functions.operations.notification;

import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.Target;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestSqs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Notifications with a receiver that answers as a test says, and remembers what was sent. */
final class NotificationHarness implements AutoCloseable {

    /** A rule about the changes of status of agents. */
    static final String LIFECYCLE = "\"events\":[\"agent.lifecycle\"]";

    static final Duration MINUTE = Duration.ofMinutes(1);

    final TestSystem system = new TestSystem();
    final List<NotificationMessage> sent = new ArrayList<>();
    final List<Target> targets = new ArrayList<>();
    private final Deque<Delivery> answers = new ArrayDeque<>();
    private int sequence;

    /** The next answers of the receiver; it accepts messages afterwards. */
    void answer(Delivery... next) {
        answers.addAll(List.of(next));
    }

    Response rule(String name, String fields) {
        return system.api()
                .put("/v1/admin/notifications/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{" + fields
                        + ",\"target\":{\"type\":\"slack\",\"url\":\"https://hooks.slack.com/services/T/B/X\"}}")
                .send();
    }

    Response get(String name) {
        return system.api()
                .get("/v1/admin/notifications/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
    }

    /** An agent's change of status now, as the bus delivers it. Returns its body, which can be delivered again. */
    String lifecycle(String agentId, String status, String reason) {
        sequence++;
        String body =
                """
                {"version":"0","id":"i","source":"agent-health","detail-type":"agent.lifecycle","detail":{"type":"agent.lifecycle",
                 "agent_id":"%s","previous_status":"active","new_status":"%s","reason":"%s","timestamp":"%s","capabilities":[],
                 "severity":"%s","event_id":"agent:%s:%d","incarnation":1,"sequence":%d}}
                """
                        .formatted(
                                agentId,
                                status,
                                reason,
                                system.clock().instant(),
                                status.equals("dead") ? "error" : "warning",
                                agentId,
                                sequence,
                                sequence);
        deliver(body);
        return body;
    }

    /** A critical event of a type now, without an agent, as the bus delivers it. */
    void event(String type, String fields) {
        sequence++;
        deliver(
                """
                        {"source":"agent-health","detail-type":"%s","detail":{"type":"%s","event_id":"e%d",\
                        "timestamp":"%s","severity":"critical",%s}}\
                        """
                        .formatted(type, type, sequence, system.clock().instant(), fields));
    }

    void deliver(String body) {
        system.sqs().client().sendMessage(r -> r.queueUrl(TestSystem.NOTIFICATIONS.get("NOTIFICATION_QUEUE_URL"))
                .messageBody(body));
    }

    NotificationRun.Result run() {
        return run(system.wiring(TestSystem.NOTIFICATIONS));
    }

    /** A run with another client of the database, such as one that fails. */
    NotificationRun.Result runThrough(DynamoDbClient dynamoDb) {
        Wiring usual = system.wiring(TestSystem.NOTIFICATIONS);
        return run(usual.toBuilder().dynamoDb(() -> dynamoDb).build());
    }

    private NotificationRun.Result run(Wiring wiring) {
        return new NotificationRun(
                        wiring,
                        new Channels(
                                List.of(new Recording("slack"), new Recording("webhook"), new Recording("pagerduty"))))
                .run();
    }

    /** Notes messages in place of a channel that has alerts. */
    private final class Recording extends Channel {

        Recording(String type) {
            super(type);
        }

        @Override
        public boolean hasAlerts() {
            return true;
        }

        @Override
        public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
            synchronized (NotificationHarness.this) {
                targets.add(target);
                sent.add(message);
                return answers.isEmpty() ? new Delivery.Delivered() : answers.poll();
            }
        }
    }

    /** A run after this time. */
    NotificationRun.Result runAfter(Duration time) {
        system.clock().advance(time);
        return run();
    }

    /** The subjects of a rule that have a problem which is not over. */
    List<String> openProblems(String rule) {
        return TableContents.of(system.tables()).items().stream()
                .filter(item -> item.containsKey("pk")
                        && item.get("pk").s().equals("NOTIFY#" + rule)
                        && item.containsKey("problem"))
                .map(item -> item.get("sk").s())
                .toList();
    }

    /** The items that a rule has to send. */
    List<String> pending(String rule) {
        return TableContents.of(system.tables()).items().stream()
                .filter(item -> item.containsKey("pk") && item.get("pk").s().equals("NOTIFY#" + rule))
                .map(item -> item.get("sk").s())
                .filter(sortKey -> sortKey.startsWith("D#") || sortKey.equals("M"))
                .toList();
    }

    /** The messages that were given up. */
    List<String> deadLetters() {
        return system.sqs().messages().stream()
                .filter(message -> message.queueUrl().endsWith("NotificationDeadLetters"))
                .map(TestSqs.Message::body)
                .toList();
    }

    String state(String name, String field) {
        return Json.stored(get(name).text()).path(field).asText();
    }

    @Override
    public void close() {
        system.close();
    }
}
