package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.eventbridge.EmulatedEventBridge;
import dev.agenthealth.emulator.eventbridge.EventBuses;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.lambda.EmulatedLambda;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.EmulatedSqs;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.local.testing.QueueReader;
import dev.agenthealth.local.testing.TestTemplate;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.EventBridgeException;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.ResourceNotFoundException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageNotInflightException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;
import software.amazon.awssdk.services.sqs.model.TooManyEntriesInBatchRequestException;

/** The emulator's SDK clients refuse and answer as the services do. */
class EmulatedClientsTest {

    private static final String QUEUES = "https://sqs.us-east-1.amazonaws.com/000000000000/";
    private static final String WORK = QUEUES + "Work";

    private final Clock clock = Clock.fixed(Instant.parse("2026-02-08T10:00:00Z"), ZoneOffset.UTC);
    private final Stack stack = TestTemplate.template().stack(Resolution.local());
    private final EventBuses buses = new EventBuses(stack.eventBuses(), stack.rules(), (target, envelopes) -> {});
    private final EmulatedQueues queues = EmulatedQueues.inMemory(stack.queues(), clock);

    private final EventBridgeClient eventBridge = new EmulatedEventBridge(buses, clock);
    private final SqsClient sqs = new EmulatedSqs(queues);
    private final LambdaClient lambda = lambda();

    private LambdaClient lambda() {
        FunctionDefinition worker = stack.functions().stream()
                .filter(function -> function.logicalId().equals("WorkerFunction"))
                .findFirst()
                .orElseThrow();
        Wiring wiring = Wiring.of(Map.of())
                .clock(clock)
                .dynamoDb(() -> null)
                .eventBridge(() -> null)
                .lambda(() -> null)
                .sqs(() -> null)
                .build();
        EmulatedFunction function = EmulatedFunction.start(worker, wiring, clock, System.out);
        return new EmulatedLambda(() -> Map.of("WorkerFunction", function), Runnable::run, EmulatorLog.none());
    }

    private static PutEventsRequestEntry entry(String detail) {
        return PutEventsRequestEntry.builder()
                .eventBusName(TestTemplate.BUS)
                .source("test")
                .detailType("thing")
                .detail(detail)
                .build();
    }

    private PutEventsResponse put(PutEventsRequestEntry... entries) {
        return eventBridge.putEvents(request -> request.entries(entries));
    }

    @Test
    void entries_are_accepted_or_refused_one_by_one() {
        PutEventsResponse response = put(entry("{\"color\":\"red\"}"), entry("[1]"), entry("{\"color\":\"blue\"}"));
        assertThat(response.failedEntryCount()).isEqualTo(1);
        assertThat(response.entries()).hasSize(3);
        assertThat(response.entries().get(0).eventId()).isNotBlank();
        assertThat(response.entries().get(1).errorCode()).isEqualTo("MalformedDetail");
        assertThat(response.entries().get(1).eventId()).isNull();
        assertThat(response.entries().get(2).errorCode()).isNull();
        assertThat(buses.events().matched())
                .extracting(event -> event.path("detail").path("color").asText())
                .containsExactly("red");
    }

    @Test
    void an_event_has_its_own_time_or_the_time_of_its_arrival() {
        Instant given = Instant.parse("2026-01-01T00:00:01.5Z");
        put(entry("{\"color\":\"red\"}").toBuilder().time(given).build(), entry("{\"color\":\"red\"}"));
        assertThat(buses.events().matched())
                .extracting(event -> event.path("time").asText())
                .containsExactly("2026-01-01T00:00:01Z", "2026-02-08T10:00:00Z");
    }

    @Test
    void ten_entries_are_the_limit() {
        PutEventsRequestEntry[] ten =
                Collections.nCopies(10, entry("{\"color\":\"red\"}")).toArray(new PutEventsRequestEntry[0]);
        assertThat(put(ten).failedEntryCount()).isZero();
        PutEventsRequestEntry[] eleven =
                Collections.nCopies(11, entry("{\"color\":\"red\"}")).toArray(new PutEventsRequestEntry[0]);
        assertThatThrownBy(() -> put(eleven)).isInstanceOfSatisfying(EventBridgeException.class, e -> assertThat(
                        e.awsErrorDetails().errorCode())
                .isEqualTo("ValidationException"));
    }

