package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.GatewayFunction;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.InvocationWorkerFunction;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TestCertificates;
import dev.agenthealth.testkit.TestSqs;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The gateway with a fake resolver and scripted agents on this machine. */
final class GatewayHarness implements AutoCloseable {

    /** The host name that resolves to this machine, for which the agents have a certificate. */
    static final String HOST = "agent.test";

    /** The provider of most test agents. */
    static final String PROVIDER = "acme-labs";

    static final String HELLO = "{\"message\":\"Hello\"}";

    private static final NameResolver RESOLVER = host -> {
        if (!host.equals(HOST)) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.getLoopbackAddress());
    };

    private final TestSystem system = new TestSystem();
    /** Created once, because it takes longer than most tests. */
    private static final TestCertificates CERTIFICATES = TestCertificates.of(HOST);

    private final List<ScriptedServer> servers = new ArrayList<>();
    private final TestApi api = apiThrough(system.dynamoDb());
    private final InvocationWorkerFunction worker = workerThrough(system.dynamoDb());

    TestSystem system() {
        return system;
    }

    /** The routes of the gateway. */
    TestApi api() {
        return api;
    }

    /** The same with another client. */
    TestApi apiThrough(DynamoDbClient dynamoDb) {
        return new TestApi(List.of(
                new GatewayFunction(wiring(dynamoDb, "true"), RESOLVER, SecureSockets.trusting(CERTIFICATES.trust()))));
    }

    /** The gateway in a process that passes on streams, with the public cards of agents. */
    TestApi streaming() {
        Wiring usual = wiring(system.dynamoDb(), "true");
        Wiring streaming = usual.toBuilder()
                .environment(Map.of(FunctionSettings.STREAMS.name(), "true"))
                .build();
        return new TestApi(List.of(
                new GatewayFunction(streaming, RESOLVER, SecureSockets.trusting(CERTIFICATES.trust())),
                new HealthFunction(streaming, RESOLVER)));
    }

    /** The public cards of agents. */
    TestApi cards() {
        return cards("true");
    }

    /** @param loopback {@code true} where agents on this machine may be called */
    TestApi cards(String loopback) {
        return new TestApi(List.of(new HealthFunction(wiring(system.dynamoDb(), loopback), RESOLVER)));
    }

    /** The deployed configuration, in which agents on this machine are not called. */
    TestApi deployed() {
        return new TestApi(List.of(new GatewayFunction(
                wiring(system.dynamoDb(), ""), RESOLVER, SecureSockets.trusting(CERTIFICATES.trust()))));
    }

    /** The worker in its deployed configuration. */
    InvocationWorkerFunction deployedWorker() {
        return new InvocationWorkerFunction(
                wiring(system.dynamoDb(), ""), RESOLVER, SecureSockets.trusting(CERTIFICATES.trust()));
    }

    InvocationWorkerFunction workerThrough(DynamoDbClient dynamoDb) {
        return new InvocationWorkerFunction(
                wiring(dynamoDb, "true"), RESOLVER, SecureSockets.trusting(CERTIFICATES.trust()));
    }

    /** Posts commands, and waits this long for an agent. */
    CommandDelivery commands(Duration timeout) {
        return new Gateway(
                        wiring(system.dynamoDb(), "true"),
                        system.database(),
                        RESOLVER,
                        SecureSockets.trusting(CERTIFICATES.trust()),
                        system.log())
                .commands(timeout);
    }

    private Wiring wiring(DynamoDbClient dynamoDb, String loopback) {
        Map<String, String> environment = new HashMap<>(TestSystem.INVOCATIONS);
        environment.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", loopback);
        environment.put("ACCOUNT_CONCURRENCY", "64");
        Wiring usual = system.wiring(environment);
        return usual.toBuilder().dynamoDb(() -> dynamoDb).build();
    }

    /** A server of an agent, over HTTP. */
    ScriptedServer server() {
        ScriptedServer server = ScriptedServer.http();
        servers.add(server);
        return server;
    }

    /** A server of an agent, over HTTPS. */
    ScriptedServer secureServer(TestCertificates certificates) {
        ScriptedServer server = ScriptedServer.https(certificates);
        servers.add(server);
        return server;
    }

    TestCertificates certificates() {
        return CERTIFICATES;
    }

    /** The URL of a server. */
    static String endpoint(ScriptedServer server) {
        return "http://" + HOST + ":" + server.port() + "/a2a/secret-path";
    }

    /** A new agent that answers every message; returns its server. */
    ScriptedServer answeringAgent(String id) {
        ScriptedServer server = server().plays(AgentScripts.message());
        agent(id, server);
        return server;
    }

    /** An agent of the provider with this server as endpoint. */
    TestAgent agent(String id, ScriptedServer server) {
        return agent(id, endpoint(server), "");
    }

    /** An agent of the provider; {@code more} begins with a comma or is empty. */
    TestAgent agent(String id, String endpoint, String more) {
        TestAgent agent = new TestAgent(system, id);
        String fields = ",\"provider_id\":\"" + PROVIDER + "\",\"endpoint\":\"" + endpoint + "\"" + more;
        assertThat(agent.register(fields).status()).isEqualTo(201);
        return agent;
    }

    Response invoke(String agentId, String body) {
        return invoke(api, agentId, body);
    }

    static Response invoke(TestApi api, String agentId, String body) {
        return api.post("/v1/agents/" + agentId + "/invoke")
                .key(TestSystem.OTHER_AGENT_KEY)
                .body(body)
                .send();
    }

    Response invokeAsync(String agentId, String body) {
        return invokeAsync(api, agentId, body);
    }

    static Response invokeAsync(TestApi api, String agentId, String body) {
        return api.post("/v1/agents/" + agentId + "/invoke-async")
                .key(TestSystem.OTHER_AGENT_KEY)
                .body(body)
                .send();
    }

    /** The receipt as returned to its caller. */
    JsonNode receipt(String receiptId) {
        Response response = receipt(receiptId, TestSystem.OTHER_AGENT_KEY);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    Response receipt(String receiptId, String key) {
        return api.get("/v1/receipts/" + receiptId).key(key).send();
    }

    /** Delivers all messages ever sent to the queue; returns the number of messages to be delivered again. */
    int deliver() {
        return deliver(worker);
    }

    int deliver(InvocationWorkerFunction to) {
        SQSBatchResponse response = to.handleRequest(event(system.sqs().messages()), null);
        return response.getBatchItemFailures().size();
    }

    /** Lambda's event with these messages. */
    static SQSEvent event(List<TestSqs.Message> messages) {
        SQSEvent event = new SQSEvent();
        event.setRecords(messages.stream()
                .map(message -> {
                    SQSEvent.SQSMessage record = new SQSEvent.SQSMessage();
                    record.setMessageId(message.messageId());
                    record.setReceiptHandle(message.receiptHandle());
                    record.setBody(message.body());
                    return record;
                })
                .toList());
        return event;
    }

    /** Advances the clock beyond all deadlines and runs the repair. */
    ReceiptRepair.Numbers repair() {
        system.clock().advanceSeconds(3_000);
        return repairNow();
    }

    ReceiptRepair.Numbers repairNow() {
        return new ReceiptRepair(
                        system.databaseThrough(system.tables().dynamoDb()),
                        new StorageMeter(),
                        Runnable::run,
                        system.log(),
                        system.clock())
                .run(() -> true);
    }

    /** The receipts that are unfinished or not counted. */
    List<String> unsettled() {
        ReceiptStore receipts =
                new ReceiptStore(system.databaseThrough(system.tables().dynamoDb()));
        Instant everything = system.clock().instant().plusSeconds(1_000_000);
        return IntStream.range(0, ReceiptStore.SHARDS)
                .boxed()
                .flatMap(shard -> receipts.due(shard, everything, 1_000).stream())
                .toList();
    }

    /** The agent's health record (ServiceNet). */
    JsonNode health(String agentId) {
        return read("/v1/health/agents/" + agentId);
    }

    JsonNode healthOfProvider() {
        return read("/v1/health/providers/" + PROVIDER);
    }

    double reputation(String agentId) {
        return read("/v1/trust/agents/" + agentId).path("reputation_score").asDouble();
    }

    /** The counters of the agent's executions. */
    OutcomeCounts outcomes(String agentId) {
        return new StoredOutcomes(system, agentId).total();
    }

    void block(String whom) {
        administer(whom + "/block", "{\"reason\":\"under review\"}");
    }

    void unblock(String whom) {
        administer(whom + "/unblock", "");
    }

    private void administer(String path, String body) {
        Response response = system.api()
                .post("/v1/admin/" + path)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body)
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
    }

    JsonNode read(String path) {
        Response response =
                system.api().get(path).key(TestSystem.ADMINISTRATOR_KEY).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    @Override
    public void close() {
        servers.forEach(ScriptedServer::close);
        system.close();
    }

    /** An asynchronous invocation that is accepted; returns the id of its receipt. */
    String accepted(String agentId) {
        return accepted(agentId, HELLO);
    }

    String accepted(String agentId, String body) {
        Response answer = invokeAsync(agentId, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        assertThat(answer.json().path("status").asText()).isEqualTo("accepted");
        assertThat(answer.json().path("agent_id").asText()).isEqualTo(agentId);
        return answer.json().path("receipt_id").asText();
    }

    /** The status on a receipt. */
    String status(String receiptId) {
        return receipt(receiptId).path("status").asText();
    }
}
