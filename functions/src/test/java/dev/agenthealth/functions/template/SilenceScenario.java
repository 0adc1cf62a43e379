package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.ADMIN;
import static dev.agenthealth.functions.template.ScenarioClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.testkit.TestTables;

/** Agents without heartbeats: dead, revoked, in a blackout, in mass silence, archived. */
final class SilenceScenario {

    private final DeployedSystem system;
    private final TestApi api;
    private final ScenarioClient client;

    SilenceScenario(DeployedSystem system, TestApi api, ScenarioClient client) {
        this.system = system;
        this.api = api;
        this.client = client;
    }

    void run() {
        markingAsDeadAndReRegistration();
        revocation();
        blackout();
        massSilence();
        archivingAndReRegistration();
    }

    private void markingAsDeadAndReRegistration() {
        client.register("expiring", "\"role_id\":\"r\",\"capabilities\":[\"c1\"]");
        client.sendHeartbeat("expiring", "active", ",\"tasks_in_progress\":[\"t1\"]");
        client.minute("worker");
        client.minute("worker");
        assertThat(client.status("expiring")).isEqualTo("unhealthy");
        client.sendHeartbeat("expiring", "active", "");
        assertThat(client.status("expiring")).isEqualTo("active");
        for (int i = 0; i < 7; i++) {
            client.minute("worker");
        }
        assertThat(client.status("expiring")).isEqualTo("dead");
        expect(410, client.heartbeat("expiring", "active", ""));
        String pingUrl = "/api/v1/agents/expiring/ping-url";
        String ping = api.post(pingUrl)
                .key(client.agentKey())
                .send()
                .json()
                .path("ping_url")
                .asText();
        ping = ping.substring(ping.indexOf("/p/"));
        expect(200, api.get(ping + "/start"));
        expect(200, api.get(ping));
        expect(200, api.get(pingUrl).key(client.agentKey()));
        expect(204, api.delete("/api/v1/agents/expiring").key(client.agentKey()));
        expect(410, api.get(ping));
        expect(204, api.delete(pingUrl).key(client.agentKey()));
        expect(201, client.registration("expiring", "\"role_id\":\"r2\",\"capabilities\":[\"c4\"]"));
        expect(204, api.delete("/api/v1/agents/expiring").key(client.agentKey()));
    }

    private void revocation() {
        JsonNode key = client.key("agent");
        expect(201, api.post("/api/v1/agents").key(key.path("api_key").asText()).body("{\"agent_id\":\"of-revoked\"}"));
        String path = "/v1/admin/keys/" + key.path("key_id").asText();
        expect(200, api.patch(path).key(ADMIN).body("{\"name\":\"n\"}"));
        expect(200, api.post(path + "/rotate").key(ADMIN).body("{\"overlap_seconds\":0}"));
        client.minute("worker");
        expect(204, api.delete(path).key(ADMIN));
        client.minute("worker");
        String other = client.key("agent").path("key_id").asText();
        expect(200, api.put("/v1/admin/agents/of-revoked/owner").key(ADMIN).body("{\"key_id\":\"" + other + "\"}"));
    }

    private void blackout() {
        client.register(
                "silent",
                "\"heartbeat_config\":{\"interval_seconds\":5,\"unhealthy_after_seconds\":10,"
                        + "\"dead_after_seconds\":20}");
        system.publicApi().shut();
        client.minute("worker");
        assertThat(client.status("silent")).isEqualTo("active");
        system.publicApi().open();
        client.minute("worker");
        client.minute("worker");
        client.minute("worker");
        assertThat(client.status("silent")).isEqualTo("dead");
    }

    private void massSilence() {
        client.configure(1);
        client.sendHeartbeat("worker", "active", "");
        for (int i = 0; i < 8; i++) {
            system.clock().advanceSeconds(60);
            client.sweep();
        }
        // With 50 due agents, at least one shard goes to a worker if the passes are divided.
        for (int i = 0; i < 50; i++) {
            client.register("crowd-" + i, "");
        }
        client.measure();
        for (int i = 0; i < 50; i++) {
            expect(204, api.delete("/api/v1/agents/crowd-" + i).key(client.agentKey()));
        }
        assertThat(client.status("worker")).isEqualTo("dead");
        client.register("late", "");
        client.minute("late");
    }

    private void archivingAndReRegistration() {
        // The row of a dead agent stays as long as the agent is down.
        system.clock().advance(DownRule.MAX_DOWN);
        client.sendHeartbeat("late", "active", "");
        client.measure();
        for (int i = 0; i < 3; i++) {
            client.minute("late");
        }
        assertThat(system.tables()
                        .dynamoDb()
                        .scan(r -> r.tableName(TestTables.PULSES))
                        .items())
                .extracting(row -> row.get("id").s())
                .containsExactly("late");
        expect(410, client.heartbeat("worker", "active", ""));
        expect(200, api.get("/api/v1/agents/worker").key(client.agentKey()));
        expect(204, api.delete("/api/v1/agents/worker").key(client.agentKey()));
        expect(201, client.registration("expiring", "\"role_id\":\"r\",\"capabilities\":[\"c1\"]"));
    }
}
