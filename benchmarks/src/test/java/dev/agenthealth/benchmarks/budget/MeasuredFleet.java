package dev.agenthealth.benchmarks.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestSqs;
import dev.agenthealth.testkit.TestTables;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/** The template's functions on a storage of their own, and typical agents whose operations are measured. */
final class MeasuredFleet implements AutoCloseable {

    private static final String ID = "agent_01KJ3N8Q6V7XH2M4T9ZB5C-%04d";
    private static final int TICK_SECONDS = 30;

    private final CapturedOutput output = new CapturedOutput();
    private final DeployedSystem system = new DeployedSystem();
    private final TestApi api = system.api();
    private final ScriptedServer agents = ScriptedServer.http().plays(MeasuredFleet::answer);
    private final Map<String, String> calling = new HashMap<>(Map.of("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true"));
    private final TestApi gateway = new TestApi(List.of((HttpFunction) start("GatewayFunction")));
    private final RequestHandler<?, ?> worker = start("InvocationWorkerFunction");
    private final TestApi registry = new TestApi(List.of((HttpFunction) start("RegistryFunction")));
    private final String key = api.post("/v1/admin/keys")
            .key(TestSystem.ADMINISTRATOR_KEY)
            .body("{\"role\":\"agent\",\"provider_ids\":[\"acme-labs\"]}")
            .send()
            .json()
            .path("api_key")
            .asText();
    private int batches;

    MeasuredFleet() {
        // The sweep starts this one too.
        system.restart("ProbeFunction", environment("ProbeFunction"));
    }

    private RequestHandler<?, ?> start(String function) {
        return system.start(function, environment(function));
    }

    /** Of a function that may call agents on this machine. */
    private Map<String, String> environment(String function) {
        Map<String, String> environment =
                new HashMap<>(system.function(function).environment());
        environment.putAll(calling);
        return environment;
    }

