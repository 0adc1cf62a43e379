package dev.agenthealth.functions.operations.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.PublisherFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.StreamRecords;
import dev.agenthealth.testkit.TestEventBridge;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.eventbridge.model.EventBridgeException;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/** The publisher on records as Lambda delivers them, with a real client of a service whose answers are written down. */
@Tag("SYS-05")
class PublisherFunctionTest {

    private static final String BUS = "agent-health-bus";
    private static final Instant AT = Instant.parse("2026-02-08T10:00:00.123Z");

    private final CapturedOutput output = new CapturedOutput();
    private final TestEventBridge eventBridge = TestEventBridge.ofAnyEvents(List.of(BUS));
    private final MutableClock clock = MutableClock.atExampleTime();
    private final TestTables tables = TestTables.create();
    private final PublisherFunction publisher = new PublisherFunction(Wiring.of(Map.of(
                    "EVENT_BUS",
                    BUS,
                    "STACK_NAME",
                    "a-stack",
                    "LOG_SAMPLE_ONE_IN",
                    "1",
                    "PULSES_TABLE",
                    TestTables.PULSES,
                    "REGISTRY_TABLE",
                    TestTables.REGISTRY,
                    "MARK_PARTITIONS",
                    "8",
                    "EVENT_RETENTION_DAYS",
                    "90",
                    "AUDIT_RETENTION_DAYS",
                    "400"))
            .clock(clock)
            .dynamoDb(tables::dynamoDb)
            .eventBridge(eventBridge::client)
            .build());

    @AfterEach
    void close() {
        eventBridge.close();
        tables.close();
        output.close();
    }

    @Test
    void an_event_is_put_on_the_bus_in_its_envelope() {
        assertThat(publish(record(7, "{\"type\":\"agent.lifecycle\",\"text\":\"Zoë 🤖\"}")))
                .isEmpty();
        PutEventsRequestEntry entry = eventBridge.requests().get(0).get(0);
        assertThat(entry.eventBusName()).isEqualTo(BUS);
        assertThat(entry.source()).isEqualTo("agent-health");
        assertThat(entry.detailType()).isEqualTo("agent.lifecycle");
        assertThat(entry.detail()).isEqualTo("{\"type\":\"agent.lifecycle\",\"text\":\"Zoë 🤖\"}");
        assertThat(entry.time()).isEqualTo(Instant.ofEpochMilli(1_770_544_800_123L));
    }

    @Test
    void events_are_sent_ten_per_request_in_the_order_of_the_stream() {
        assertThat(publish(records(0, 25))).isEmpty();
        assertThat(eventBridge.requests()).extracting(List::size).containsExactly(10, 10, 5);
        assertThat(sent())
                .containsExactlyElementsOf(IntStream.range(0, 25)
                        .mapToObj(i -> "{\"n\":" + i + "}")
                        .toList());
    }