    @Test
    void two_hundred_and_fifty_six_kilobytes_are_the_limit() {
        int others = "test".length() + "thing".length() + "{\"color\":\"\"}".length();
        String fits = "x".repeat(256 * 1024 - others);
        assertThat(put(entry("{\"color\":\"" + fits + "\"}")).failedEntryCount())
                .isZero();
        assertThatThrownBy(() -> put(entry("{\"color\":\"x" + fits + "\"}")))
                .isInstanceOf(EventBridgeException.class)
                .hasMessageContaining("over the limit");
    }

    private InvokeResponse invoke(String name, String payload) {
        return lambda.invoke(request -> request.functionName(name).payload(SdkBytes.fromUtf8String(payload)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WorkerFunction",
                "WorkerFunction:live",
                "000000000000:function:WorkerFunction",
                "arn:aws:lambda:us-east-1:000000000000:function:WorkerFunction",
                "arn:aws:lambda:us-east-1:000000000000:function:WorkerFunction:live"
            })
    void a_function_is_invoked_by_any_of_its_names(String name) {
        InvokeResponse response = invoke(name, "{\"number\":4,\"notes\":[],\"unknown\":{}}");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.functionError()).isNull();
        assertThat(response.payload().asUtf8String()).isEqualTo("{\"doubled\":8,\"notes\":[\"ok\"]}");
    }

