package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.ADMIN;
import static dev.agenthealth.functions.template.ScenarioClient.expect;

import dev.agenthealth.functions.registry.telemetry.TestSpans;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A scenario from the first registration to archiving that covers every storage path of every function: all routes, outcomes,
 * health, trust, recovery, drift, workflows, leases, drains, dead agents, clean-up, archiving, re-registration, revoked keys,
 * blackout, mass silence.
 */
final class Scenario {

    private final DeployedSystem system;
    private final TestApi api;
    private final ScenarioClient client;

    /**
     * @param divided whether the sweep divides its passes among workers
     */
    Scenario(DeployedSystem system, TestApi api, boolean divided) {
        this.system = system;
        this.api = api;
        this.client = new ScenarioClient(system, api, divided);
    }

    void run() {
        client.sweep();
        keysAndConfiguration();
        lifecycleOfOneAgent();
        outcomes();
        pings();
        telemetry();
        listings();
        health();
        trust();
        new InvocationScenario(system, api, client).run();
        new WorkScenario(system, api, client).run();
        new ContainmentScenario(system, api, client).run();
        new SilenceScenario(system, api, client).run();
        new SignInScenario(system, api).run();
        new ProbeScenario(system, client).run();
        new SignScenario(system, client).run();
        new SourceScenario(system, client).run();
        listings();
        republishing();
        notifications();
        erasure();
        silences();
    }

    private void keysAndConfiguration() {
        client.actAs(client.key("agent").path("api_key").asText());
        String coordinator = client.key("coordinator").path("api_key").asText();
        expect(200, api.get("/api/v1/agents").key(coordinator));
        expect(200, api.get("/v1/admin/keys").key(ADMIN));
        expect(200, api.get("/v1/admin/configuration").key(ADMIN));
        expect(200, api.get("/v1/admin/audit").key(ADMIN));
        client.configure(50);
        expect(200, api.get("/api/v1/ping"));
    }

    private void lifecycleOfOneAgent() {
        client.register(
                "worker",
                """
                        "role_id":"r","capabilities":["c1","c2"],"metadata":{"a":1},"provider_id":"p","platform":"f"\
                        """);
        expect(409, client.registration("worker", ""));
        client.sendHeartbeat("worker", "active", ",\"tasks_in_progress\":[\"t1\"]");
        expect(200, api.get("/api/v1/agents/worker").key(client.agentKey()));
        expect(
                200,
                api.patch("/api/v1/agents/worker")
                        .key(client.agentKey())
                        .header("if-match", "*")
                        .body("{\"capabilities\":[\"c2\",\"c3\"]}"));
        expect(
                200,
                api.post("/api/v1/agents/worker/heartbeat")
                        .key(client.agentKey())
                        .body("{\"status\":\"active\",\"client_timestamp\":\"2020-01-01T00:00:00Z\"}"));
        expect(
                200,
                api.post("/api/v1/heartbeats")
                        .key(client.agentKey())
                        .body("{\"heartbeats\":[{\"agent_id\":\"worker\",\"status\":\"active\",\"client_timestamp\":\""
                                + system.clock().instant() + "\"}]}"));
        expect(401, client.heartbeat("worker", "active", "").key("unknown-key"));
        expect(404, client.heartbeat("unknown", "active", ""));
        system.clock().advanceSeconds(10);
        expect(200, api.get("/api/v1/agents/worker/events").key(client.agentKey()));
        client.register("peer", "");
        // The first page token makes the key.
        expect(200, api.get("/v1/trust/agents").key(ADMIN).query("limit", "1"));
        expect(200, api.get("/api/v1/events").key(ADMIN));
    }

    private void outcomes() {
        String untimed =
                """
                "batch_id":"b%d","outcomes":[{"result":"success","latency_ms":12}]\
                """;
        for (int i = 0; i < 2; i++) {
            expect(
                    202,
                    api.post("/api/v1/agents/worker/outcomes")
                            .key(client.agentKey())
                            .body("{" + untimed.formatted(1) + "}"));
            client.sendHeartbeat("worker", "active", "," + untimed.formatted(2));
        }
    }

    /** A run that failed, and one that succeeded. */
    private void pings() {
        String address = api.post("/api/v1/agents/worker/ping-url")
                .key(client.agentKey())
                .send()
                .json()
                .path("ping_url")
                .asText();
        String ping = address.substring(address.indexOf("/p/"));
        expect(200, api.get(ping + "/fail"));
        expect(200, api.get(ping));
        expect(204, api.delete("/api/v1/agents/worker/ping-url").key(client.agentKey()));
    }

    /** With names that are mapped, that register an agent, and that do neither. */
    private void telemetry() {
        String mappings = "/api/v1/telemetry/mappings";
        expect(
                200,
                api.put(mappings).key(client.agentKey()).body("{\"service_name\":\"shop\",\"agent_id\":\"worker\"}"));
        expect(200, api.get(mappings).key(client.agentKey()));
        spans("shop");
        spans("shop");
        spans("other");
        evaluations("other");
        expect(200, api.put("/api/v1/telemetry/settings").key(client.agentKey()).body("{\"auto_register\":true}"));
        spans("other");
        String mapped = api.get(mappings)
                .key(client.agentKey())
                .send()
                .json()
                .at("/mappings/0/mapping_id")
                .asText();
        expect(204, api.delete(mappings + "/" + mapped).key(client.agentKey()));
    }