    @Test
    void a_request_stays_within_the_size_limit_of_the_bus() {
        String detail = "{\"text\":\"" + "ä".repeat(60_000) + "\"}";
        List<ObjectNode> records = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            records.add(record(i, detail));
        }
        assertThat(publish(records)).isEmpty();
        assertThat(eventBridge.requests()).extracting(List::size).containsExactly(2, 2, 1);
    }

    @Test
    void an_event_that_is_too_large_by_itself_is_reported_and_does_not_hold_back_those_before_it() {
        List<ObjectNode> records = new ArrayList<>(records(0, 2));
        records.add(record(2, "{\"text\":\"" + "x".repeat(300_000) + "\"}"));
        records.add(record(3, "{}"));
        assertThat(publish(records)).containsExactly(sequence(2));
        assertThat(sent().subList(0, 2)).containsExactly("{\"n\":0}", "{\"n\":1}");
    }

    @Test
    void the_first_rejected_event_is_reported_and_no_further_request_is_sent() {
        eventBridge.answerEntries();
        eventBridge.answerEntries("", "", "ThrottlingException", "", "InternalFailure");
        assertThat(publish(records(0, 25))).containsExactly(sequence(12));
        assertThat(eventBridge.requests()).hasSize(2);
        assertThat(output.text()).contains("event_rejected").contains("ThrottlingException");
    }

    @Test
    void the_retry_starts_with_the_reported_event_and_succeeds() {
        eventBridge.answerEntries("", "InternalFailure");
        List<ObjectNode> records = records(0, 3);
        assertThat(publish(records)).containsExactly(sequence(1));
        assertThat(publish(records.subList(1, 3))).isEmpty();
        assertThat(sent()).containsExactly("{\"n\":0}", "{\"n\":1}", "{\"n\":2}", "{\"n\":1}", "{\"n\":2}");
    }

    @Test
    void a_refused_request_is_reported_by_its_first_event() {
        eventBridge.answerEntries();
        eventBridge.fail(EventBridgeException.builder().statusCode(403).build());
        assertThat(publish(records(0, 15))).containsExactly(sequence(10));
        assertThat(output.text()).contains("put_events_failed").contains(sequence(10));
    }

    @Test
    void an_unreachable_bus_is_reported_by_the_first_event() {
        eventBridge.fail(SdkClientException.create("Unable to execute HTTP request"));
        assertThat(publish(records(0, 2))).containsExactly(sequence(0));
    }

    @Test
    void a_record_without_an_event_is_reported_after_those_before_it_were_sent() {
        List<ObjectNode> records = records(0, 3);
        ((ObjectNode) records.get(1).path("dynamodb").path("NewImage")).remove("detail");
        assertThat(publish(records)).containsExactly(sequence(1));
        assertThat(sent()).containsExactly("{\"n\":0}");
        assertThat(output.text()).contains("record_without_event");
    }

    @Test
    void a_record_without_a_new_image_or_a_time_is_reported() {
        ObjectNode removed = record(0, "{}");
        ((ObjectNode) removed.path("dynamodb")).remove("NewImage");
        ObjectNode timeless = record(1, "{}");
        ((ObjectNode) timeless.path("dynamodb").path("NewImage")).remove("at");
        assertThat(publish(removed)).containsExactly(sequence(0));
        assertThat(publish(timeless)).containsExactly(sequence(1));
        assertThat(eventBridge.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"type", "detail", "at"})
    void a_record_with_an_empty_attribute_is_reported_after_those_before_it_were_sent(String name) {
        ObjectNode empty = record(1, "{}");
        ((ObjectNode) empty.path("dynamodb").path("NewImage").path(name)).removeAll();
        assertThat(publish(List.of(record(0, "{\"n\":0}"), empty))).containsExactly(sequence(1));
        assertThat(sent()).containsExactly("{\"n\":0}");
    }

    @Test
    void an_empty_batch_sends_no_request() {
        assertThat(publish(List.of())).isEmpty();
        assertThat(eventBridge.requests()).isEmpty();
    }

    @Test
    void the_age_of_the_oldest_event_is_measured() {
        clock.advanceSeconds(5);
        publish(record(0, "{}"));
        assertThat(output.lines()).anySatisfy(line -> {
            assertThat(line).contains("\"OutboxLag\":4877");
            assertThat(line).contains("\"Unit\":\"Milliseconds\"");
        });
    }

    /** Publishes and gives the reported sequence numbers. */
    private List<String> publish(List<ObjectNode> records) {
        JsonNode answer = Json.stored(LambdaRuntime.invoke(publisher, StreamRecords.event(records), null));
        assertThat(answer.has("batchItemFailures")).isTrue();
        List<String> failures = new ArrayList<>();
        answer.path("batchItemFailures")
                .forEach(f -> failures.add(f.path("itemIdentifier").asText()));
        return failures;
    }

    private List<String> publish(ObjectNode record) {
        return publish(List.of(record));
    }

    private List<String> sent() {
        return eventBridge.requests().stream()
                .flatMap(List::stream)
                .map(entry -> entry.detail())
                .toList();
    }

    private static List<ObjectNode> records(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> record(i, "{\"n\":" + i + "}"))
                .toList();
    }

    private static String sequence(int number) {
        return "4000000000000000000000" + (100 + number);
    }

    private static ObjectNode record(int number, String detail) {
        ObjectNode image = Json.object();
        image.putObject("pk").put("S", "A#agent_billing_01");
        image.putObject("sk").put("S", "E#" + String.format("%012d", number));
        image.putObject("type").put("S", "agent.lifecycle");
        image.putObject("detail").put("S", detail);
        image.putObject("at").put("N", Long.toString(AT.toEpochMilli()));
        image.putObject("v").put("N", "1");
        ObjectNode record = Json.object();
        record.put("eventID", "c4ca4238a0b923820dcc509a6f75849b")
                .put("eventName", "INSERT")
                .put("eventVersion", "1.1")
                .put("eventSource", "aws:dynamodb")
                .put("awsRegion", "us-east-1");
        ObjectNode change = record.putObject("dynamodb");
        change.put("ApproximateCreationDateTime", 1_770_544_800.0);
        change.putObject("Keys").setAll(image.deepCopy().retain("pk", "sk"));
        change.set("NewImage", image);
        change.put("SequenceNumber", sequence(number)).put("SizeBytes", 512).put("StreamViewType", "NEW_IMAGE");
        return record;
    }
}
