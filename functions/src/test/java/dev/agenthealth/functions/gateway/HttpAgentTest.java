package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents that speak HTTP+JSON alone are called as those of JSON-RPC are. */
class HttpAgentTest {

    private static final String BASE = "/a2a/secret-path";
    private static final String DECLARED = ",\"a2a_version\":\"%s\",\"a2a_binding\":\"HTTP+JSON\"";

    private static final String WORKING =
            """
                    {"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}\
                    """;
    private static final String UPDATE =
            """
                    {"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}\
                    """;
    private static final String ARTIFACT =
            """
                    {"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[%s]}}}\
                    """;
    private static final String MESSAGE =
            """
            {"message":{"role":"ROLE_AGENT","messageId":"m","%s":[%s]}}\
            """;

    /** The parts of a message: in the form of 1.0, and in that of HTTP+JSON of 0.3. */
    private static final String PARTS =
            """
                    {"text":"Done."},{"data":{"data":1}},{"url":"https://x.example/","filename":"f",\
                    "mediaType":"a/b"},{"raw":"AA=="}\
                    """;

    private static final String OLDER_PARTS =
            """
                    {"text":"Done."},{"data":{"data":{"data":1}}},{"file":{"fileWithUri":"https://x.example/",\
                    "name":"f","mimeType":"a/b"}},{"file":{"fileWithBytes":"AA=="}}\
                    """;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.server();
    private final TestApi api = gateway.streaming();
    private final Map<String, Script> routes = new TreeMap<>();

    private void register(String version) {
        register("", DECLARED.formatted(version));
    }

    private void register(String path, String more) {
        gateway.agent("a", GatewayHarness.endpoint(server) + path, more);
        server.plays((request, out) -> {
            String called = request.line().replace(" HTTP/1.1", "").replace(BASE, "");
            routes.getOrDefault(called, Script.status(404)).play(request, out);
        });
    }

    private void serves(String route, String json) {
        routes.put(route, Script.body(json, "Content-Type: application/a2a+json"));
    }

    private void streams(String route, String... events) {
        StringBuilder body = new StringBuilder(": begins\n\n");
        for (String event : events) {
            body.append("data: ").append(event).append("\n\n");
        }
        routes.put(route, Script.body(body.toString(), "Content-Type: text/event-stream"));
    }

