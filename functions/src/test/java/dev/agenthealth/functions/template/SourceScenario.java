package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A source on this machine whose agent is registered, changed, deregistered and registered again, by request and by the schedule. */
final class SourceScenario {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String SOURCE = "/v1/admin/sources/partners";
    private static final String CARD =
            """
                    [{"name":"n","url":"http://127.0.0.1:%d/%s","skills":[{"id":"%s"}]}]\
                    """;

    private final DeployedSystem system;
    private final ScenarioClient client;

    SourceScenario(DeployedSystem system, ScenarioClient client) {
        this.system = system;
        this.client = client;
    }

    void run() {
        try (ScriptedServer server = ScriptedServer.http()) {
            TestApi administration = new TestApi(
                    List.of((HttpFunction) system.start("AdministrationFunction", local("AdministrationFunction"))));
            system.restart("SourceFunction", local("SourceFunction"));
            String keyId = client.key("agent").path("key_id").asText();
            String body = "{\"url\":\"http://127.0.0.1:" + server.port() + "/\",\"key_id\":\"" + keyId
                    + "\",\"kind\":\"a2a_card\"}";
            expect(201, administration.put(SOURCE).key(ADMIN).body(body));
            for (String agent : List.of("of-request", "of-schedule")) {
                for (String cards : List.of(
                        CARD.formatted(server.port(), agent, "a"),
                        CARD.formatted(server.port(), agent, "b"),
                        "[]",
                        "[]",
                        CARD.formatted(server.port(), agent, "a"))) {
                    server.plays(Script.body(cards));
                    if (agent.equals("of-request")) {
                        expect(200, administration.post(SOURCE + "/sync").key(ADMIN));
                    } else {
                        system.clock().advanceSeconds(3_600);
                        assertThat(system.invoke("SourceFunction", "{}")).isEqualTo("{\"due\":1,\"read\":1}");
                    }
                }
            }
            expect(200, administration.get(SOURCE).key(ADMIN));
            expect(200, administration.get("/v1/admin/sources").key(ADMIN));
            expect(204, administration.delete(SOURCE).key(ADMIN));
        }
    }

    /** The environment of the function where sources may be on this machine. */
    private Map<String, String> local(String function) {
        Map<String, String> environment =
                new HashMap<>(system.function(function).environment());
        environment.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        return environment;
    }
}