    @Test
    void a_function_that_throws_is_reported_as_lambda_does() throws IOException {
        InvokeResponse response = invoke("WorkerFunction", "{\"number\":-4}");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.functionError()).isEqualTo("Unhandled");
        JsonNode error = Json.read(response.payload().asByteArray());
        assertThat(error.path("errorMessage").asText()).isEqualTo("negative");
        assertThat(error.path("errorType").asText()).isEqualTo("java.lang.IllegalArgumentException");
    }

    @Test
    void a_payload_that_is_not_the_functions_input_is_reported_too() {
        assertThat(invoke("WorkerFunction", "[]").functionError()).isEqualTo("Unhandled");
        assertThat(invoke("WorkerFunction", "{\"number\":\"many\"}").functionError())
                .isEqualTo("Unhandled");
    }

    @Test
    void an_unknown_function_is_not_found() {
        assertThatThrownBy(() -> invoke("NobodyFunction", "{}")).isInstanceOf(ResourceNotFoundException.class);
    }

    @Test
    void an_asynchronous_invocation_is_accepted_at_once() {
        InvokeResponse response = lambda.invoke(request -> request.functionName("WorkerFunction")
                .invocationType(InvocationType.EVENT)
                .payload(SdkBytes.fromUtf8String("{\"number\":1}")));
        assertThat(response.statusCode()).isEqualTo(202);
    }

    @Test
    void invocations_run_side_by_side() {
        List<String> answers = IntStream.range(0, 32)
                .parallel()
                .mapToObj(i -> invoke("WorkerFunction", "{\"number\":" + i + "}")
                        .payload()
                        .asUtf8String())
                .toList();
        assertThat(answers).hasSize(32).doesNotHaveDuplicates();
    }

    private SendMessageResponse sendTo(String queue, Consumer<SendMessageRequest.Builder> message) {
        return sqs.sendMessage(request -> message.accept(request.queueUrl(QUEUES + queue)));
    }

    @Test
    void a_message_is_taken_with_the_digest_that_the_client_checks() {
        SendMessageResponse first = sendTo("Work", message -> message.messageBody("Zoë 🤖"));
        SendMessageResponse second = sendTo("Work", message -> message.messageBody("Zoë 🤖"));
        assertThat(first.messageId()).isNotBlank().isNotEqualTo(second.messageId());
        assertThat(first.md5OfMessageBody()).isEqualTo("f609d4bd46d283c632874e929940f4d6");
        assertThat(queues.size("Work")).isEqualTo(2);
    }

    @Test
    void a_queue_that_is_not_there_is_named_as_sqs_does() {
        assertThatThrownBy(() -> sendTo("Nothing", message -> message.messageBody("x")))
                .isInstanceOfSatisfying(QueueDoesNotExistException.class, e -> assertThat(
                                e.awsErrorDetails().errorCode())
                        .isEqualTo("AWS.SimpleQueueService.NonExistentQueue"));
    }

    @Test
    void a_message_has_a_size_and_characters_as_sqs_takes_them() {
        String largest = "x".repeat(256 * 1024);
        assertThat(sendTo("Work", message -> message.messageBody(largest)).messageId())
                .isNotBlank();
        assertRefused(message -> message.messageBody(largest + "x"), "InvalidParameterValue");
        assertRefused(message -> message.messageBody("\u0001"), "InvalidMessageContents");
        assertRefused(message -> {}, "MissingParameter");
        assertRefused(message -> message.messageBody("x").delaySeconds(901), "InvalidParameterValue");
        assertRefused(
                message -> message.messageBody("x")
                        .messageAttributes(Map.of(
                                "a",
                                MessageAttributeValue.builder()
                                        .dataType("String")
                                        .stringValue("b")
                                        .build())),
                "UnsupportedOperation");
    }

    private void assertRefused(Consumer<SendMessageRequest.Builder> message, String errorCode) {
        assertThatThrownBy(() -> sendTo("Work", message)).isInstanceOfSatisfying(SqsException.class, e -> assertThat(
                        e.awsErrorDetails().errorCode())
                .endsWith(errorCode));
    }

    /** The handle of the one message that is there. */
    private String received() {
        return QueueReader.receive(queues, WORK).get(0).receiptHandle();
    }

    private ChangeMessageVisibilityResponse hide(String handle, Integer seconds) {
        return sqs.changeMessageVisibility(
                request -> request.queueUrl(WORK).receiptHandle(handle).visibilityTimeout(seconds));
    }

    @Test
    void a_received_message_is_hidden_for_the_time_that_its_receiver_sets() {
        sendTo("Work", message -> message.messageBody("x"));
        String handle = received();
        hide(handle, 43_200);
        assertThat(QueueReader.receive(queues, WORK)).isEmpty();
        hide(handle, 0);
        assertThatThrownBy(() -> hide(handle, 5)).as("it is deleted").isInstanceOf(MessageNotInflightException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "handle, 43201, InvalidParameterValue",
        "handle, -1, InvalidParameterValue",
        "another, 5, InvalidParameterValue",
        "handle, , MissingParameter",
        ", 5, MissingParameter"
    })
    void what_cannot_be_hidden_is_named_as_sqs_does(String which, Integer seconds, String errorCode) {
        sendTo("Work", message -> message.messageBody("x"));
        String handle = received();
        assertThatThrownBy(() -> hide("handle".equals(which) ? handle : which, seconds))
                .isInstanceOfSatisfying(
                        SqsException.class,
                        e -> assertThat(e.awsErrorDetails().errorCode()).endsWith(errorCode));
    }

    @Test
    void received_messages_are_deleted_ten_at_a_time() {
        sendTo("Work", message -> message.messageBody("x"));
        assertThatThrownBy(() -> sqs.receiveMessage(r -> r.queueUrl(WORK).maxNumberOfMessages(11)))
                .isInstanceOf(SqsException.class);
        Message message = sqs.receiveMessage(r -> r.queueUrl(WORK)).messages().get(0);
        assertThat(message.body()).isEqualTo("x");
        DeleteMessageBatchRequestEntry entry = DeleteMessageBatchRequestEntry.builder()
                .id(message.messageId())
                .receiptHandle(message.receiptHandle())
                .build();
        assertThatThrownBy(() -> sqs.deleteMessageBatch(r -> r.queueUrl(WORK).entries(Collections.nCopies(11, entry))))
                .isInstanceOf(TooManyEntriesInBatchRequestException.class);
        assertThat(sqs.deleteMessageBatch(r -> r.queueUrl(WORK).entries(entry)).successful())
                .hasSize(1);
        assertThat(queues.size("Work")).isZero();
    }

    @Test
    void other_operations_do_not_exist() {
        assertThatThrownBy(() -> eventBridge.listRules(request -> {}))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
