package dev.agenthealth.local.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.deadletters.DeadLetters.DeadLetter;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.local.testing.TestTemplate;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** From a request through the queue to the function; batches have 3 messages, 60 s of visibility, and 3 receives. */
@Tag("SN-07")
class QueueDeliveryTest {

    private final MutableClock clock = MutableClock.atExampleTime();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private LocalSystem system;

    private LocalOptions options() {
        return TestTemplate.byHand()
                .clock(clock, clock::advance)
                .out(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @BeforeEach
    void start() throws IOException {
        system = LocalSystem.start(options());
    }

    @AfterEach
    void stop() {
        system.close();
    }

    private String send(String body) {
        var answer = new HttpCaller(system.baseUrl())
                .call("POST", "/send", body.getBytes(StandardCharsets.UTF_8), "content-type", "text/plain");
        assertThat(answer.statusCode()).isEqualTo(202);
        return answer.body();
    }

    private Map<String, AttributeValue> got(String body) {
        return system.dynamoDb()
                .getItem(request ->
                        request.tableName(TestTemplate.TABLE).key(Map.of("pk", AttributeValue.fromS("M#" + body))))
                .item();
    }

    private int times(String body) {
        Map<String, AttributeValue> item = got(body);
        return item.isEmpty() ? 0 : Integer.parseInt(item.get("times").n());
    }

    @Test
    void a_message_reaches_the_function_once_and_is_gone() {
        send("Zoë 🤖");
        assertThat(system.queueSize("Work")).isEqualTo(1);
        assertThat(system.drainQueues()).isEqualTo(1);
        assertThat(system.drainQueues()).isZero();
        assertThat(system.queueSize("Work")).isZero();
        assertThat(times("Zoë 🤖")).isEqualTo(1);
        assertThat(got("Zoë 🤖").get("receives").s()).isEqualTo("1");
        assertThat(got("Zoë 🤖").get("queue_arn").s()).isEqualTo("arn:aws:sqs:us-east-1:000000000000:Work");
    }

    @Test
    void messages_come_in_batches() {
        for (int i = 0; i < 7; i++) {
            send("m" + i);
        }
        assertThat(system.drainQueues()).isEqualTo(7);
        assertThat(got("m0").get("batch_size").n()).isEqualTo("3");
        assertThat(got("m6").get("batch_size").n()).isEqualTo("1");
    }

    @Test
    void only_the_reported_failure_is_received_again_after_the_visibility_timeout() {
        send("good");
        send("fail");
        assertThat(system.drainQueues()).isEqualTo(1);
        clock.advanceSeconds(59);
        assertThat(system.drainQueues()).isZero();
        assertThat(times("fail")).isEqualTo(1);
        clock.advanceSeconds(1);
        system.drainQueues();
        assertThat(times("fail")).isEqualTo(2);
        assertThat(got("fail").get("receives").s()).isEqualTo("2");
        assertThat(times("good")).isEqualTo(1);
    }

    @Test
    void a_reported_failure_is_received_again_at_the_time_that_the_function_set_within_the_same_limit() {
        send("soon");
        for (int receives = 1; receives <= 3; receives++) {
            system.drainQueues();
            assertThat(times("soon")).isEqualTo(receives);
            clock.advanceSeconds(4);
            system.drainQueues();
            assertThat(times("soon")).isEqualTo(receives);
            clock.advanceSeconds(1);
        }
        system.drainQueues();
        assertThat(times("soon")).isEqualTo(3);
        assertThat(system.queueSize("Letters")).isEqualTo(1);
    }

    @Test
    void a_batch_on_which_the_function_fails_is_received_again_whole() {
        send("good");
        send("throw");
        assertThat(system.drainQueues()).isZero();
        clock.advanceSeconds(60);
        system.drainQueues();
        assertThat(times("good")).isEqualTo(2);
        assertThat(times("throw")).isEqualTo(2);
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("queue_batch_failed");
    }

    @Test
    void an_answer_with_an_unknown_identifier_fails_the_whole_batch() {
        send("good");
        send("strange");
        assertThat(system.drainQueues()).isZero();
        assertThat(system.queueSize("Work")).isEqualTo(2);
    }

    @Test
    void a_message_that_failed_three_times_is_a_dead_letter() throws IOException {
        String messageId = send("fail");
        for (int i = 0; i < 5; i++) {
            system.drainQueues();
            clock.advanceSeconds(60);
        }
        assertThat(times("fail")).isEqualTo(3);
        assertThat(system.queueSize("Work")).isZero();
        assertThat(system.queueSize("Letters")).isEqualTo(1);
        assertThat(system.deadLetters()).singleElement().satisfies(message -> {
            assertThat(message.functionName()).isEqualTo("QueueFunction");
            assertThat(message.reason()).isEqualTo("received 3 times");
            assertThat(message.event().path("messageId").asText()).isEqualTo(messageId);
            assertThat(message.event().path("body").asText()).isEqualTo("fail");
        });
        assertThat(new HttpCaller(system.baseUrl())
                        .call("GET", "/_local/dead-letters", new byte[0], "X-API-Key", "test-administrator-key")
                        .body())
                .contains("\"function\":\"QueueFunction\"", messageId);
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("message_given_up");
    }

    @Test
    void a_message_expires_after_the_retention_period() {
        send("fail");
        system.drainQueues();
        clock.advance(Duration.ofHours(1).plusSeconds(1));
        assertThat(system.drainQueues()).isZero();
        assertThat(system.queueSize("Work")).isZero();
        assertThat(system.deadLetters()).extracting(DeadLetter::functionName).isEmpty();
    }

    @Test
    void messages_outlive_the_process_in_a_data_folder(@TempDir Path folder) throws IOException {
        stop();
        system = LocalSystem.start(options().dataFolder(folder));
        send("done");
        assertThat(system.drainQueues()).isEqualTo(1);
        send("waiting");
        send("fail");
        stop();
        system = LocalSystem.start(options().dataFolder(folder));
        assertThat(system.queueSize("Work")).isEqualTo(2);
        assertThat(system.drainQueues()).isEqualTo(1);
        assertThat(times("waiting")).isEqualTo(1);
        assertThat(times("done")).isEqualTo(1);
    }
}