    private void spans(String service) {
        expect(
                200,
                api.post("/v1/otlp/v1/traces")
                        .key(client.agentKey())
                        .header("content-type", "application/json")
                        .body(TestSpans.json(
                                service, TestSpans.span(1, system.clock().instant(), "Planner"))));
    }

    private void evaluations(String service) {
        expect(
                200,
                api.post("/v1/otlp/v1/logs")
                        .key(client.agentKey())
                        .header("content-type", "application/json")
                        .body(TestSpans.evaluation(service, system.clock().instant())));
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
        expect(200, api.get(document).key(client.agentKey()));
        expect(404, api.get("/agents/unknown/.well-known/agent-health"));
        expect(200, api.put("/v1/admin/hosts/worker.example").key(ADMIN).body("{\"agent_id\":\"worker\"}"));
        expect(200, api.get("/v1/admin/hosts").key(ADMIN));
        expect(200, api.get("/.well-known/agent-health").domain("worker.example"));
        expect(204, api.delete("/v1/admin/hosts/worker.example").key(ADMIN));
        expect(200, api.get("/.well-known/agent-health").domain("worker.example"));
        String status = "/api/v1/status-page";
        expect(200, api.get(status).key(ADMIN));
        expect(
                200,
                api.put(status)
                        .key(ADMIN)
                        .body(
                                "{\"path\":\"acme\",\"title\":\"Acme\",\"published\":true,\"entries\":["
                                        + "{\"name\":\"w\",\"label\":\"W\",\"agent_id\":\"worker\"},{\"name\":\"r\",\"label\":\"R\",\"role_id\":\"r\"}]}"));
        expect(
                200,
                api.put(status + "/incidents/slow").key(ADMIN).body("{\"title\":\"Slow\",\"state\":\"identified\"}"));
        expect(204, api.delete(status + "/incidents/slow").key(ADMIN));
        String exported = api.get("/v1/admin/export").key(ADMIN).send().text();
        expect(200, api.post("/v1/admin/import").key(ADMIN).body(exported));
        expect(200, api.get("/status/acme"));
        expect(200, api.get("/status/acme/summary"));
        expect(200, api.get("/status/acme/badges/w"));
        expect(404, api.get("/agents/worker/.well-known/agent.json"));
        client.register("callable", "\"endpoint\":\"https://callable.example\"");
        expect(200, api.get("/agents/callable/.well-known/agent.json"));
        expect(200, api.get("/agents/callable/.well-known/agent-card.json"));
        expect(204, api.delete("/api/v1/agents/callable").key(client.agentKey()));
        expect(200, api.get("/api/v1/agents/worker/health").key(client.agentKey()));
        expect(200, api.get("/api/v1/agents/worker/health/history").key(client.agentKey()));
        expect(
                200,
                api.get("/api/v1/agents/worker/availability")
                        .query("window", "90d")
                        .key(client.agentKey()));
        expect(404, api.get("/api/v1/pools/none/availability").key(ADMIN));
        expect(200, api.get("/api/v1/health/availability").key(ADMIN));
        expect(200, api.get("/api/v1/health/history").key(ADMIN));
        expect(200, api.get("/api/v1/usage").query("by", "role").key(ADMIN));
        expect(
                200,
                api.get("/api/v1/usage")
                        .query("by", "agent")
                        .query("agent_id", "worker")
                        .key(ADMIN));
        expect(200, api.get("/api/v1/calls").query("agent_id", "worker").key(ADMIN));
        client.measure();
        expect(200, api.get("/api/v1/health").key(ADMIN));
    }

    private void trust() {
        expect(
                202,
                api.post("/api/v1/agents/worker/outcomes")
                        .key(ADMIN)
                        .body(
                                """
                                {"batch_id":"b","outcomes":[{"result":"success"}]}\
                                """));
        for (String kind : new String[] {"trust", "health"}) {
            expect(200, api.get("/v1/" + kind + "/agents").key(ADMIN));
            expect(200, api.get("/v1/" + kind + "/agents/worker").key(client.agentKey()));
            expect(200, api.get("/v1/" + kind + "/providers").key(ADMIN));
            expect(200, api.get("/v1/" + kind + "/providers/p").key(ADMIN));
        }
        for (String whom : new String[] {"agents/worker", "providers/p"}) {
            expect(200, api.post("/v1/admin/" + whom + "/block").key(ADMIN).body("{\"reason\":\"why\"}"));
            expect(200, api.post("/v1/admin/" + whom + "/unblock").key(ADMIN));
        }
        stops();
    }

