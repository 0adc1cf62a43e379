package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.agenthealth.functions.api.routes.HttpFunction;
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

/** Calls agents on this machine that speak A2A 1.0 without saying so, whose version the gateway and the worker store. */
final class CallsOfNewerAgents {

    private static final String GATEWAY = "GatewayFunction";
    private static final String WORKER = "InvocationWorkerFunction";
    private static final String HELLO = "{\"message\":\"Hello\"}";

    private final DeployedSystem system;
    private final String agentKey;

    CallsOfNewerAgents(DeployedSystem system, String agentKey) {
        this.system = system;
        this.agentKey = agentKey;
    }

    void run() {
        try (ScriptedServer server = ScriptedServer.http().plays(CallsOfNewerAgents::answer)) {
            for (String agentId : List.of("newer", "newer-async")) {
                assertThat(system.api()
                                .post("/api/v1/agents")
                                .key(agentKey)
                                .body("{\"agent_id\":\"" + agentId + "\",\"endpoint\":\"http://127.0.0.1:"
                                        + server.port() + "/\"}")
                                .send()
                                .status())
                        .isEqualTo(201);
            }
            TestApi gateway = new TestApi(List.of((HttpFunction) system.start(GATEWAY, onThisMachine(GATEWAY))));
            assertThat(gateway.post("/v1/agents/newer/invoke")
                            .key(agentKey)
                            .body(HELLO)
                            .send()
                            .status())
                    .isEqualTo(200);
            assertThat(gateway.post("/v1/agents/newer-async/invoke-async")
                            .key(agentKey)
                            .body(HELLO)
                            .send()
                            .status())
                    .isEqualTo(202);
            deliver();
        }
        for (String agentId : List.of("newer", "newer-async")) {
            system.api().delete("/api/v1/agents/" + agentId).key(agentKey).send();
        }
    }

    @SuppressWarnings("unchecked")
    private void deliver() {
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
        ((RequestHandler<SQSEvent, SQSBatchResponse>) system.start(WORKER, onThisMachine(WORKER)))
                .handleRequest(event, null);
    }

    private Map<String, String> onThisMachine(String logicalId) {
        Map<String, String> environment =
                new HashMap<>(system.function(logicalId).environment());
        environment.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        return environment;
    }

    private static void answer(ScriptedServer.Request request, OutputStream out) throws IOException {
        String id = Json.stored(request.body()).path("id").asText();
        String end = request.body().contains("\"SendMessage\"")
                ? """
                        "result":{"message":{"messageId":"m","parts":[{"text":"Done."}]}}}\
                        """
                : "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}";
        Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\"," + end).play(request, out);
    }
}
