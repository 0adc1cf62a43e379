package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.ADMIN;
import static dev.agenthealth.functions.template.ScenarioClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import java.util.List;

/** Rules that contain agents: observed, enforced, and ended by trial calls. */
final class ContainmentScenario {

    private static final String PATH = "/v1/admin/containment/runaway";

    private final DeployedSystem system;
    private final TestApi api;
    private final ScenarioClient client;

    ContainmentScenario(DeployedSystem system, TestApi api, ScenarioClient client) {
        this.system = system;
        this.api = api;
        this.client = client;
    }

    void run() {
        for (String id : List.of("looping", "looping-too")) {
            client.register(
                    id,
                    "\"endpoint\":\"https://agent.invalid\",\"role_id\":\"loops\",\"heartbeat_config\":{\"max_repeats\":2}");
        }
        apply("observe", "block", 201);
        apply("enforce", "restart", 200);
        apply("enforce", "block", 200);
        system.clock().advanceSeconds(10);
        assertThat(api.post("/v1/agents/looping-too/invoke")
                        .key(client.agentKey())
                        .body("{\"message\":\"Hello\"}")
                        .send()
                        .json()
                        .path("error")
                        .asText())
                .isIn("agent_unreachable", "agent_blocked");
        expect(200, api.get(PATH).key(ADMIN));
        expect(200, api.get("/v1/admin/containment").key(ADMIN));
        expect(204, api.delete(PATH).key(ADMIN));
        client.sweep();
        for (String id : List.of("looping", "looping-too")) {
            expect(204, api.delete("/api/v1/agents/" + id).key(client.agentKey()));
        }
    }

    private void apply(String mode, String action, int status) {
        expect(
                status,
                api.put(PATH)
                        .key(ADMIN)
                        .body(
                                "{\"filter\":{\"roles\":[\"loops\"]},\"when\":{\"reasons\":[\"looping\",\"active_while_gone\"]},"
                                        + "\"action\":\"" + action + "\",\"mode\":\"" + mode + "\""
                                        + (action.equals("block")
                                                ? ",\"release\":{\"after_seconds\":10,\"trial_calls\":1}"
                                                : "")
                                        + "}"));
        for (String id : List.of("looping", "looping-too")) {
            client.sendHeartbeat(
                    id, "active", ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":1,\"repeats\":3}");
        }
        client.sweep();
    }
}