    private void stops() {
        for (String whom : new String[] {
            "agent_id worker",
            "role_id r",
            "key_id " + client.key("agent").path("key_id").asText()
        }) {
            String[] named = whom.split(" ");
            expect(
                    200,
                    api.post("/v1/admin/stop")
                            .key(ADMIN)
                            .body("{\"" + named[0] + "\":\"" + named[1] + "\",\"reason\":\"why\"}"));
            expect(200, api.delete("/v1/admin/stop").query(named[0], named[1]).key(ADMIN));
        }
        expect(200, api.post("/v1/admin/stop").key(ADMIN).body("{\"all\":true,\"reason\":\"why\"}"));
        expect(200, api.get("/v1/admin/stop").key(ADMIN));
        expect(200, api.delete("/v1/admin/stop").query("all", "true").key(ADMIN));
    }

    private void republishing() {
        system.clock().advanceSeconds(10);
        Instant from = system.clock().instant().minusSeconds(86_400);
        expect(
                200,
                api.post("/v1/admin/events/republish")
                        .key(client.key("administrator").path("api_key").asText())
                        .body("{\"from\":\"" + from + "\"}"));
    }

    /**
     * The agent has more capabilities than fit into its row. What happens to it is deferred, and given to the rules when the silence is gone; one for its capability
     * lasts.
     */
    private void silences() {
        String own = "/api/v1/silences/deployment";
        String capabilities = IntStream.range(0, 9)
                .mapToObj(i -> "\"" + "c".repeat(60) + i + "\"")
                .collect(Collectors.joining(","));
        client.register("silenced", "\"capabilities\":[" + capabilities + "]");
        String body = "{\"scope\":{\"agent_id\":\"silenced\"},\"for_seconds\":600}";
        for (int status : new int[] {201, 200}) {
            expect(status, api.put(own).key(client.agentKey()).body(body));
        }
        expect(200, api.get(own).key(client.agentKey()));
        expect(200, api.get("/v1/admin/silences").key(ADMIN));
        String queue = system.function("NotificationFunction").environment().get("NOTIFICATION_QUEUE_URL");
        String event =
                "{\"detail-type\":\"agent.lifecycle\",\"detail\":{\"agent_id\":\"silenced\",\"new_status\":\"dead\",\"event_id\":\"s\","
                        + "\"severity\":\"error\",\"timestamp\":\""
                        + system.clock().instant() + "\"}}";
        system.sqs().client().sendMessage(r -> r.queueUrl(queue).messageBody(event));
        client.sweep();
        expect(204, api.delete(own).key(client.agentKey()));
        client.sweep();
        expect(
                201,
                api.put("/v1/admin/silences/lasting")
                        .key(ADMIN)
                        .body("{\"scope\":{\"capability\":\"" + "c".repeat(60) + "0\"},\"for_seconds\":600000}"));
        system.clock().advanceSeconds(15);
    }

    private void notifications() {
        String rule = "/v1/admin/notifications/on-call";
        String target =
                """
                "target":{"type":"email","address":"on-call@example.com"}\
                """;
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
        client.sweep();
        expect(204, api.delete(rule).key(ADMIN));
        problems();
    }

    /** The problem of the event that the rule reported, and others that its agent never had. */
    private void problems() {
        String problem = "/api/v1/problems/" + ProblemId.of("agent:a");
        expect(200, api.get("/api/v1/problems").key(ADMIN).query("state", "all"));
        expect(200, api.get("/api/v1/problems").key(client.agentKey()));
        expect(200, api.get(problem).key(ADMIN));
        expect(404, api.get(problem).key(client.agentKey()));
        expect(200, api.post(problem + "/acknowledge").key(ADMIN));
        expect(200, api.post(problem + "/dismiss").key(ADMIN));
    }

    private void erasure() {
        String administrator = client.key("administrator").path("api_key").asText();
        client.register("erased", "\"capabilities\":[\"c1\"],\"role_id\":\"r\"");
        expect(200, api.put("/v1/admin/hosts/erased.example").key(ADMIN).body("{\"agent_id\":\"erased\"}"));
        expect(200, api.post("/v1/admin/agents/erased/block").key(ADMIN).body("{\"reason\":\"why\"}"));
        expect(409, api.delete("/v1/admin/agents/erased").key(administrator));
        expect(204, api.delete("/api/v1/agents/erased").key(client.agentKey()));
        client.minute("late");
        // Of an archived agent.
        expect(200, api.put("/v1/agents/callable/credential").key(ADMIN).body("{\"bearer_token\":\"t\"}"));
        expect(204, api.delete("/v1/agents/callable/credential").key(ADMIN));
        // One id has only counters left.
        system.tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY)
                .item(Map.of("pk", AttributeValue.fromS("A#forgotten"), "sk", AttributeValue.fromS("G#00"))));
        for (String agent : new String[] {"erased", "worker", "forgotten"}) {
            expect(202, api.delete("/v1/admin/agents/" + agent).key(administrator));
            expect(404, api.get("/api/v1/agents/" + agent).key(ADMIN));
        }
        expect(409, client.registration("erased", ""));
        system.clock().advanceSeconds(120);
        expect(204, api.delete("/v1/admin/agents/erased").key(administrator));
        expect(201, client.registration("erased", ""));
    }

    /** The names of the figures that were above 0 in any pass. */
    Set<String> reportedActions() {
        return client.reportedActions();
    }
}
