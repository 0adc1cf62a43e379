package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A watched agent on this machine: active, unhealthy, dead, and alive again. */
final class ProbeScenario {

    private static final String FUNCTION = "ProbeFunction";

    private final DeployedSystem system;
    private final ScenarioClient client;

    ProbeScenario(DeployedSystem system, ScenarioClient client) {
        this.system = system;
        this.client = client;
    }

    void run() {
        try (ScriptedServer server = ScriptedServer.http().plays(Script.body("ok"))) {
            TestApi registry =
                    new TestApi(List.of((HttpFunction) system.start("RegistryFunction", local("RegistryFunction"))));
            system.restart(FUNCTION, local(FUNCTION));
            String body = "{\"agent_id\":\"watched\",\"role_id\":\"r\",\"endpoint\":\"http://127.0.0.1:" + server.port()
                    + "\",\"watch\":{\"interval_seconds\":60}}";
            expect(201, registry.post("/api/v1/agents").key(client.agentKey()).body(body));
            expect(
                    200,
                    system.api()
                            .put("/v1/agents/watched/credential")
                            .key(client.agentKey())
                            .body("{\"bearer_token\":\"t\"}"));
            minutesUntil("active", 2);
            server.plays(Script.status(503));
            minutesUntil("unhealthy", 3);
            server.plays(Script.body("ok"));
            minutesUntil("active", 1);
            server.plays(Script.status(503));
            minutesUntil("dead", 8);
            server.plays(Script.body("ok"));
            minutesUntil("active", 6);
        }
        expect(204, system.api().delete("/api/v1/agents/watched").key(client.agentKey()));
        declares();
    }

    /** An agent whose card changes until an operator accepts it. */
    private void declares() {
        try (ScriptedServer server = ScriptedServer.http()) {
            String origin = "http://127.0.0.1:" + server.port();
            String card = "{\"name\":\"%s\",\"url\":\"" + origin + "/a2a\",\"skills\":[]}";
            server.plays(Script.body(card.formatted("one")));
            TestApi registry =
                    new TestApi(List.of((HttpFunction) system.start("RegistryFunction", local("RegistryFunction"))));
            String body = "{\"agent_id\":\"declaring\",\"endpoint\":\"" + origin
                    + "/a2a\",\"watch\":{\"by\":\"a2a\",\"interval_seconds\":60,\"url\":\"" + origin + "/card\"}}";
            expect(201, registry.post("/api/v1/agents").key(client.agentKey()).body(body));
            client.minute("late");
            server.plays(Script.body(card.formatted("two")));
            client.minute("late");
            String path = "/api/v1/agents/declaring";
            String digest = system.api()
                    .get(path)
                    .key(client.agentKey())
                    .send()
                    .json()
                    .at("/declaration/change/digest")
                    .asText();
            expect(
                    200,
                    system.api()
                            .post(path + "/declaration/accept")
                            .key(ScenarioClient.ADMIN)
                            .body("{\"digest\":\"" + digest + "\"}"));
            expect(204, system.api().delete(path).key(client.agentKey()));
        }
    }

    private void minutesUntil(String status, int minutes) {
        for (int i = 0; i < minutes; i++) {
            client.minute("late");
        }
        assertThat(client.status("watched")).isEqualTo(status);
    }

    /** The environment of the function where agents may be on this machine. */
    private Map<String, String> local(String function) {
        Map<String, String> environment =
                new HashMap<>(system.function(function).environment());
        environment.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        return environment;
    }
}
