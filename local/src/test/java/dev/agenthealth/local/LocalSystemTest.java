package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.local.testing.LineWaiter;
import dev.agenthealth.local.testing.TestTemplate;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class LocalSystemTest {

    private static final Clock NOON = Clock.fixed(Instant.parse("2026-02-08T12:00:00Z"), ZoneOffset.UTC);

    private static final String KEY = "test-administrator-key";

    private static int status(LocalSystem system, String path, String key) {
        return new HttpCaller(system.baseUrl())
                .call("GET", path, new byte[0], "X-API-Key", key)
                .statusCode();
    }

    private static Map<String, AttributeValue> item(LocalSystem system, String key) {
        return system.dynamoDb()
                .getItem(request -> request.tableName(TestTemplate.TABLE).key(Map.of("pk", AttributeValue.fromS(key))))
                .item();
    }

    private static void write(LocalSystem system, String key) {
        system.dynamoDb().putItem(request -> request.tableName(TestTemplate.TABLE)
                .item(Map.of("pk", AttributeValue.fromS(key))));
    }

    @Test
    void by_hand_a_schedules_run_has_the_time_of_the_clock() throws IOException {
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand().clock(NOON, duration -> {}))) {
            assertThat(item(system, "tick")).isEmpty();
            system.runSchedules();
            assertThat(item(system, "tick").get("time").s()).startsWith("2026-02-08T12:00:00.000");
            assertThat(item(system, "tick").get("answer").s()).isEqualTo("{\"doubled\":42,\"notes\":[\"ok\"]}");
        }
    }

    @Test
    void left_alone_it_runs_schedules_streams_and_queues() throws IOException, InterruptedException {
        LineWaiter lines = new LineWaiter();
        LocalOptions options = LocalOptions.of(TestTemplate.template(), "key")
                .sweepPeriod(Duration.ofSeconds(1))
                .out(lines);
        try (LocalSystem system = LocalSystem.start(options)) {
            write(system, "E#1");
            lines.await(1, line -> line.startsWith("[/test/events]") && line.contains("E#1"), Duration.ofSeconds(20));
            new HttpCaller(system.baseUrl())
                    .call("POST", "/send", "parcel".getBytes(StandardCharsets.UTF_8), "content-type", "text/plain");
            lines.await(1, line -> line.equals("got parcel"), Duration.ofSeconds(20));
            JsonNode page = Json.read(new HttpCaller(system.baseUrl())
                    .call(
                            "GET",
                            "/_local/bus?detail_type=thing&limit=5&since=2026-01-01T00:00:00Z",
                            new byte[0],
                            "X-API-Key",
                            "key")
                    .body());
            assertThat(page.path("events").get(0).path("detail").path("key").asText())
                    .isEqualTo("E#1");
            assertThat(page.path("events").get(0).path("matched_rules").toString())
                    .isEqualTo("[\"Rule\"]");
            assertThat(new HttpCaller(system.baseUrl())
                            .call("GET", "/_local/dead-letters", new byte[0], "X-API-Key", "key")
                            .body())
                    .isEqualTo("{\"dead_letters\":[]}");
        }
    }

    @ParameterizedTest
    @CsvSource({"since=yesterday", "limit=many", "since=%zz"})
    void the_bus_page_refuses_what_it_cannot_read(String query) throws IOException {
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand())) {
            String target = "/_local/bus?" + query;
            assertThat(new HttpCaller(system.baseUrl())
                            .raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nX-API-Key: " + KEY
                                    + "\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/_local/bus", "/_local/dead-letters", "/_local/other"})
    void the_pages_need_the_administrators_key(String path) throws IOException {
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand())) {
            assertThat(new HttpCaller(system.baseUrl()).call("GET", path).statusCode())
                    .isEqualTo(401);
            assertThat(status(system, path, "another-key-of-somebody")).isEqualTo(401);
            assertThat(status(system, path, KEY)).isEqualTo(path.endsWith("other") ? 404 : 200);
        }
    }

    @Test
    void the_bus_page_shows_events_that_no_rule_matches() throws IOException {
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand())) {
            system.dynamoDb().putItem(request -> request.tableName(TestTemplate.TABLE)
                    .item(Map.of("pk", AttributeValue.fromS("E#1"), "color", AttributeValue.fromS("blue"))));
            system.drainStreams();
            JsonNode events = Json.read(new HttpCaller(system.baseUrl())
                            .call("GET", "/_local/bus", new byte[0], "X-API-Key", KEY)
                            .body())
                    .path("events");
            assertThat(events).hasSize(1);
            assertThat(events.get(0).path("matched_rules")).isEmpty();
            assertThat(system.matchedEvents()).isEmpty();
        }
    }

    @Test
    void a_data_folder_keeps_the_key_of_its_first_start(@TempDir Path folder) throws IOException {
        LocalOptions first = LocalOptions.of(TestTemplate.template(), "key-generated-first")
                .preferKeptKey()
                .dataFolder(folder)
                .byHand();
        LocalSystem.start(first).close();
        LocalOptions second = LocalOptions.of(TestTemplate.template(), "key-generated-later")
                .preferKeptKey()
                .dataFolder(folder)
                .byHand();
        try (LocalSystem system = LocalSystem.start(second)) {
            assertThat(status(system, "/_local/bus", "key-generated-first")).isEqualTo(200);
            assertThat(status(system, "/_local/bus", "key-generated-later")).isEqualTo(401);
        }
        LocalOptions given = LocalOptions.of(TestTemplate.template(), "key-that-was-given")
                .dataFolder(folder)
                .byHand();
        LocalSystem.start(given).close();
        try (LocalSystem system = LocalSystem.start(second)) {
            assertThat(status(system, "/_local/bus", "key-that-was-given"))
                    .as("a key that was given replaces the one kept")
                    .isEqualTo(200);
        }
    }

    @Test
    void a_start_that_fails_keeps_no_key(@TempDir Path folder) throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            LocalOptions options = LocalOptions.of(TestTemplate.template(), "key-of-an-earlier-start")
                    .preferKeptKey()
                    .dataFolder(folder)
                    .byHand();
            assertThatThrownBy(() -> LocalSystem.start(options.port(taken.getLocalPort())))
                    .isInstanceOf(BindException.class);
            assertThat(folder.resolve("administrator-key.sha256")).doesNotExist();
        }
    }

    @Test
    void a_start_that_fails_removes_the_folder_that_it_created(@TempDir Path parent) throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            LocalOptions options = TestTemplate.byHand()
                    .dataFolder(parent.resolve("new").resolve("data"))
                    .port(taken.getLocalPort());
            assertThatThrownBy(() -> LocalSystem.start(options)).isInstanceOf(BindException.class);
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void a_start_that_fails_late_removes_the_folder_that_it_created(@TempDir Path parent) {
        Template template = Template.parse(
                """
                Resources:
                  OnlyFunction:
                    Type: AWS::Serverless::Function
                    Properties:
                      Handler: dev.agenthealth.local.testing.Nobody::handleRequest
                """,
                "test.yaml");
        LocalOptions options = LocalOptions.of(template, "key").byHand().dataFolder(parent.resolve("data"));
        assertThatThrownBy(() -> LocalSystem.start(options)).hasMessageContaining("there is no such class");
        assertThat(parent).isEmptyDirectory();
    }

    /** A handler that cannot be created. */
    public static final class Broken implements RequestHandler<Map<String, Object>, String> {

        public Broken(Wiring wiring) {
            throw new IllegalStateException("there is no table");
        }

        @Override
        public String handleRequest(Map<String, Object> input, Context context) {
            throw new IllegalStateException("nobody calls it");
        }
    }

    @Test
    void a_start_that_fails_after_its_port_was_open_keeps_what_requests_may_have_stored(@TempDir Path parent) {
        Template template = Template.parse(
                """
                Resources:
                  OnlyFunction:
                    Type: AWS::Serverless::Function
                    Properties:
                      Handler: %s::handleRequest
                """
                        .formatted(Broken.class.getName()),
                "test.yaml");
        LocalOptions options = LocalOptions.of(template, "key").byHand().dataFolder(parent.resolve("data"));
        assertThatThrownBy(() -> LocalSystem.start(options)).hasStackTraceContaining("there is no table");
        assertThat(parent.resolve("data").resolve("administrator-key.sha256")).exists();
    }

    @Test
    void a_start_that_fails_leaves_the_data_of_an_earlier_start(@TempDir Path parent) throws IOException {
        LocalOptions options = TestTemplate.byHand().dataFolder(parent.resolve("data"));
        try (LocalSystem system = LocalSystem.start(options)) {
            write(system, "E#1");
        }
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThatThrownBy(() -> LocalSystem.start(options.port(taken.getLocalPort())))
                    .isInstanceOf(BindException.class);
        }
        try (LocalSystem system = LocalSystem.start(options)) {
            assertThat(item(system, "E#1")).isNotEmpty();
        }
    }

    @Test
    void a_data_folder_outlives_the_system(@TempDir Path folder) throws IOException {
        Path data = folder.resolve("new").resolve("data");
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand().dataFolder(data))) {
            write(system, "E#1");
            assertThat(system.drainStreams()).isEqualTo(1);
            write(system, "E#2");
        }
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand().dataFolder(data))) {
            assertThat(item(system, "E#1")).isNotEmpty();
            assertThat(system.drainStreams()).as("only what is new since then").isEqualTo(1);
        }
    }

    @Test
    void a_data_folder_that_cannot_be_is_an_error_at_once(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        LocalOptions options = TestTemplate.byHand().dataFolder(file);
        assertThatThrownBy(() -> LocalSystem.start(options))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot write to the data folder");
    }

    @Test
    void a_data_folder_serves_one_system_at_a_time(@TempDir Path folder) throws IOException {
        LocalOptions options = TestTemplate.byHand().dataFolder(folder);
        LocalSystem first = LocalSystem.start(options);
        assertThatThrownBy(() -> LocalSystem.start(options))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
        first.close();
        LocalSystem.start(options).close();
    }

    @Test
    void an_unknown_host_is_an_error_at_once() {
        LocalOptions options = TestTemplate.byHand().host("no-such-host.invalid");
        assertThatThrownBy(() -> LocalSystem.start(options)).hasMessageContaining("no-such-host.invalid");
    }

    @Test
    void a_port_in_use_is_an_error_at_once() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            LocalOptions options = TestTemplate.byHand().port(taken.getLocalPort());
            assertThatThrownBy(() -> LocalSystem.start(options)).isInstanceOf(BindException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "dev.agenthealth.local.testing.Nobody::handleRequest, there is no such class",
        "java.lang.String::handleRequest, is not a RequestHandler",
        "dev.agenthealth.local.testing.EchoFunction::other, the method must be handleRequest",
        "dev.agenthealth.local.testing.WorkerFunction::handleRequest, does not take an APIGatewayV2HTTPEvent"
    })
    void a_handler_that_cannot_work_is_an_error_at_once(String handler, String message) {
        Template template = Template.parse(
                """
                Resources:
                  OnlyFunction:
                    Type: AWS::Serverless::Function
                    Properties:
                      Handler: %s
                  Api:
                    Type: AWS::Serverless::HttpApi
                    Properties:
                      DefinitionBody:
                        paths: { /: { get: { x-amazon-apigateway-integration: { $ref: "#/components/x-amazon-apigateway-integrations/Only" } } } }
                        components:
                          x-amazon-apigateway-integrations:
                            Only: { uri: !Sub ["arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${Alias}/invocations", { Alias: !Ref OnlyFunction.Alias }] }
                """
                        .formatted(handler),
                "test");
        LocalOptions options = LocalOptions.of(template, "key");
        assertThatThrownBy(() -> LocalSystem.start(options)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "EchoFunction, Queue: !GetAtt Work.Arn, does not take an SQSEvent",
        "QueueFunction, Queue: !GetAtt Work.Arn, may run for longer than its queue's visibility timeout",
        "QueueFunction, Queue: 'arn:aws:sqs:us-east-1:000000000000:Nothing', there is no queue"
    })
    void a_queue_that_cannot_work_is_an_error_at_once(String handler, String queue, String message) {
        Template template = Template.parse(
                """
                Resources:
                  Work: { Type: "AWS::SQS::Queue", Properties: { VisibilityTimeout: 19 } }
                  OnlyFunction:
                    Type: AWS::Serverless::Function
                    Properties:
                      Handler: dev.agenthealth.local.testing.%s::handleRequest
                      Timeout: 20
                      Events: { Work: { Type: SQS, Properties: { %s } } }
                """
                        .formatted(handler, queue),
                "test");
        LocalOptions options = LocalOptions.of(template, "key");
        assertThatThrownBy(() -> LocalSystem.start(options)).hasMessageContaining(message);
    }

    @Test
    void an_unknown_dead_letter_queue_is_an_error_at_the_start() {
        Template template = Template.parse(
                """
                Resources:
                  Work:
                    Type: AWS::SQS::Queue
                    Properties: { RedrivePolicy: { deadLetterTargetArn: "arn:none", maxReceiveCount: 1 } }
                """,
                "test");
        LocalOptions options = LocalOptions.of(template, "key");
        assertThatThrownBy(() -> LocalSystem.start(options)).hasMessageContaining("Work: there is no queue arn:none");
    }

    @Test
    void endpoints_on_this_machine_are_allowed_only_by_the_option() throws IOException {
        String path = "/environment/AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS";
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand())) {
            assertThat(new HttpCaller(system.baseUrl()).call("GET", path).body())
                    .isEmpty();
        }
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand().allowLoopbackEndpoints())) {
            assertThat(new HttpCaller(system.baseUrl()).call("GET", path).body())
                    .isEqualTo("true");
        }
    }

    @Test
    void environment_variables_can_be_replaced_and_added() throws IOException {
        LocalOptions options = TestTemplate.byHand().environment(Map.of("BUS", "other", "MORE", "yes"));
        try (LocalSystem system = LocalSystem.start(options)) {
            HttpCaller caller = new HttpCaller(system.baseUrl());
            assertThat(caller.call("GET", "/environment/BUS").body()).isEqualTo("other");
            assertThat(caller.call("GET", "/environment/MORE").body()).isEqualTo("yes");
        }
    }
}
