package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.telemetry.TestSpans;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestSqs;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A scenario from the first registration to archiving that covers every storage path of every function: all routes, outcomes,
 * health, trust, recovery, drift, workflows, leases, drains, dead agents, clean-up, archiving, re-registration, revoked keys,
 * blackout, mass silence.
 */
final class Scenario {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;

    private final DeployedSystem system;
    private final TestApi api;
    private final boolean divided;
    private final Set<String> reportedActions = new HashSet<>();
    private String agentKey = "";

    /**
     * @param divided whether the sweep divides its passes among workers
     */
    Scenario(DeployedSystem system, TestApi api, boolean divided) {
        this.system = system;
        this.api = api;
        this.divided = divided;
    }

    void run() {
        sweep();
        keysAndConfiguration();
        lifecycleOfOneAgent();
        outcomes();
        telemetry();
        listings();
        health();
        trust();
        invocations();
        tools();
        workflowsAndPools();
        leases();
        drains();
        markingAsDeadAndReRegistration();
        revocation();
        blackout();
        massSilence();
        archivingAndReRegistration();
        republishing();
        notifications();
        erasure();
    }

    private void keysAndConfiguration() {
        agentKey = key("agent").path("api_key").asText();
        String coordinator = key("coordinator").path("api_key").asText();
        expect(200, api.get("/api/v1/agents").key(coordinator));
        expect(200, api.get("/v1/admin/keys").key(ADMIN));
        expect(200, api.get("/v1/admin/configuration").key(ADMIN));
        configure(50);
        expect(200, api.get("/api/v1/ping"));
    }

    private void configure(int massSilenceAgents) {
        int fanOut = divided ? 1_000 : 200_000;
        expect(
                200,
                api.put("/v1/admin/configuration")
                        .key(ADMIN)
                        .body(
                                """
                                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":%d,
                                 "mass_silence":{"minimum_agents":%d,"silent_percent":55,"death_percent_per_minute":10},
                                 "invocations":{"per_second":10,"burst":20}}
                                """
                                        .formatted(fanOut, massSilenceAgents)));
        system.clock().advanceSeconds(60);
    }

    private void lifecycleOfOneAgent() {
        register(
                "worker",
                "\"role_id\":\"r\",\"capabilities\":[\"c1\",\"c2\"],\"metadata\":{\"a\":1},\"provider_id\":\"p\",\"platform\":\"f\"");
        expect(409, registration("worker", ""));
        sendHeartbeat("worker", "active", ",\"tasks_in_progress\":[\"t1\"]");
        expect(200, api.get("/api/v1/agents/worker").key(agentKey));
        expect(
                200,
                api.patch("/api/v1/agents/worker")
                        .key(agentKey)
                        .header("if-match", "*")
                        .body("{\"capabilities\":[\"c2\",\"c3\"]}"));
        expect(
                200,
                api.post("/api/v1/agents/worker/heartbeat")
                        .key(agentKey)
                        .body("{\"status\":\"active\",\"client_timestamp\":\"2020-01-01T00:00:00Z\"}"));
        expect(
                200,
                api.post("/api/v1/heartbeats")
                        .key(agentKey)
                        .body("{\"heartbeats\":[{\"agent_id\":\"worker\",\"status\":\"active\",\"client_timestamp\":\""
                                + system.clock().instant() + "\"}]}"));
        expect(401, heartbeat("worker", "active", "").key("unknown-key"));
        expect(404, heartbeat("unknown", "active", ""));
        system.clock().advanceSeconds(10);
        expect(200, api.get("/api/v1/agents/worker/events").key(agentKey));
        register("peer", "");
        // The first page token makes the key.
        expect(200, api.get("/v1/trust/agents").key(ADMIN).query("limit", "1"));
        expect(200, api.get("/api/v1/events").key(ADMIN));
    }

    private void outcomes() {
        String untimed = "\"batch_id\":\"b%d\",\"outcomes\":[{\"result\":\"success\",\"latency_ms\":12}]";
        for (int i = 0; i < 2; i++) {
            expect(
                    202,
                    api.post("/api/v1/agents/worker/outcomes").key(agentKey).body("{" + untimed.formatted(1) + "}"));
            sendHeartbeat("worker", "active", "," + untimed.formatted(2));
        }
    }

