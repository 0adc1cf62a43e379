package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.registry.telemetry.TestSpans;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An agent that lives from its calls, outcomes and spans: each registers it again when it is dead, and is a heartbeat after that. */
final class SignScenario {

    private static final String ID = "of-signs";
    private static final String WORKER = "InvocationWorkerFunction";

    private final DeployedSystem system;
    private final ScenarioClient client;
    private int number;

    SignScenario(DeployedSystem system, ScenarioClient client) {
        this.system = system;
        this.client = client;
    }

    void run() {
        try (ScriptedServer server = ScriptedServer.http().plays(SignScenario::answer)) {
            client.register(
                    ID,
                    "\"role_id\":\"r\",\"endpoint\":\"http://127.0.0.1:" + server.port()
                            + "/\",\"heartbeat_config\":{\"interval_seconds\":5,\"unhealthy_after_seconds\":10,"
                            + "\"dead_after_seconds\":20,\"signs_of_life\":[\"calls\",\"outcomes\",\"spans\"]}");
            TestApi gateway =
                    new TestApi(List.of((HttpFunction) system.start("GatewayFunction", local("GatewayFunction"))));
            comesBackWith(this::outcome);
            comesBackWith(this::span);
            comesBackWith(() -> expect(
                    200,
                    gateway.post("/v1/agents/" + ID + "/invoke")
                            .key(client.agentKey())
                            .body("{\"message\":\"Hello\"}")));
            comesBackWith(() -> asynchronousCall(gateway));
        }
        expect(204, system.api().delete("/api/v1/agents/" + ID).key(client.agentKey()));
    }

    private void comesBackWith(Runnable sign) {
        client.minute("late");
        client.minute("late");
        assertThat(client.status(ID)).isEqualTo("dead");
        sign.run();
        assertThat(client.status(ID)).isEqualTo("active");
        system.clock().advanceSeconds(5);
        sign.run();
    }

    private void outcome() {
        expect(
                202,
                system.api()
                        .post("/api/v1/agents/" + ID + "/outcomes")
                        .key(client.agentKey())
                        .body("{\"batch_id\":\"s-" + ++number + "\",\"outcomes\":[{\"result\":\"success\"}]}"));
    }

    private void span() {
        String mapping = "{\"service_name\":\"signs\",\"agent_id\":\"" + ID + "\"}";
        expect(
                200,
                system.api()
                        .put("/api/v1/telemetry/mappings")
                        .key(client.agentKey())
                        .body(mapping));
        expect(
                200,
                system.api()
                        .post("/v1/otlp/v1/traces")
                        .key(client.agentKey())
                        .header("content-type", "application/json")
                        .body(TestSpans.json(
                                "signs", TestSpans.span(++number, system.clock().instant(), "Planner"))));
    }

    @SuppressWarnings("unchecked")
    private void asynchronousCall(TestApi gateway) {
        expect(
                202,
                gateway.post("/v1/agents/" + ID + "/invoke-async")
                        .key(client.agentKey())
                        .body("{\"message\":\"Hello\"}"));
        SQSEvent event = new SQSEvent();
        event.setRecords(system.sqs().messages().stream()
                .map(message -> {
                    SQSEvent.SQSMessage record = new SQSEvent.SQSMessage();
                    record.setMessageId(message.messageId());
                    record.setReceiptHandle(message.receiptHandle());
                    record.setBody(message.body());
                    return record;
                })
                .toList());
        ((RequestHandler<SQSEvent, SQSBatchResponse>) system.start(WORKER, local(WORKER))).handleRequest(event, null);
    }

    /** The environment of the function where agents may be on this machine. */
    private Map<String, String> local(String function) {
        Map<String, String> environment =
                new HashMap<>(system.function(function).environment());
        environment.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        return environment;
    }

    private static void answer(ScriptedServer.Request request, OutputStream out) throws IOException {
        String id = Json.stored(request.body()).path("id").asText();
        Script.body(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"" + id
                                + "\",\"result\":{\"kind\":\"message\",\"role\":\"agent\",\"messageId\":\"m\",\"parts\":[{\"kind\":\"text\",\"text\":\"Done.\"}]}}")
                .play(request, out);
    }
}