    private void refuses(String route, int status, String body) {
        routes.put(
                route,
                Script.bytes("HTTP/1.1 " + status + " Whatever\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body));
    }

    /** The requests of the agent, but for its card. */
    private List<String> called() {
        return server.requests().stream()
                .map(request -> request.line().replace(" HTTP/1.1", "").replace(BASE, ""))
                .filter(line -> !line.endsWith("agent-card.json"))
                .toList();
    }

    private JsonNode sent(int i) {
        return Json.stored(server.requests().get(i).body());
    }

    private Response rpc(String version, String method, String params) {
        gateway.system().clock().advanceSeconds(1);
        return api.post("/a2a/agents/a")
                .key(TestSystem.OTHER_AGENT_KEY)
                .domain("registry.test")
                .header("a2a-version", version)
                .body("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}")
                .send();
    }

    private JsonNode result(String version, String method, String params) {
        Response response = rpc(version, method, params);
        assertThat(response.json().has("result")).as(response.text()).isTrue();
        return response.json().path("result");
    }

    private static String message(String version, String parts) {
        return "{\"message\":{\"messageId\":\"m-1\",\"role\":\"" + (version.equals("0.3") ? "user" : "ROLE_USER")
                + "\",\"parts\":[" + parts + "]}}";
    }

    private static String message(String version) {
        return message(version, "{\"text\":\"Hello\"}");
    }

    private Response http(String method, String path, String body) {
        gateway.system().clock().advanceSeconds(1);
        String url = "/a2a/agents/a/" + path;
        return (method.equals("GET") ? api.get(url) : api.post(url))
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("a2a-version", "1.0")
                .body(body)
                .send();
    }

    private static List<JsonNode> events(Response response) throws IOException {
        assertThat(response.event()).as(response.text()).isInstanceOf(RequestStreamHandler.class);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ((RequestStreamHandler) response.event()).handleRequest(InputStream.nullInputStream(), body, null);
        return Stream.of(body.toString(StandardCharsets.UTF_8).split("\n"))
                .filter(line -> line.startsWith("data: "))
                .map(line -> Json.stored(line.substring(6)))
                .toList();
    }

    private JsonNode invoked() {
        return GatewayHarness.invoke(api, "a", GatewayHarness.HELLO).json();
    }

    @Test
    void an_agent_of_1_0_answers_callers_of_each_version_and_binding() throws IOException {
        register("1.0");
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        JsonNode newer = Json.stored(MESSAGE.formatted("parts", PARTS));
        assertThat(result("1.0", "SendMessage", message("1.0"))).isEqualTo(newer);
        assertThat(http("POST", "message:send", message("1.0")).json()).isEqualTo(newer);
        assertThat(result("0.3", "message/send", message("0.3"))
                        .at("/parts/2/file/uri")
                        .asText())
                .isEqualTo("https://x.example/");
        assertThat(invoked().at("/output/message/parts/0/text").asText()).isEqualTo("Done.");
        assertThat(sent(0).at("/message/parts/0/text").asText()).isEqualTo("Hello");
        assertThat(sent(0).has("jsonrpc")).isFalse();
        assertThat(server.requests().get(0).headers())
                .containsEntry("a2a-version", "1.0")
                .containsEntry("content-type", "application/json");

        serves("POST /message:send", "{\"task\":" + WORKING + "}");
        result("1.0", "SendMessage", message("1.0"));
        serves("GET /tasks/t?historyLength=2", WORKING);
        serves("POST /tasks/t:cancel", WORKING.replace("WORKING", "CANCELED"));
        serves(
                "GET /tasks?contextId=c+%26&pageSize=50&includeArtifacts=false".replace("+", "%20"),
                "{\"tasks\":[" + WORKING + "]}");
        String asked = "{\"id\":\"t\",\"historyLength\":2}";
        assertThat(result("1.0", "GetTask", asked)).isEqualTo(Json.stored(WORKING));
        assertThat(result("0.3", "tasks/get", asked).at("/status/state").asText())
                .isEqualTo("working");
        assertThat(http("POST", "tasks/t:cancel", "").json().at("/status/state").asText())
                .isEqualTo("TASK_STATE_CANCELED");
        assertThat(result("1.0", "ListTasks", "{\"contextId\":\"c &\"}")
                        .path("totalSize")
                        .asInt())
                .isEqualTo(1);

        streams("POST /message:stream", "{\"task\":" + WORKING + "}", ARTIFACT.formatted(PARTS), UPDATE);
        streams("POST /tasks/t:subscribe", "{\"task\":" + WORKING + "}", UPDATE);
        Response streamed = http("POST", "message:stream", message("1.0"));
        assertThat(events(streamed))
                .containsExactly(
                        Json.stored("{\"task\":" + WORKING + "}"),
                        Json.stored(ARTIFACT.formatted(PARTS)),
                        Json.stored(UPDATE));
        assertThat(gateway.receipt(streamed.header("X-Receipt-Id"))
                        .path("status")
                        .asText())
                .isEqualTo("succeeded");
        List<JsonNode> older = events(rpc("0.3", "message/stream", message("0.3")));
        assertThat(older.get(2).at("/result/final").asBoolean()).isTrue();
        assertThat(events(rpc("1.0", "SubscribeToTask", "{\"id\":\"t\"}"))).hasSize(2);
        assertThat(server.requests().get(server.requests().size() - 1).headers().get("accept"))
                .contains("text/event-stream");
    }

    @Test
    void an_agent_of_0_3_gets_messages_in_the_form_of_its_binding() throws IOException {
        register("0.3");
        serves("POST /v1/message:send", MESSAGE.formatted("content", OLDER_PARTS));
        assertThat(result("1.0", "SendMessage", message("1.0", PARTS)))
                .isEqualTo(Json.stored(MESSAGE.formatted("parts", PARTS)));
        assertThat(sent(0))
                .isEqualTo(Json.stored("{\"message\":{\"messageId\":\"m-1\",\"role\":\"ROLE_USER\",\"content\":["
                        + OLDER_PARTS + "]},\"configuration\":{\"blocking\":true}}"));
        assertThat(result("0.3", "message/send", message("0.3"))
                        .at("/parts/1/data/data")
                        .asInt())
                .isEqualTo(1);
        assertThat(invoked().at("/output/message/parts/0/text").asText()).isEqualTo("Done.");

        String history = WORKING.replace(
                ",\"status\"",
                """
                        ,"history":[{"role":"ROLE_USER","messageId":"m","content":[{"text":"Hello"}]}],"status"\
                        """);
        serves("POST /v1/message:send", "{\"task\":" + history + "}");
        assertThat(result("0.3", "message/send", message("0.3"))
                        .at("/history/0/parts/0/text")
                        .asText())
                .isEqualTo("Hello");
        serves("GET /v1/tasks/t", history);
        serves("POST /v1/tasks/t:cancel", WORKING.replace("WORKING", "CANCELLED"));
        assertThat(http("GET", "tasks/t", "")
                        .json()
                        .at("/history/0/parts/0/text")
                        .asText())
                .isEqualTo("Hello");
        assertThat(result("0.3", "tasks/cancel", "{\"id\":\"t\"}")
                        .at("/status/state")
                        .asText())
                .isEqualTo("canceled");
        assertThat(rpc("1.0", "ListTasks", "{}").json().at("/error/code").asInt())
                .isEqualTo(-32_004);

        streams("POST /v1/message:stream", "{\"task\":" + history + "}", ARTIFACT.formatted(OLDER_PARTS), UPDATE);
        streams("GET /v1/tasks/t:subscribe", UPDATE);
        assertThat(events(rpc("1.0", "SendStreamingMessage", message("1.0")))
                        .get(1)
                        .path("result"))
                .isEqualTo(Json.stored(ARTIFACT.formatted(PARTS)));
        assertThat(events(http("POST", "tasks/t:subscribe", ""))).containsExactly(Json.stored(UPDATE));
    }

    @Test
    void an_agent_of_0_3_gets_data_that_are_no_object_in_one() {
        register("0.3");
        String wrapped =
                """
                {"data":{"data":{"value":[1]}},"metadata":{"data_part_compat":true}}\
                """;
        serves("POST /v1/message:send", MESSAGE.formatted("content", wrapped));
        assertThat(result("1.0", "SendMessage", message("1.0", "{\"data\":[1]}")))
                .isEqualTo(Json.stored(MESSAGE.formatted("parts", "{\"data\":[1]}")));
        assertThat(sent(0).at("/message/content/0")).isEqualTo(Json.stored(wrapped));
    }

    @Test
    void a_queued_message_is_sent_by_the_binding_of_the_agent() {
        register("1.0");
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        String receipt = gateway.accepted("a");
        assertThat(gateway.deliver()).isZero();
        assertThat(gateway.status(receipt)).isEqualTo("succeeded");
        assertThat(called()).containsExactly("POST /message:send");
    }

    private void cards(String interfaces) {
        routes.put(
                "GET /.well-known/agent-card.json",
                Script.body("{\"name\":\"Own\"," + interfaces.replace("@", GatewayHarness.endpoint(server)) + "}"));
    }

    private static String named(String... bindings) {
        List<String> interfaces = Stream.of(bindings)
                .map(binding -> "{\"url\":\"@/\",\"protocolVersion\":\"1.0\",\"protocolBinding\":\"" + binding + "\"}")
                .toList();
        return "\"supportedInterfaces\":[" + String.join(",", interfaces) + "]";
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_card_of_an_agent_that_declares_no_binding_decides_and_is_remembered(boolean newer) {
        String path = newer ? "POST /message:send" : "POST /v1/message:send";
        cards(
                newer
                        ? named("GRPC", "HTTP+JSON")
                        : """
                                "url":"@","preferredTransport":"HTTP+JSON","protocolVersion":"0.3.0"\
                                """);
        serves(path, MESSAGE.formatted(newer ? "parts" : "content", "{\"text\":\"Done.\"}"));
        register("", "");
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
        assertThat(called()).containsExactly("POST ", path, path);
        assertThat(gateway.health("a").path("success_count").asInt()).isEqualTo(2);
        assertThat(gateway.health("a").path("failure_count").asInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"307, succeeded", "308, succeeded", "302, ''", "303, ''"})
    void the_card_decides_too_where_a_router_sends_the_same_request_elsewhere(int status, String outcome) {
        cards(named("HTTP+JSON"));
        routes.put("POST ", Script.status(status));
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        register("", "");
        assertThat(invoked().path("status").asText()).isEqualTo(outcome.isEmpty() ? "502" : outcome);
    }

    @Test
    void an_agent_that_changed_to_json_rpc_is_called_by_it() {
        cards(named("JSONRPC"));
        register("1.0");
        routes.put("POST ", AgentScripts.result(MESSAGE.formatted("parts", "{\"text\":\"Done.\"}")));
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
        invoked();
        assertThat(called()).containsExactly("POST /message:send", "POST /v1/message:send", "POST ", "POST ");
    }

    @Test
    void an_agent_that_changes_its_binding_is_found_within_a_minute() {
        cards(named("HTTP+JSON"));
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        register("", "");
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
        routes.clear();
        cards(named("JSONRPC"));
        routes.put("POST ", AgentScripts.result(MESSAGE.formatted("parts", "{\"text\":\"Done.\"}")));
        assertThat(invoked().path("error").asText()).isEqualTo("agent_error");
        gateway.system().clock().advanceSeconds(60);
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
    }

    @Test
    void an_agent_that_goes_back_to_0_3_is_called_in_it() {
        register("1.0");
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        invoked();
        routes.clear();
        serves("POST /v1/message:send", MESSAGE.formatted("content", OLDER_PARTS));
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
        assertThat(called())
                .containsExactly(
                        "POST /message:send", "POST /message:send", "POST /v1/message:send", "POST /v1/message:send");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"message\":\"Cannot GET this.\"}", "{}", ""})
    void a_task_that_an_agent_of_1_0_forgot_leaves_it_in_that_version(String notFound) {
        register("1.0");
        serves("POST /message:send", "{\"task\":" + WORKING + "}");
        result("1.0", "SendMessage", message("1.0"));
        for (String path : List.of("GET /tasks/t", "GET /v1/tasks/t")) {
            refuses(path, 404, notFound);
        }
        assertThat(rpc("1.0", "GetTask", "{\"id\":\"t\"}").json().has("error")).isTrue();
        serves("GET /tasks/t", WORKING);
        assertThat(result("1.0", "GetTask", "{\"id\":\"t\"}")).isEqualTo(Json.stored(WORKING));
    }

    @ParameterizedTest
    @CsvSource({"402, -32000", "409, -32000", "404, -32001"})
    void a_request_that_an_agent_of_1_0_refuses_is_no_unknown_task_because_the_path_of_0_3_is_unknown(
            int status, int code) {
        register("1.0");
        serves("POST /message:send", "{\"task\":" + WORKING + "}");
        result("1.0", "SendMessage", message("1.0"));
        refuses("POST /tasks/t:cancel", status, "{\"message\":\"Not now.\"}");
        refuses("POST /v1/tasks/t:cancel", 404, "{\"message\":\"Cannot POST this.\"}");
        assertThat(rpc("1.0", "CancelTask", "{\"id\":\"t\"}")
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(code);
    }

    @Test
    void an_agent_that_answers_by_json_rpc_hides_no_failure_by_a_card_of_grpc() {
        cards(named("GRPC"));
        register("", "");
        routes.put("POST ", AgentScripts.result("{\"kind\":\"message\",\"parts\":[]}"));
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
        routes.put("POST ", Script.body("<html>"));
        assertThat(invoked().path("error").asText()).isEqualTo("agent_malformed_response");
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http+json", "Http+Json"})
    void the_case_of_a_binding_in_a_card_means_nothing(String binding) {
        cards(named(binding));
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        register("", "");
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 405, 501})
    void an_agent_without_the_path_of_lists_offers_none(int status) {
        register("1.0");
        routes.put("GET /tasks?pageSize=50&includeArtifacts=false", Script.status(status));
        JsonNode error = rpc("1.0", "ListTasks", "{}").json().path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32_004);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JSONRPC HTTP+JSON", "HTTP+JSON JSONRPC"})
    void an_agent_with_both_bindings_keeps_json_rpc(String bindings) {
        cards(named(bindings.split(" ")));
        register("", "");
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        assertThat(invoked().path("error").asText()).isEqualTo("agent_error");
        assertThat(called()).containsExactly("POST ");
    }

    @Test
    void a_message_that_may_have_been_processed_is_not_sent_again() {
        cards(named("HTTP+JSON"));
        register("", "");
        routes.put("POST ", Script.status(500));
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        assertThat(invoked().path("error").asText()).isEqualTo("agent_error");
        routes.put("POST ", Script.body("<html>"));
        assertThat(invoked().path("error").asText()).isEqualTo("agent_malformed_response");
        assertThat(called()).containsExactly("POST ", "POST ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"404", "binary"})
    void an_agent_whose_card_names_grpc_alone_is_refused_and_that_counts_for_nothing(String answer) {
        cards(named("GRPC"));
        register("", "");
        routes.put("POST ", answer.equals("404") ? Script.status(404) : Script.bytes("\0\0\6\4\0\0\0\0\0"));
        Response refused = GatewayHarness.invoke(api, "a", GatewayHarness.HELLO);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("error").asText()).isEqualTo("binding_not_supported");
        assertThat(refused.json().path("detail").asText()).contains("gRPC");
        assertThat(rpc("1.0", "SendMessage", message("1.0"))
                        .json()
                        .at("/error/data/0/reason")
                        .asText())
                .isEqualTo("BINDING_NOT_SUPPORTED");
        String receipt = gateway.accepted("a");
        gateway.deliver();
        assertThat(gateway.receipt(receipt).path("error").asText()).isEqualTo("binding_not_supported");
        assertThat(gateway.health("a").path("failure_count").asInt()).isZero();
        assertThat(gateway.unsettled()).isEmpty();
    }

    @Test
    void a_version_that_is_not_declared_is_found() {
        register("", ",\"a2a_binding\":\"HTTP+JSON\"");
        serves("POST /message:send", MESSAGE.formatted("parts", PARTS));
        invoked();
        assertThat(invoked().path("status").asText()).isEqualTo("succeeded");
        assertThat(called()).containsExactly("POST /v1/message:send", "POST /message:send", "POST /message:send");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "400|{'error':{'code':400,'status':'INVALID_ARGUMENT','message':'No.','details':[{'reason':'INVALID_PARAMS'}]}}|agent_rpc_error|CLIENT_ERRORS|-32602",
                "400|{'error':{'code':400,'message':'No.','details':[{'@type':'x'},{'reason':'UNSUPPORTED_OPERATION'}]}}|agent_rpc_error|SERVER_ERRORS|-32004",
                "404|{'error':{'code':404,'message':'No.','details':[{'reason':'TASK_NOT_FOUND'}]}}|agent_rpc_error|SERVER_ERRORS|-32001",
                "400|{'type':'https://a2a-protocol.org/errors/content-type-not-supported','detail':'No.','status':400}|agent_rpc_error|CLIENT_ERRORS|-32005",
                "500|{'error':{'code':500,'message':'No.','details':[{'reason':'INTERNAL_ERROR'}]}}|agent_rpc_error|SERVER_ERRORS|-32603",
                "400|{'code':-32602,'message':'No.'}|agent_rpc_error|CLIENT_ERRORS|-32602",
                "500|{'error':{'code':500,'status':'INTERNAL','message':'unknown exception'}}|agent_error|SERVER_ERRORS|-32000",
                "400|{'error':{'code':400,'status':'INVALID_ARGUMENT','message':'No.'}}|agent_error|CLIENT_ERRORS|-32000",
                "422|{'detail':[{'loc':['body']}]}|agent_error|CLIENT_ERRORS|-32000",
                "429|{'error':'slow down'}|agent_error|SERVER_ERRORS|-32000",
                "401|not json|agent_error|CLIENT_ERRORS|-32000",
                "405|[]|agent_error|CLIENT_ERRORS|-32000",
                "503|\"\"|agent_error|SERVER_ERRORS|-32000",
                "302|{'code':-32602}|agent_error|OTHER_ERRORS|-32000",
                "302|\"\"|agent_error|OTHER_ERRORS|-32000",
                "204|\"\"|agent_malformed_response|MALFORMED|-32006",
                "200|<html>|agent_malformed_response|MALFORMED|-32006",
                "200|{'jsonrpc':'2.0','id':'1','result':{'message':{'parts':[]}}}|agent_malformed_response|MALFORMED|-32006",
                "200|{'message':{'parts':[]},'task':{'status':{'state':'TASK_STATE_WORKING'}}}|agent_malformed_response|MALFORMED|-32006",
                "200|{'task':{'id':'t','status':{'state':'TASK_STATE_FAILED'}}}|agent_task_failed|OTHER_ERRORS|0",
            })
    void the_errors_of_the_binding_have_their_meaning_for_health_and_caller(
            int status, String body, String error, OutcomeCounter counter, int code) {
        register("1.0");
        refuses("POST /message:send", status, body.replace('\'', '"'));
        JsonNode problem = GatewayHarness.invoke(api, "a", GatewayHarness.HELLO).json();
        assertThat(problem.path("error").asText()).isEqualTo(error);
        assertThat(rpc("1.0", "SendMessage", message("1.0"))
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(code);
        if (error.equals("agent_rpc_error")) {
            assertThat(problem.at("/agent_error/code").asInt()).isEqualTo(code);
        }
        boolean mayBeOfCaller = List.of(400, 422).contains(status) && counter == OutcomeCounter.CLIENT_ERRORS;
        assertThat(gateway.outcomes("a").get(counter)).isEqualTo(mayBeOfCaller ? 0 : 2);
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    @Tag("slow")
    void an_error_that_is_too_large_to_read_breaks_off_or_does_not_end_is_its_status() {
        register("1.0");
        refuses(
                "POST /message:send",
                500,
                """
                        {"error":{"details":[{"reason":"TASK_NOT_FOUND"}],"message":"\
                        """
                        + "x".repeat(17_000)
                        + "\"}}");
        assertThat(invoked().path("error").asText()).isEqualTo("agent_error");
        routes.put(
                "POST /message:send",
                Script.bytes(
                        "HTTP/1.1 500 No\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"code\":-32602"));
        assertThat(invoked().path("error").asText()).isEqualTo("agent_error");
        routes.put("POST /message:send", (request, out) -> {
            Script.bytes("HTTP/1.1 404 No\r\nContent-Type: application/json\r\n\r\n{")
                    .play(request, out);
            out.flush();
            server.hang();
        });
        assertThat(invoked().path("detail").asText())
                .as("the call may last longer than this test")
                .contains("from 400 to 499");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "404|{\"message\":\"No.\"}|-32001",
                "409|{\"message\":\"No.\"}|-32002",
                "501|{\"message\":\"No.\"}|-32004",
                "404|{\"code\":-32001,\"message\":\"No.\"}|-32001",
                "404|{\"code\":4294934695,\"message\":\"No.\"}|-32001",
                "404|{\"code\":-99999999999,\"message\":\"No.\"}|-2147483648",
                "404|{\"detail\":\"Not Found\"}|-32000",
            })
    void the_sdks_of_0_3_say_by_status_or_code_which_error_it_is(int status, String body, int code) {
        register("0.3");
        serves("POST /v1/message:send", "{\"task\":" + WORKING + "}");
        result("1.0", "SendMessage", message("1.0"));
        refuses("POST /v1/tasks/t:cancel", status, body);
        assertThat(rpc("1.0", "CancelTask", "{\"id\":\"t\"}")
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "50%", "ä €", "a?b#c", "%2e%2e", "x:cancel", "..."})
    void the_id_of_a_task_is_one_segment_of_the_path(String id) throws IOException {
        register("1.0");
        String task = WORKING.replace("\"t\"", "\"" + id + "\"");
        serves("POST /message:send", "{\"task\":" + task + "}");
        result("1.0", "SendMessage", message("1.0"));
        server.plays(Script.body(task));
        assertThat(result("1.0", "GetTask", "{\"id\":\"" + id + "\"}")
                        .path("id")
                        .asText())
                .isEqualTo(id);
        String path = server.requests().get(1).line().split(" ")[1];
        assertThat(path).startsWith(BASE + "/tasks/");
        assertThat(path.substring((BASE + "/tasks/").length())).matches("[A-Za-z0-9._~%-]+");
        assertThat(URLDecoder.decode(path, StandardCharsets.UTF_8)).endsWith("/tasks/" + id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "../../admin", "a/../b", "x\\\\..\\\\y"})
    void the_id_of_a_task_does_not_lead_elsewhere(String id) {
        register("1.0");
        serves("POST /message:send", "{\"task\":" + WORKING.replace("\"t\"", "\"" + id + "\"") + "}");
        result("1.0", "SendMessage", message("1.0"));
        for (String method : List.of("GetTask", "CancelTask", "SubscribeToTask")) {
            assertThat(rpc("1.0", method, "{\"id\":\"" + id + "\"}")
                            .json()
                            .at("/error/code")
                            .asInt())
                    .as(method)
                    .isEqualTo(-32_001);
        }
        assertThat(called()).containsExactly("POST /message:send");
    }

    @Test
    void an_endpoint_with_a_query_keeps_it() {
        register("/?tenant=1&x=%2F", DECLARED.formatted("1.0"));
        serves("POST /message:send?tenant=1&x=%2F", "{\"task\":" + WORKING + "}");
        serves("GET /tasks/t?tenant=1&x=%2F&historyLength=0", WORKING);
        result("1.0", "SendMessage", message("1.0"));
        result("1.0", "GetTask", "{\"id\":\"t\",\"historyLength\":0}");
    }

    @Test
    void a_stream_that_breaks_or_reports_an_error_is_a_failure() throws IOException {
        register("1.0");
        String begun = "{\"task\":" + WORKING + "}";
        routes.put(
                "POST /message:stream",
                Script.bytes("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: " + begun + "\n\n"));
        Response broken = http("POST", "message:stream", message("1.0"));
        assertThat(events(broken).get(1).at("/error/details/0/reason").asText()).isEqualTo("AGENT_UNREACHABLE");
        streams(
                "POST /message:stream",
                begun,
                """
                        {"error":{"code":400,"message":"No.","details":[{"reason":"UNSUPPORTED_OPERATION"}]}}\
                        """);
        Response reported = rpc("1.0", "SendStreamingMessage", message("1.0"));
        assertThat(events(reported).get(1).at("/error/code").asInt()).isEqualTo(-32_004);
        streams("POST /message:stream", begun, "{\"code\":500,\"message\":\"No.\"}");
        assertThat(events(rpc("1.0", "SendStreamingMessage", message("1.0")))
                        .get(1)
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32_603);
        streams("POST /message:stream", "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":" + begun + "}");
        assertThat(events(rpc("1.0", "SendStreamingMessage", message("1.0")))
                        .get(0)
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32_006);
        refuses(
                "POST /message:stream",
                400,
                """
                        {"error":{"message":"No.","details":[{"reason":"UNSUPPORTED_OPERATION"}]}}\
                        """);
        assertThat(rpc("1.0", "SendStreamingMessage", message("1.0"))
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32_004);
        assertThat(gateway.receipt(broken.header("X-Receipt-Id")).path("status").asText())
                .isEqualTo("failed");
        assertThat(gateway.health("a").path("failure_count").asInt()).isEqualTo(5);
    }

    @Test
    @Timeout(20)
    void the_attempts_of_a_stream_have_the_time_of_one_call() {
        register("0.3");
        routes.put("POST /v1/message:stream", (request, out) -> {
            gateway.system().clock().advanceSeconds(25);
            Script.status(404).play(request, out);
        });
        routes.put("POST /message:stream", (request, out) -> server.hang());
        assertThat(rpc("1.0", "SendStreamingMessage", message("1.0"))
                        .json()
                        .path("error")
                        .path("message")
                        .asText())
                .contains("in time");
    }

    @Test
    void a_card_that_is_known_lasts_though_the_agent_fails_for_a_moment() {
        cards(named("HTTP+JSON") + ",\"capabilities\":{\"pushNotifications\":true}");
        register("", DECLARED.formatted("1.0"));
        serves("POST /message:send", "{\"task\":" + WORKING + "}");
        serves("POST /tasks/t/pushNotificationConfigs", "{}");
        result("1.0", "SendMessage", message("1.0"));
        String config = "{\"taskId\":\"t\",\"id\":\"mine\",\"url\":\"" + GatewayHarness.endpoint(server) + "\"}";
        result("1.0", "CreateTaskPushNotificationConfig", config);
        gateway.system().clock().advanceSeconds(61);
        Map<String, Script> working = new TreeMap<>(routes);
        routes.clear();
        assertThat(rpc("1.0", "SendMessage", message("1.0")).json().has("error"))
                .isTrue();
        routes.putAll(working);
        result("1.0", "CreateTaskPushNotificationConfig", config);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "0.3"})
    void notifications_of_a_task_are_set_and_ended_by_the_binding(String version) {
        boolean newer = version.equals("1.0");
        String prefix = newer ? "" : "/v1";
        cards(named("HTTP+JSON") + ",\"capabilities\":{\"pushNotifications\":true}");
        register("", DECLARED.formatted(version));
        serves("POST " + prefix + "/message:send", "{\"task\":" + WORKING + "}");
        result("1.0", "SendMessage", message("1.0"));
        serves("POST " + prefix + "/tasks/t/pushNotificationConfigs", "{}");
        String config = "{\"taskId\":\"t\",\"id\":\"mine\",\"url\":\"" + GatewayHarness.endpoint(server) + "\"}";
        result("1.0", "CreateTaskPushNotificationConfig", config);
        JsonNode sent = sent(server.requests().size() - 1);
        String own = newer ? "" : "/config/pushNotificationConfig";
        assertThat(sent.at(own + "/url").asText()).startsWith("https://registry.test/");
        if (!newer) {
            assertThat(sent.path("parent").asText()).isEqualTo("tasks/t");
            assertThat(sent.at("/config/name").asText())
                    .isEqualTo("tasks/t/pushNotificationConfigs/"
                            + sent.path("configId").asText());
        }
        String end = "DELETE " + prefix + "/tasks/t/pushNotificationConfigs/"
                + sent.at(own + "/id").asText();
        routes.put(end, Script.status(204));
        result("1.0", "DeleteTaskPushNotificationConfig", "{\"taskId\":\"t\",\"id\":\"mine\"}");
        assertThat(called().get(called().size() - 1)).isEqualTo(end);
    }
}