    /** With names that are mapped, that register an agent, and that do neither. */
    private void telemetry() {
        String mappings = "/api/v1/telemetry/mappings";
        expect(200, api.put(mappings).key(agentKey).body("{\"service_name\":\"shop\",\"agent_id\":\"worker\"}"));
        expect(200, api.get(mappings).key(agentKey));
        spans("shop");
        spans("shop");
        spans("other");
        expect(200, api.put("/api/v1/telemetry/settings").key(agentKey).body("{\"auto_register\":true}"));
        spans("other");
        String mapped = api.get(mappings)
                .key(agentKey)
                .send()
                .json()
                .at("/mappings/0/mapping_id")
                .asText();
        expect(204, api.delete(mappings + "/" + mapped).key(agentKey));
    }

    private void spans(String service) {
        expect(
                200,
                api.post("/v1/otlp/v1/traces")
                        .key(agentKey)
                        .header("content-type", "application/json")
                        .body(TestSpans.json(
                                service, TestSpans.span(1, system.clock().instant(), "Planner"))));
    }

    private void listings() {
        for (String status : new String[] {"active", "draining", "unhealthy", "dead", "deregistered"}) {
            expect(200, api.get("/api/v1/agents").key(ADMIN).query("status", status));
        }
        expect(200, api.get("/api/v1/agents").key(ADMIN).query("capabilities", "c2"));
        expect(200, api.get("/api/v1/agents").key(ADMIN).query("role_id", "r"));
    }

    private void health() {
        String document = "/agents/worker/.well-known/agent-health";
        expect(200, api.get(document));
        expect(200, api.get(document).key(agentKey));
        expect(404, api.get("/agents/unknown/.well-known/agent-health"));
        expect(200, api.put("/v1/admin/hosts/worker.example").key(ADMIN).body("{\"agent_id\":\"worker\"}"));
        expect(200, api.get("/v1/admin/hosts").key(ADMIN));
        expect(200, api.get("/.well-known/agent-health").domain("worker.example"));
        expect(204, api.delete("/v1/admin/hosts/worker.example").key(ADMIN));
        expect(200, api.get("/.well-known/agent-health").domain("worker.example"));
        expect(404, api.get("/agents/worker/.well-known/agent.json"));
        register("callable", "\"endpoint\":\"https://callable.example\"");
        expect(200, api.get("/agents/callable/.well-known/agent.json"));
        expect(200, api.get("/agents/callable/.well-known/agent-card.json"));
        expect(204, api.delete("/api/v1/agents/callable").key(agentKey));
        expect(200, api.get("/api/v1/agents/worker/health").key(agentKey));
        expect(200, api.get("/api/v1/agents/worker/health/history").key(agentKey));
        measure();
        expect(200, api.get("/api/v1/health").key(ADMIN));
    }

    private void trust() {
        expect(
                202,
                api.post("/api/v1/agents/worker/outcomes")
                        .key(ADMIN)
                        .body("{\"batch_id\":\"b\",\"outcomes\":[{\"result\":\"success\"}]}"));
        for (String kind : new String[] {"trust", "health"}) {
            expect(200, api.get("/v1/" + kind + "/agents").key(ADMIN));
            expect(200, api.get("/v1/" + kind + "/agents/worker").key(agentKey));
            expect(200, api.get("/v1/" + kind + "/providers").key(ADMIN));
            expect(200, api.get("/v1/" + kind + "/providers/p").key(ADMIN));
        }
        for (String whom : new String[] {"agents/worker", "providers/p"}) {
            expect(200, api.post("/v1/admin/" + whom + "/block").key(ADMIN).body("{\"reason\":\"why\"}"));
            expect(200, api.post("/v1/admin/" + whom + "/unblock").key(ADMIN));
        }
    }

