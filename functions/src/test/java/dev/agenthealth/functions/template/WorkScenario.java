package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.ADMIN;
import static dev.agenthealth.functions.template.ScenarioClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;

/** Workflows, pools, leases and drains. */
final class WorkScenario {

    private final DeployedSystem system;
    private final TestApi api;
    private final ScenarioClient client;

    WorkScenario(DeployedSystem system, TestApi api, ScenarioClient client) {
        this.system = system;
        this.api = api;
        this.client = client;
    }

    void run() {
        workflowsAndPools();
        leases();
        drains();
    }

    private void workflowsAndPools() {
        String workflow = "agents:\n  r:\n    pool:\n      min_instances: 2\n    drain_timeout_seconds: 60\n";
        expect(201, api.put("/api/v1/workflows/w").key(ADMIN).body(workflow));
        expect(200, api.put("/api/v1/workflows/w").key(ADMIN).body(workflow));
        expect(200, api.get("/api/v1/workflows/w").key(ADMIN));
        expect(200, api.get("/api/v1/workflows").key(ADMIN));
        client.register("of-workflow", "\"role_id\":\"r\"");
        expect(200, api.get("/api/v1/pools").key(ADMIN));
        expect(200, api.get("/api/v1/pools/r").key(ADMIN));
        client.minute("worker");
        expect(204, api.delete("/api/v1/agents/of-workflow").key(client.agentKey()));
        client.minute("worker");
        client.minute("worker");
        client.register("of-workflow-too", "\"role_id\":\"r\"");
        client.minute("worker");
        expect(204, api.delete("/api/v1/agents/of-workflow-too").key(client.agentKey()));
        client.minute("worker");
        expect(204, api.delete("/api/v1/workflows/w").key(ADMIN));
    }

    private void leases() {
        client.register("holder", "\"capacity\":{\"max_concurrent_tasks\":2}");
        String kept = lease("holder", "kept", 86_400);
        String path = "/api/v1/intents/i/leases/" + kept;
        expect(200, api.patch(path).key(client.agentKey()).body("{\"duration_seconds\":3600}"));
        long token = api.get("/api/v1/intents/i/leases")
                .key(client.agentKey())
                .send()
                .json()
                .path("leases")
                .get(0)
                .path("fencing_token")
                .asLong();
        expect(200, api.post(path + "/verify").key(client.agentKey()).body("{\"fencing_token\":" + token + "}"));
        expect(200, api.get("/api/v1/agents/holder/leases").key(client.agentKey()));
        expect(200, api.get("/api/v1/intents/i/events").key(client.agentKey()));
        expect(
                200,
                api.post("/api/v1/intents/i/leases/" + lease("holder", "revoked", 60) + "/revoke")
                        .key(ADMIN));
        lease("holder", "short", 1);
        system.clock().advanceSeconds(4);
        lease("holder", "short", 1);
        lease("holder", "out", 1);
        client.minute("worker");
        expect(202, api.post("/api/v1/agents/holder/commands").key(ADMIN).body("{\"command\":\"drain\"}"));
        expect(204, api.delete("/api/v1/agents/holder/commands/drain").key(ADMIN));
        expect(202, api.post("/api/v1/agents/holder/commands").key(ADMIN).body("{\"command\":\"drain\"}"));
        expect(200, api.get("/api/v1/agents/holder/commands").key(client.agentKey()));
        client.sendHeartbeat("holder", "active", ",\"current_load\":1");
        client.sendHeartbeat("holder", "draining", ",\"current_load\":0");
        expect(204, api.delete(path).key(client.agentKey()));
        assertThat(client.status("holder")).isEqualTo("deregistered");
        client.register("leaving", "\"name\":\"n\"");
        lease("leaving", "left", 600);
        expect(204, api.delete("/api/v1/agents/leaving").key(client.agentKey()));
        client.register("doomed", "\"name\":\"n\"");
        lease("doomed", "lost", 86_400);
    }

    private String lease(String agentId, String scope, int seconds) {
        Response granted = api.post("/api/v1/intents/i/leases")
                .key(client.agentKey())
                .body("{\"agent_id\":\"" + agentId + "\",\"scope\":\"" + scope + "\",\"duration_seconds\":" + seconds
                        + "}")
                .send();
        assertThat(granted.status()).as(granted.text()).isEqualTo(201);
        return granted.json().path("id").asText();
    }

    private void drains() {
        client.register("drain-late", "\"capacity\":{\"max_concurrent_tasks\":2}");
        client.sendHeartbeat("drain-late", "active", ",\"current_load\":1");
        lease("drain-late", "late", 600);
        expect(200, client.drain("drain-late", 30));
        client.register("drain-done", "\"capacity\":{\"max_concurrent_tasks\":2}");
        client.sendHeartbeat("drain-done", "active", ",\"current_load\":1");
        expect(200, client.drain("drain-done", 30));
        client.sendHeartbeat("drain-done", "draining", ",\"current_load\":0");
        client.register("drain-own", "\"name\":\"n\"");
        client.sendHeartbeat("drain-own", "draining", ",\"current_load\":1");
        for (int i = 0; i < 4; i++) {
            client.minute("worker");
        }
        assertThat(client.status("drain-late")).isEqualTo("dead");
        assertThat(client.status("drain-done")).isEqualTo("deregistered");
    }
}
