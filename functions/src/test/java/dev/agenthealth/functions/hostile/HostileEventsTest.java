package dev.agenthealth.functions.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.HostileRequests;
import dev.agenthealth.testkit.ProjectFiles;
import dev.agenthealth.testkit.SampleEvents;
import dev.agenthealth.testkit.TestJson;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Damaged messages and records of the queues and of the stream: none fails its batch, none is read for ever, and those beside it are done. */
@Tag(Attack.TAG)
class HostileEventsTest {

    private static final int MESSAGES = Attack.size(300, 10_000);
    private static final int BATCH = 10;
    private static final String NOT_IN_MESSAGES = "[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD]";

    private final Attack attack = Attack.begin("hostile-events");
    private final Random random = new Random(attack.seed());
    private final SampleEvents samples = new SampleEvents();
    private CapturedOutput log;
    private DeployedSystem system;

    @BeforeEach
    void start() {
        log = new CapturedOutput();
        system = new DeployedSystem();
    }

    @AfterEach
    void stop() {
        system.close();
        log.close();
    }

    @Test
    void damaged_events_hold_up_no_others() {
        invocations();
        records();
        notifications();
        log.close();
        attack.figure("messages of the invocation queue", MESSAGES)
                .figure("records of the stream", MESSAGES)
                .figure("events of the notification queue", MESSAGES)
                .end();
    }

    /** Each batch has one message that is whole, which is done, and is not delivered again with the others. */
    private void invocations() {
        JsonNode sample = samples.json("invocation-worker.json");
        for (int i = 0; i < MESSAGES / BATCH; i++) {
            ObjectNode event = sample.deepCopy();
            ArrayNode records = (ArrayNode) event.path("Records");
            ObjectNode whole = (ObjectNode) records.get(0);
            Set<String> damaged = new HashSet<>();
            for (int j = 1; j < BATCH; j++) {
                ObjectNode record = whole.deepCopy().put("messageId", "damaged-" + j);
                String body = HostileRequests.damaged(TestJson.object().put("body", "rcpt_" + j), random);
                records.add(record.put("body", body.substring(0, Math.min(body.length(), 250_000))));
                damaged.add("damaged-" + j);
            }
            JsonNode answer = TestJson.read(system.invoke("InvocationWorkerFunction", TestJson.text(event)));
            assertThat(damaged).containsAll(answer.path("batchItemFailures").findValuesAsText("itemIdentifier"));
        }
    }

    /** A record that holds no event is named, so that the stream goes on behind it after its retries; what stands before it is published. */
    private void records() {
        JsonNode sample = samples.json("publisher.json");
        for (int i = 0; i < MESSAGES; i++) {
            ObjectNode event = sample.deepCopy();
            ObjectNode record = (ObjectNode) event.path("Records").path(0);
            ObjectNode image = (ObjectNode) record.at("/dynamodb/NewImage");
            List<String> names = List.of("at", "detail", "type", "v", "ttl");
            String name = names.get(random.nextInt(names.size()));
            if (random.nextBoolean()) {
                image.remove(name);
            } else {
                ((ObjectNode) image.path(name)).removeAll();
            }
            JsonNode answer = TestJson.read(system.invoke("PublisherFunction", TestJson.text(event)));
            assertThat(answer.path("batchItemFailures").findValuesAsText("itemIdentifier"))
                    .isSubsetOf(record.at("/dynamodb/SequenceNumber").asText());
        }
    }

    /** Messages of rules are made of what others put on the bus. */
    private void notifications() {
        int before = log.lines().size();
        for (String target : List.of("slack", "teams", "discord", "google_chat", "webhook")) {
            assertThat(system.api()
                            .put("/v1/admin/notifications/" + target)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .body("{\"events\":[\"agent.lifecycle\",\"agent.health\"],\"target\":{\"type\":\"" + target
                                    + "\",\"url\":\"https://receiver.invalid/x\"}}")
                            .send()
                            .status())
                    .isEqualTo(201);
        }
        String queue = system.function("NotificationFunction").environment().get("NOTIFICATION_QUEUE_URL");
        List<Path> examples = ProjectFiles.list(ProjectFiles.path("docs/events")).stream()
                .filter(file -> file.toString().endsWith(".json"))
                .toList();
        for (int i = 0; i < MESSAGES; i++) {
            JsonNode example = TestJson.read(ProjectFiles.text(examples.get(random.nextInt(examples.size()))));
            ObjectNode event = TestJson.object();
            event.put("detail-type", example.path("detail-type").asText("agent.lifecycle"));
            event.set("detail", example.has("detail") ? example.path("detail") : example);
            // SQS takes no empty text, and only characters of XML.
            String body = "{"
                    + HostileRequests.damaged(event, random)
                            .replaceFirst("^\\{", "")
                            .replaceAll(NOT_IN_MESSAGES, "?");
            system.sqs().client().sendMessage(r -> r.queueUrl(queue)
                    .messageBody(body.substring(0, Math.min(body.length(), 250_000))));
            if (i % 50 == 49) {
                run(queue);
            }
        }
        for (int i = 0; i < 10 && waiting(queue) > 0; i++) {
            run(queue);
        }
        assertThat(waiting(queue)).isZero();
        List<String> logged = log.lines();
        assertThat(logged.subList(before, logged.size()).stream()
                        .filter(line -> line.contains("Exception") && !line.contains("CallFailedException"))
                        .limit(3))
                .isEmpty();
    }

    private void run(String queue) {
        system.clock().advanceSeconds(60);
        JsonNode numbers = TestJson.read(system.invoke("NotificationFunction", "{}"));
        assertThat(numbers.has("events")).as(queue).isTrue();
    }

    private long waiting(String queue) {
        return system.sqs().messages().stream()
                .filter(message -> message.queueUrl().equals(queue))
                .count();
    }
}