    /** What the function of MCP does for a tool. */
    private void tools() {
        for (String status : new String[] {"active", "draining", "unhealthy", "dead", "deregistered"}) {
            tool("find_agents", "{\"status\":[\"" + status + "\"]}");
        }
        tool("find_agents", "{\"limit\":1}");
        tool("find_agents", "{\"capabilities\":[\"c2\"],\"most_available_first\":true}");
        tool("fleet_health", "{}");
        for (String name : new String[] {"agent_health", "may_i_call", "drain_agent"}) {
            tool(name, "{\"agent_id\":\"worker\"}");
        }
        expect(204, api.delete("/api/v1/agents/worker/commands/drain").key(agentKey));
    }

    private void tool(String name, String arguments) {
        Response response = api.post("/mcp")
                .key(ADMIN)
                .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + name
                        + "\",\"arguments\":" + arguments + "}}")
                .send();
        assertThat(response.json().path("result").path("isError").asText("true"))
                .as(name + " " + response.text())
                .isEqualTo("false");
    }

    /** Names in {@code .invalid} do not resolve, so the agent is unreachable. */
    private void invocations() {
        register("unreachable", "\"endpoint\":\"https://agent.invalid\",\"provider_id\":\"p\"");
        String message = "{\"message\":\"Hello\"}";
        String credential = "/v1/agents/unreachable/credential";
        expect(200, api.put(credential).key(agentKey).body("{\"bearer_token\":\"t\"}"));
        expect(200, api.get(credential).key(agentKey));
        Request invocation = api.post("/v1/agents/unreachable/invoke")
                .key(agentKey)
                .header("idempotency-key", "order-1")
                .body(message);
        Response failed = invocation.send();
        assertThat(failed.json().path("error").asText()).isEqualTo("agent_unreachable");
        assertThat(invocation.send().json().path("receipt_id"))
                .isEqualTo(failed.json().path("receipt_id"));
        expect(
                200,
                api.get("/v1/receipts/" + failed.json().path("receipt_id").asText())
                        .key(agentKey));
        expect(
                202,
                api.post("/v1/agents/unreachable/invoke-async").key(agentKey).body(message));
        for (int i = 1; i <= 3; i++) {
            String answer = system.invoke(
                    "InvocationWorkerFunction", TestSqs.event(system.sqs().messages()));
            assertThat(answer.contains("itemIdentifier"))
                    .as("the third attempt is the last one: " + answer)
                    .isEqualTo(i < 3);
        }
        expect(204, api.delete(credential).key(agentKey));
        expect(204, api.delete("/api/v1/agents/unreachable").key(agentKey));
        new CallsOfNewerAgents(system, agentKey).run();
    }

    private void workflowsAndPools() {
        String workflow = "agents:\n  r:\n    pool:\n      min_instances: 2\n    drain_timeout_seconds: 60\n";
        expect(201, api.put("/api/v1/workflows/w").key(ADMIN).body(workflow));
        expect(200, api.put("/api/v1/workflows/w").key(ADMIN).body(workflow));
        expect(200, api.get("/api/v1/workflows/w").key(ADMIN));
        expect(200, api.get("/api/v1/workflows").key(ADMIN));
        register("of-workflow", "\"role_id\":\"r\"");
        expect(200, api.get("/api/v1/pools").key(ADMIN));
        expect(200, api.get("/api/v1/pools/r").key(ADMIN));
        minute("worker");
        expect(204, api.delete("/api/v1/agents/of-workflow").key(agentKey));
        minute("worker");
        minute("worker");
        register("of-workflow-too", "\"role_id\":\"r\"");
        minute("worker");
        expect(204, api.delete("/api/v1/agents/of-workflow-too").key(agentKey));
        minute("worker");
        expect(204, api.delete("/api/v1/workflows/w").key(ADMIN));
    }

    private void leases() {
        register("holder", "\"capacity\":{\"max_concurrent_tasks\":2}");
        String kept = lease("holder", "kept", 86_400);
        String path = "/api/v1/intents/i/leases/" + kept;
        expect(200, api.patch(path).key(agentKey).body("{\"duration_seconds\":3600}"));
        long token = api.get("/api/v1/intents/i/leases")
                .key(agentKey)
                .send()
                .json()
                .path("leases")
                .get(0)
                .path("fencing_token")
                .asLong();
        expect(200, api.post(path + "/verify").key(agentKey).body("{\"fencing_token\":" + token + "}"));
        expect(200, api.get("/api/v1/agents/holder/leases").key(agentKey));
        expect(200, api.get("/api/v1/intents/i/events").key(agentKey));
        expect(
                200,
                api.post("/api/v1/intents/i/leases/" + lease("holder", "revoked", 60) + "/revoke")
                        .key(ADMIN));
        lease("holder", "short", 1);
        system.clock().advanceSeconds(4);
        lease("holder", "short", 1);
        lease("holder", "out", 1);
        minute("worker");
        expect(202, api.post("/api/v1/agents/holder/commands").key(ADMIN).body("{\"command\":\"drain\"}"));
        expect(204, api.delete("/api/v1/agents/holder/commands/drain").key(ADMIN));
        expect(202, api.post("/api/v1/agents/holder/commands").key(ADMIN).body("{\"command\":\"drain\"}"));
        expect(200, api.get("/api/v1/agents/holder/commands").key(agentKey));
        sendHeartbeat("holder", "active", ",\"current_load\":1");
        sendHeartbeat("holder", "draining", ",\"current_load\":0");
        expect(204, api.delete(path).key(agentKey));
        assertThat(status("holder")).isEqualTo("deregistered");
        register("leaving", "\"name\":\"n\"");
        lease("leaving", "left", 600);
        expect(204, api.delete("/api/v1/agents/leaving").key(agentKey));
        register("doomed", "\"name\":\"n\"");
        lease("doomed", "lost", 86_400);
    }

    private String lease(String agentId, String scope, int seconds) {
        Response granted = api.post("/api/v1/intents/i/leases")
                .key(agentKey)
                .body("{\"agent_id\":\"" + agentId + "\",\"scope\":\"" + scope + "\",\"duration_seconds\":" + seconds
                        + "}")
                .send();
        assertThat(granted.status()).as(granted.text()).isEqualTo(201);
        return granted.json().path("id").asText();
    }

    private void drains() {
        register("drain-late", "\"capacity\":{\"max_concurrent_tasks\":2}");
        sendHeartbeat("drain-late", "active", ",\"current_load\":1");
        expect(200, drain("drain-late", 30));
        register("drain-done", "\"capacity\":{\"max_concurrent_tasks\":2}");
        sendHeartbeat("drain-done", "active", ",\"current_load\":1");
        expect(200, drain("drain-done", 30));
        sendHeartbeat("drain-done", "draining", ",\"current_load\":0");
        register("drain-own", "\"name\":\"n\"");
        sendHeartbeat("drain-own", "draining", ",\"current_load\":1");
        for (int i = 0; i < 4; i++) {
            minute("worker");
        }
        assertThat(status("drain-late")).isEqualTo("dead");
        assertThat(status("drain-done")).isEqualTo("deregistered");
    }

    private void markingAsDeadAndReRegistration() {
        register("expiring", "\"role_id\":\"r\",\"capabilities\":[\"c1\"]");
        sendHeartbeat("expiring", "active", ",\"tasks_in_progress\":[\"t1\"]");
        minute("worker");
        minute("worker");
        assertThat(status("expiring")).isEqualTo("unhealthy");
        sendHeartbeat("expiring", "active", "");
        assertThat(status("expiring")).isEqualTo("active");
        for (int i = 0; i < 7; i++) {
            minute("worker");
        }
        assertThat(status("expiring")).isEqualTo("dead");
        expect(410, heartbeat("expiring", "active", ""));
        expect(201, registration("expiring", "\"role_id\":\"r2\",\"capabilities\":[\"c4\"]"));
        expect(204, api.delete("/api/v1/agents/expiring").key(agentKey));
    }

    private void revocation() {
        JsonNode key = key("agent");
        expect(201, api.post("/api/v1/agents").key(key.path("api_key").asText()).body("{\"agent_id\":\"of-revoked\"}"));
        String path = "/v1/admin/keys/" + key.path("key_id").asText();
        expect(200, api.patch(path).key(ADMIN).body("{\"name\":\"n\"}"));
        expect(200, api.post(path + "/rotate").key(ADMIN).body("{\"overlap_seconds\":0}"));
        minute("worker");
        expect(204, api.delete(path).key(ADMIN));
        minute("worker");
        String other = key("agent").path("key_id").asText();
        expect(200, api.put("/v1/admin/agents/of-revoked/owner").key(ADMIN).body("{\"key_id\":\"" + other + "\"}"));
    }

    private void blackout() {
        register(
                "silent",
                "\"heartbeat_config\":{\"interval_seconds\":5,\"unhealthy_after_seconds\":10,"
                        + "\"dead_after_seconds\":20}");
        system.publicApi().shut();
        minute("worker");
        assertThat(status("silent")).isEqualTo("active");
        system.publicApi().open();
        minute("worker");
        minute("worker");
        minute("worker");
        assertThat(status("silent")).isEqualTo("dead");
    }

    private void massSilence() {
        configure(1);
        sendHeartbeat("worker", "active", "");
        for (int i = 0; i < 8; i++) {
            system.clock().advanceSeconds(60);
            sweep();
        }
        // With 50 due agents, at least one shard goes to a worker if the passes are divided.
        for (int i = 0; i < 50; i++) {
            register("crowd-" + i, "");
        }
        measure();
        for (int i = 0; i < 50; i++) {
            expect(204, api.delete("/api/v1/agents/crowd-" + i).key(agentKey));
        }
        assertThat(status("worker")).isEqualTo("dead");
        register("late", "");
        minute("late");
    }

    private void archivingAndReRegistration() {
        for (int i = 0; i < 63; i++) {
            minute("late");
        }
        assertThat(system.tables()
                        .dynamoDb()
                        .scan(r -> r.tableName(TestTables.PULSES))
                        .items())
                .extracting(row -> row.get("id").s())
                .containsExactly("late");
        expect(410, heartbeat("worker", "active", ""));
        expect(200, api.get("/api/v1/agents/worker").key(agentKey));
        expect(204, api.delete("/api/v1/agents/worker").key(agentKey));
        expect(201, registration("expiring", "\"role_id\":\"r\",\"capabilities\":[\"c1\"]"));
        listings();
    }

    private void republishing() {
        system.clock().advanceSeconds(10);
        Instant from = system.clock().instant().minusSeconds(86_400);
        expect(
                200,
                api.post("/v1/admin/events/republish")
                        .key(key("administrator").path("api_key").asText())
                        .body("{\"from\":\"" + from + "\"}"));
    }

    private void notifications() {
        String rule = "/v1/admin/notifications/on-call";
        String target = "\"target\":{\"type\":\"email\",\"address\":\"on-call@example.com\"}";
        expect(201, api.put(rule).key(ADMIN).body("{\"events\":[\"agent.lifecycle\"]," + target + "}"));
        expect(200, api.post(rule + "/test").key(ADMIN));
        system.sns().confirm("on-call@example.com");
        expect(200, api.post(rule + "/test").key(ADMIN));
        expect(200, api.get("/v1/admin/notifications").key(ADMIN));
        String queue = system.function("NotificationFunction").environment().get("NOTIFICATION_QUEUE_URL");
        String event =
                "{\"detail-type\":\"agent.lifecycle\",\"detail\":{\"agent_id\":\"a\",\"new_status\":\"dead\",\"event_id\":\"e\","
                        + "\"timestamp\":\"" + system.clock().instant() + "\"}}";
        for (String body : new String[] {event, "unreadable"}) {
            system.sqs().client().sendMessage(r -> r.queueUrl(queue).messageBody(body));
        }
        system.clock().advanceSeconds(60);
        sweep();
        expect(204, api.delete(rule).key(ADMIN));
    }

    private void erasure() {
        String administrator = key("administrator").path("api_key").asText();
        register("erased", "\"capabilities\":[\"c1\"],\"role_id\":\"r\"");
        expect(200, api.put("/v1/admin/hosts/erased.example").key(ADMIN).body("{\"agent_id\":\"erased\"}"));
        expect(200, api.post("/v1/admin/agents/erased/block").key(ADMIN).body("{\"reason\":\"why\"}"));
        expect(409, api.delete("/v1/admin/agents/erased").key(administrator));
        expect(204, api.delete("/api/v1/agents/erased").key(agentKey));
        minute("late");
        // One id has only counters left.
        system.tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY)
                .item(Map.of("pk", AttributeValue.fromS("A#forgotten"), "sk", AttributeValue.fromS("G#00"))));
        for (String agent : new String[] {"erased", "worker", "forgotten"}) {
            expect(202, api.delete("/v1/admin/agents/" + agent).key(administrator));
            expect(404, api.get("/api/v1/agents/" + agent).key(ADMIN));
        }
        expect(409, registration("erased", ""));
        system.clock().advanceSeconds(120);
        expect(204, api.delete("/v1/admin/agents/erased").key(administrator));
        expect(201, registration("erased", ""));
    }

    /** Advances the clock by a minute, sends a heartbeat of the agent and sweeps. */
    private void minute(String active) {
        system.clock().advanceSeconds(60);
        sendHeartbeat(active, "active", "");
        sweep();
    }

    private void measure() {
        JsonNode numbers = Json.stored(system.invoke("MeasurementFunction", "{}"));
        assertThat(numbers.path("failed").asInt(-1)).as(numbers.toString()).isZero();
        assertThat(numbers.path("computed").asInt() + numbers.path("published").asInt())
                .as(numbers.toString())
                .isPositive();
    }

    private void sweep() {
        if (divided) {
            system.tables().dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                    .key(Map.of("pk", AttributeValue.fromS("SYSTEM"), "sk", AttributeValue.fromS("S")))
                    .updateExpression("SET fleet = :f")
                    .expressionAttributeValues(Map.of(":f", AttributeValue.fromN("3000"))));
        }
        JsonNode passes = Json.stored(system.invoke("SweepFunction", "{}"));
        passes.forEach(pass -> {
            assertThat(pass.path("failed").asInt()).as(passes.toString()).isZero();
            pass.fieldNames().forEachRemaining(name -> {
                if (pass.path(name).asLong() > 0) {
                    reportedActions.add(name);
                }
            });
        });
    }

    /** The names of the figures that were above 0 in any pass. */
    Set<String> reportedActions() {
        return Set.copyOf(reportedActions);
    }

    private JsonNode key(String role) {
        Response issued = api.post("/v1/admin/keys")
                .key(ADMIN)
                .body("{\"role\":\"" + role + "\",\"provider_ids\":[\"p\"]}")
                .send();
        assertThat(issued.status()).isEqualTo(201);
        return issued.json();
    }

    private void register(String agentId, String more) {
        expect(201, registration(agentId, more));
    }

    private Request registration(String agentId, String more) {
        return api.post("/api/v1/agents")
                .key(agentKey)
                .body("{\"agent_id\":\"" + agentId + "\"" + (more.isEmpty() ? "" : "," + more) + "}");
    }

    private Request drain(String agentId, int seconds) {
        return api.patch("/api/v1/agents/" + agentId + "/status")
                .key(agentKey)
                .header("if-match", "*")
                .body("{\"status\":\"draining\",\"drain_timeout_seconds\":" + seconds + "}");
    }

    private void sendHeartbeat(String agentId, String status, String more) {
        expect(200, heartbeat(agentId, status, more));
    }

    private Request heartbeat(String agentId, String status, String more) {
        return api.post("/api/v1/agents/" + agentId + "/heartbeat")
                .key(agentKey)
                .body("{\"status\":\"" + status + "\",\"client_timestamp\":\""
                        + system.clock().instant() + "\"" + more + "}");
    }

    private String status(String agentId) {
        return api.get("/api/v1/agents/" + agentId)
                .key(ADMIN)
                .send()
                .json()
                .path("status")
                .asText();
    }

    private static void expect(int status, Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
    }
}