    private static void answer(ScriptedServer.Request request, java.io.OutputStream out) throws java.io.IOException {
        if (request.line().startsWith("GET")) {
            Script.body("ok").play(request, out);
            return;
        }
        String id = Json.stored(request.body()).path("id").asText();
        Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\",\"result\":{\"kind\":\"message\",\"role\":\"agent\","
                        + "\"messageId\":\"m\",\"parts\":[{\"kind\":\"text\",\"text\":\"Paid.\"}]}}")
                .play(request, out);
    }

    Gauge gauge() {
        return new Gauge(system, output);
    }

    void pass(long seconds) {
        system.clock().advanceSeconds(seconds);
    }

    static String id(int agent) {
        return ID.formatted(agent);
    }

    TestApi.Request registration() {
        return api.post("/api/v1/agents").key(key);
    }

    String registrationOf(int agent) {
        return """
                {"agent_id":"%s","role_id":"billing-processor","name":"Billing Processor",\
                "capabilities":["billing","invoicing","stripe-integration"],"capacity":{"max_concurrent_tasks":5},\
                "endpoint":"http://127.0.0.1:%d/a2a","provider_id":"acme-labs","platform":"on-premises",\
                "metadata":{"version":"1.2.0","runtime":"python-3.11"}}"""
                .formatted(id(agent), agents.port());
    }

    void register(int from, int to) {
        for (int i = from; i < to; i++) {
            TestApi.Response answer = registration().body(registrationOf(i)).send();
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        }
    }

    /** Registers an agent whose address is asked every minute. */
    void watch(int agent) {
        String registration = registrationOf(agent);
        String watched = registration.substring(0, registration.length() - 1)
                + ",\"heartbeat_config\":{\"interval_seconds\":60,\"unhealthy_after_seconds\":180,\"dead_after_seconds\":600},"
                + "\"watch\":{\"interval_seconds\":60}}";
        TestApi.Response answer =
                registry.post("/api/v1/agents").key(key).body(watched).send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    /** Puts probes of the first agents into the queue, as the sweep does. */
    void queueProbes(int number) {
        String message = IntStream.range(0, number)
                .mapToObj(MeasuredFleet::id)
                .collect(Collectors.joining("\n", system.clock().millis() + "\n", ""));
        String queue = environment("ProbeFunction").get("PROBE_QUEUE_URL");
        system.sqs().client().sendMessage(r -> r.queueUrl(queue).messageBody(message));
    }

    /** Runs the probes that are in the queue; returns the number of agents. */
    int probe() {
        return Json.stored(system.invoke("ProbeFunction", "{}")).path("agents").asInt(-1);
    }

    /** Issues a ping address, and returns its path. */
    String pingAddress(int agent) {
        TestApi.Response answer =
                api.post("/api/v1/agents/" + id(agent) + "/ping-url").key(key).send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return URI.create(answer.json().path("ping_url").asText()).getPath();
    }

    TestApi.Request ping(String path) {
        return api.post(path);
    }

    TestApi.Request deregistration(int agent) {
        return api.delete("/api/v1/agents/" + id(agent)).key(key);
    }

    TestApi.Request heartbeat(int agent) {
        return heartbeatOf(id(agent));
    }

    private TestApi.Request heartbeatOf(String id) {
        return api.post("/api/v1/agents/" + id + "/heartbeat").key(key);
    }

    String heartbeatBody(String more) {
        return "{\"status\":\"active\",\"current_load\":2,\"client_timestamp\":\""
                + system.clock().instant() + "\"" + more + "}";
    }

    void sendHeartbeats(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(heartbeat(i).body(heartbeatBody("")).send().status()).isEqualTo(200);
        }
    }

    TestApi.Request heartbeats() {
        return api.post("/api/v1/heartbeats").key(key);
    }

    String heartbeatsBody(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i ->
                        "{\"agent_id\":\"" + id(i) + "\"," + heartbeatBody("").substring(1))
                .collect(Collectors.joining(",", "{\"heartbeats\":[", "]}"));
    }

    /** Sends a heartbeat that is refused and therefore logged. */
    void unknownHeartbeat() {
        assertThat(heartbeatOf("unknown").body(heartbeatBody("")).send().status())
                .isEqualTo(404);
    }

    TestApi.Request report(int agent) {
        return api.post("/api/v1/agents/" + id(agent) + "/outcomes").key(key);
    }

    /** Makes the function cache the key, as when it is in use. */
    void warmReports(int agent) {
        assertThat(report(agent).body("{}").send().status()).isEqualTo(400);
    }

    /** Fields of 100 outcomes that happened just now. */
    String outcomes() {
        return IntStream.range(0, 100)
                .mapToObj(i -> "{\"result\":\"" + (i % 25 == 0 ? "failure" : "success") + "\",\"latency_ms\":"
                        + (200 + i * i % 700) + ",\"occurred_at\":\""
                        + system.clock().instant() + "\"}")
                .collect(Collectors.joining(",", "\"batch_id\":\"batch-" + batches++ + "\",\"outcomes\":[", "]"));
    }

    TestApi.Request healthDocument(int agent) {
        return api.get("/agents/" + id(agent) + "/.well-known/agent-health");
    }

    TestApi.Request discovery(int most) {
        return api.get("/api/v1/agents")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query("capabilities", "billing")
                .query("limit", Integer.toString(most));
    }

    TestApi.Request leaseOf() {
        return api.post("/api/v1/intents/invoice_42/leases").key(key);
    }

    String lease(int agent, String scope) {
        return "{\"agent_id\":\"" + id(agent) + "\",\"scope\":\"" + scope + "\",\"duration_seconds\":600}";
    }

    TestApi.Request renewal(JsonNode lease) {
        return api.patch("/api/v1/intents/invoice_42/leases/" + lease.path("id").asText())
                .key(key);
    }

    TestApi.Request release(JsonNode lease) {
        return api.delete(
                        "/api/v1/intents/invoice_42/leases/" + lease.path("id").asText())
                .key(key);
    }

    TestApi.Request invocation(int agent) {
        return gateway.post("/v1/agents/" + id(agent) + "/invoke").key(key);
    }

    TestApi.Request asyncInvocation(int agent) {
        return gateway.post("/v1/agents/" + id(agent) + "/invoke-async").key(key);
    }

    /** Delivers the last message of the queue. */
    void deliver() {
        List<TestSqs.Message> messages = system.sqs().messages();
        String answer = LambdaRuntime.invoke(
                worker, TestSqs.event(messages.subList(messages.size() - 1, messages.size())), null);
        assertThat(answer).doesNotContain("itemIdentifier");
    }

    JsonNode sweep() {
        return Json.stored(system.invoke("SweepFunction", "{}")).get(0);
    }

    /** Advances the clock by half a minute, sends heartbeats of the first agents and runs a sweep. */
    JsonNode tick(int alive) {
        pass(TICK_SECONDS);
        sendHeartbeats(0, alive);
        return sweep();
    }

    /** Runs the notifications; no event waits for them. */
    void readSources() {
        system.invoke("SourceFunction", "{}");
    }

    void notifyOperators() {
        system.invoke("NotificationFunction", "{}");
    }

    /** Runs a measurement; returns the number of measured agents. */
    int measured() {
        JsonNode numbers = measure();
        return numbers.path("computed").asInt() + numbers.path("published").asInt();
    }

    JsonNode measure() {
        JsonNode numbers = Json.stored(system.invoke("MeasurementFunction", "{}"));
        assertThat(numbers.path("failed").asInt(-1)).as(numbers.toString()).isZero();
        return numbers;
    }

    void publish(List<? extends JsonNode> records) {
        system.invoke(
                "PublisherFunction",
                Json.text(Json.object().set("Records", Json.object().arrayNode().addAll(records))));
    }

    /** The custom metrics that the functions have reported so far, each combination of dimensions counted. */
    Set<String> metrics() {
        Set<String> metrics = new TreeSet<>();
        for (String line : output.lines()) {
            JsonNode json = Json.stored(line);
            for (JsonNode directive : json.path("_aws").path("CloudWatchMetrics")) {
                StringBuilder dimensions = new StringBuilder();
                directive.path("Dimensions").path(0).forEach(name -> dimensions.append(json.path(name.asText())));
                directive
                        .path("Metrics")
                        .forEach(metric -> metrics.add(metric.path("Name").asText() + dimensions));
            }
        }
        return metrics;
    }

    TestTables tables() {
        return system.tables();
    }

    /** The entries of the last request to the bus. */
    List<PutEventsRequestEntry> sent() {
        List<List<PutEventsRequestEntry>> requests = system.eventBridge().requests();
        return requests.get(requests.size() - 1);
    }

    /** Copies the first agent's row {@code number} times, as a fleet to sweep. */
    void copyRow(int number) {
        Map<String, AttributeValue> row = system.tables()
                .dynamoDb()
                .getItem(r -> r.tableName(TestTables.PULSES).key(Map.of("id", AttributeValue.fromS(id(0)))))
                .item();
        List<WriteRequest> writes = new ArrayList<>();
        for (int i = 1; i <= number; i++) {
            Map<String, AttributeValue> copy = new HashMap<>(row);
            copy.put("id", AttributeValue.fromS(id(i)));
            writes.add(WriteRequest.builder().putRequest(p -> p.item(copy)).build());
        }
        Stream.iterate(0, i -> i < writes.size(), i -> i + 25).forEach(i -> system.tables()
                .dynamoDb()
                .batchWriteItem(r ->
                        r.requestItems(Map.of(TestTables.PULSES, writes.subList(i, Math.min(i + 25, writes.size()))))));
    }

    @Override
    public void close() {
        agents.close();
        system.close();
        output.close();
    }
}
