package dev.agenthealth.functions.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.NotificationFunction;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.keys.AdministratorKeyStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.model.registry.declaration.DeclarationState;
import dev.agenthealth.model.registry.declaration.DeclaredParts;
import dev.agenthealth.model.registry.profile.ModelInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Every route that changes something writes an entry, once, or stands in the list of exceptions. */
class AuditedRoutesTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String AGENT = TestSystem.AGENT_KEY;

    /** Routes that are not audited, each with its reason. */
    private static final Map<String, Set<String>> EXCEPTIONS = Map.of(
            "what agents send all the time",
            Set.of(
                    "POST /api/v1/agents/{agent_id}/heartbeat",
                    "POST /api/v1/heartbeats",
                    "POST /openintent/api/v1/agents/{agent_id}/heartbeat",
                    "POST /api/v1/agents/{agent_id}/outcomes",
                    "POST /v1/otlp/v1/traces",
                    "POST /v1/otlp/v1/logs",
                    "POST /p/{token}",
                    "POST /p/{token}/{signal}"),
            "leases have a log of their own",
            Set.of(
                    "POST /api/v1/intents/{intent_id}/leases",
                    "PATCH /api/v1/intents/{intent_id}/leases/{lease_id}",
                    "DELETE /api/v1/intents/{intent_id}/leases/{lease_id}",
                    "POST /api/v1/intents/{intent_id}/leases/{lease_id}/verify",
                    "POST /api/v1/intents/{intent_id}/leases/{lease_id}/revoke",
                    "POST /openintent/api/v1/intents/{intent_id}/leases",
                    "PATCH /openintent/api/v1/intents/{intent_id}/leases/{lease_id}",
                    "DELETE /openintent/api/v1/intents/{intent_id}/leases/{lease_id}"),
            "invocations have receipts",
            Set.of(
                    "POST /v1/agents/{agent_id}/invoke",
                    "POST /v1/agents/{agent_id}/invoke-async",
                    "POST /a2a/agents/{agent_id}",
                    "POST /a2a/agents/{agent_id}/{operation}",
                    "POST /a2a/agents/{agent_id}/tasks/{task}"),
            "receivers of notifications belong to tasks",
            Set.of(
                    "POST /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs",
                    "DELETE /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs/{config_id}",
                    "POST /a2a/agents/{agent_id}/notifications/{push_id}"),
            "a tool changes something by a service that is audited",
            Set.of("POST /mcp"),
            "nothing changes",
            Set.of(
                    "POST /search",
                    "POST /api/v1/sign-in/{name}/token",
                    "POST /api/v1/sign-in/{name}/device",
                    "POST /api/v1/sign-in/{name}/revoke",
                    "POST /v1/admin/events/republish",
                    "POST /v1/admin/notifications/{name}/test"),
            "the source acts, and its definition is audited",
            Set.of("POST /v1/admin/sources/{name}/sync"));

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final Set<String> audited = new HashSet<>();

    @Test
    void every_route_that_changes_something_is_audited() {
        keys();
        agents();
        declaration();
        ofOperators();
        problems();
        ends();
        Set<String> changing = system.api().routes().stream()
                .map(Route::key)
                .filter(key -> !key.startsWith("GET ") && !key.startsWith("HEAD "))
                .collect(Collectors.toSet());
        EXCEPTIONS.values().forEach(routes -> {
            assertThat(changing).containsAll(routes);
            changing.removeAll(routes);
        });
        assertThat(audited).containsExactlyInAnyOrderElementsOf(changing);
    }

    private void keys() {
        String keys = "POST /v1/admin/keys";
        String key = changes(keys, ADMIN, "key.issued", "{\"role\":\"agent\",\"name\":\"one\"}")
                .json()
                .path("key_id")
                .asText();
        changes("PATCH /v1/admin/keys/{key_id}", ADMIN, "key.changed", "{\"name\":\"two\"}", key);
        changes("POST /v1/admin/keys/{key_id}/rotate", ADMIN, "key.rotated", "{}", key);
        changes("DELETE /v1/admin/keys/{key_id}", ADMIN, "key.revoked", null, key);
    }

    private void agents() {
        changes(
                "POST /api/v1/agents",
                AGENT,
                "agent.registered",
                "{\"agent_id\":\"a\",\"endpoint\":\"https://a.example/\"}");
        changes("POST /openintent/api/v1/agents/register", AGENT, "agent.registered", "{\"agent_id\":\"o\"}");
        String agent = "/api/v1/agents/{agent_id}";
        JsonNode entry = changed(
                "PATCH " + agent, AGENT, "agent.updated", "{\"name\":\"Renamed\",\"kind\":\"mcp_server\"}", "a");
        assertThat(entry.path("after").toString()).isEqualTo("{\"kind\":\"mcp_server\",\"name\":\"changed\"}");
        assertThat(entry.path("author").path("id").asText()).isEqualTo(TestSystem.keyId(AGENT));
        changes("POST " + agent + "/commands", ADMIN, "agent.command_queued", "{\"command\":\"drain\"}", "a");
        changes("DELETE " + agent + "/commands/drain", ADMIN, "agent.command_withdrawn", null, "a");
        changes("POST " + agent + "/ping-url", AGENT, "agent.ping_url_issued", null, "a");
        changes("DELETE " + agent + "/ping-url", AGENT, "agent.ping_url_revoked", null, "a");
        String credential = "/v1/agents/{agent_id}/credential";
        changes("PUT " + credential, AGENT, "agent.credential_set", "{\"bearer_token\":\"hidden\"}", "a");
        changes("DELETE " + credential, AGENT, "agent.credential_removed", null, "a");
        String mappings = "/api/v1/telemetry/mappings";
        String mapping = changes(
                        "PUT " + mappings, AGENT, "mapping.written", "{\"service_name\":\"s\",\"agent_id\":\"a\"}")
                .json()
                .path("mapping_id")
                .asText();
        changes("DELETE " + mappings + "/{mapping_id}", AGENT, "mapping.deleted", null, mapping);
        changes("PUT /api/v1/telemetry/settings", AGENT, "telemetry_settings.changed", "{\"auto_register\":true}");
        String silence =
                """
                {"scope":{"agent_id":"a"},"for_seconds":600,"reason":"r"}\
                """;
        changes("PUT /api/v1/silences/{name}", AGENT, "silence.written", silence, "mine");
        changes("DELETE /api/v1/silences/{name}", AGENT, "silence.deleted", null, "mine");
    }

    private void declaration() {
        DeclarationState accepted = DeclarationState.NONE;
        for (String hash : List.of("1", "2")) {
            DeclarationState observed = accepted.observed(
                    DeclarationKind.TOOLS,
                    DeclaredParts.of(Map.of("tool:t", List.of(hash))),
                    ModelInfo.UNKNOWN,
                    system.clock().instant());
            assertThat(new DeclarationStore(system.database())
                            .write(
                                    new AgentStore(system.database())
                                            .find("a")
                                            .orElseThrow()
                                            .pulse(),
                                    false,
                                    "",
                                    new DeclarationChange(accepted, observed)))
                    .isTrue();
            accepted = observed;
        }
        changes(
                "POST /api/v1/agents/{agent_id}/declaration/accept",
                ADMIN,
                "agent.declaration_accepted",
                "{\"digest\":\"" + accepted.present().digest() + "\"}",
                "a");
    }

    private void ofOperators() {
        JsonNode configuration =
                request("GET", "/v1/admin/configuration", ADMIN).send().json();
        changes(
                "PUT /v1/admin/configuration",
                ADMIN,
                "configuration.changed",
                configuration.toString().replace("\"public_catalogue\":false", "\"public_catalogue\":true"));
        changes("PUT /v1/admin/hosts/{host}", ADMIN, "host.mapped", "{\"agent_id\":\"a\"}", "a.example");
        changes("DELETE /v1/admin/hosts/{host}", ADMIN, "host.unmapped", null, "a.example");
        changes(
                "PUT /api/v1/status-page",
                ADMIN,
                "status_page.written",
                "{\"path\":\"acme\",\"title\":\"Acme\",\"published\":true}");
        String incident = " /api/v1/status-page/incidents/{incident_id}";
        changes(
                "PUT" + incident,
                TestSystem.COORDINATOR_KEY,
                "status_page.incident_written",
                "{\"title\":\"Slow\",\"state\":\"identified\"}",
                "slow");
        changes("DELETE" + incident, TestSystem.COORDINATOR_KEY, "status_page.incident_removed", null, "slow");
        for (String subject : List.of("agents/{agent_id}", "providers/{provider_id}")) {
            String type = subject.substring(0, subject.indexOf('s'));
            changes("POST /v1/admin/" + subject + "/block", ADMIN, type + ".blocked", "{\"reason\":\"r\"}", "a");
            changes("POST /v1/admin/" + subject + "/unblock", ADMIN, type + ".unblocked", null, "a");
        }
        changes(
                "PUT /v1/admin/containment/{name}",
                ADMIN,
                "containment.written",
                "{\"when\":{\"reasons\":[\"looping\"]},\"action\":\"block\"}",
                "runaway");
        changes("DELETE /v1/admin/containment/{name}", ADMIN, "containment.deleted", null, "runaway");
        changes("POST /v1/admin/stop", ADMIN, "stop.begun", "{\"role_id\":\"r\",\"reason\":\"hidden\"}");
        changes("DELETE /v1/admin/stop", ADMIN, "stop.lifted", null);
        changes(
                "PUT /api/v1/workflows/{name}",
                TestSystem.COORDINATOR_KEY,
                "workflow.written",
                "agents:\n  worker:\n    role_id: r\n",
                "w");
        changes("DELETE /api/v1/workflows/{name}", TestSystem.COORDINATOR_KEY, "workflow.deleted", null, "w");
        String silence =
                """
                {"scope":{"everything":true},"for_seconds":600,"reason":"r"}\
                """;
        changes("PUT /v1/admin/silences/{name}", ADMIN, "silence.written", silence, "all");
        changes("DELETE /v1/admin/silences/{name}", ADMIN, "silence.deleted", null, "all");
        changes(
                "PUT /v1/admin/notifications/{name}",
                ADMIN,
                "notification.written",
                """
                        {"events":["agent.lifecycle"],"target":{"type":"webhook","url":"https://hooks.example/x"}}\
                        """,
                "n");
        changes(
                "POST /v1/admin/import",
                ADMIN,
                "notification.written",
                """
                        {"format":"agent-health-configuration","version":1,
                         "notifications":[{"name":"n","events":["agent.health"],"target":{"type":"slack"}}]}\
                        """);
        changes("DELETE /v1/admin/notifications/{name}", ADMIN, "notification.deleted", null, "n");
        new AdministratorKeyStore(system.database()).switchOff(KeyHash.ofKey("another"));
        changes("PUT /v1/admin/administrator-key", ADMIN, "administrator_key.changed", "{\"enabled\":true}");
        String provider =
                """
                {"issuer":"https://id.example/","audiences":["a"],"grants":[{"claim":"groups","value":"ops",\
                "role":"administrator"}]}\
                """;
        JsonNode written =
                changed("PUT /v1/admin/identity-providers/{name}", ADMIN, "identity_provider.written", provider, "p");
        assertThat(written.at("/after/grants.0.role").asText()).isEqualTo("administrator");
        changes("DELETE /v1/admin/identity-providers/{name}", ADMIN, "identity_provider.deleted", null, "p");
        String source = "{\"url\":\"https://sources.example/?token=hidden\",\"key_id\":\"%s\"}"
                .formatted(TestSystem.keyId(AGENT));
        changes("PUT /v1/admin/sources/{name}", ADMIN, "source.written", source, "s");
        changes("DELETE /v1/admin/sources/{name}", ADMIN, "source.deleted", null, "s");
    }

    private void problems() {
        String event =
                """
                {"source":"agent-health","detail-type":"agent.declaration_changed","detail":{"type":"agent.declaration_changed",
                 "agent_id":"a","event_id":"e","timestamp":"%s","sequence":9,"added":["tool:t"]}}
                """
                        .formatted(system.clock().instant());
        system.sqs().client().sendMessage(r -> r.queueUrl(TestSystem.NOTIFICATIONS.get("NOTIFICATION_QUEUE_URL"))
                .messageBody(event));
        new NotificationFunction(system.wiring(TestSystem.NOTIFICATIONS)).handleRequest(Map.of(), null);
        String problem = ProblemId.of("agent.declaration_changed:a");
        changes("POST /api/v1/problems/{problem_id}/acknowledge", ADMIN, "problem.acknowledged", "{}", problem);
        changes("POST /api/v1/problems/{problem_id}/dismiss", ADMIN, "problem.dismissed", "{}", problem);
    }

    private void ends() {
        TestAgent.registered(system, "b");
        system.clock().advanceSeconds(1);
        String status = "{\"status\":\"draining\"}";
        changes("PATCH /openintent/api/v1/agents/{agent_id}/status", AGENT, "agent.status_changed", status, "o");
        changes("PATCH /api/v1/agents/{agent_id}/status", AGENT, "agent.status_changed", status, "b");
        changes(
                "PUT /v1/admin/agents/{agent_id}/owner",
                ADMIN,
                "agent.owner_changed",
                "{\"key_id\":\"" + TestSystem.keyId(TestSystem.OTHER_AGENT_KEY) + "\"}",
                "a");
        changes("DELETE /api/v1/agents/{agent_id}", ADMIN, "agent.status_changed", null, "a");
        new TestAgent(system, "a").finishCleanUp();
        changes("DELETE /v1/admin/agents/{agent_id}", ADMIN, "agent.erased", null, "a");
    }

    private Response changes(String route, String key, String action, String body, String... ids) {
        String[] parts = route.split(" ");
        String path = parts[1];
        for (String id : ids) {
            path = path.replaceFirst("\\{\\w+}", id);
        }
        Request request = request(parts[0], path, key).header("if-match", "*");
        if (path.startsWith("/api/v1/workflows") && parts[0].equals("PUT")) {
            request = request(parts[0], path, key);
        }
        if (route.equals("DELETE /v1/admin/stop")) {
            request.query("role_id", "r");
        }
        int before = entries().size();
        Response response = (body == null ? request : request.body(body)).send();
        assertThat(response.status()).as("%s %s", route, response.text()).isBetween(200, 204);
        JsonNode after = entries();
        assertThat(after).as("entries after %s", route).hasSize(before + 1);
        assertThat(after.get(0).path("action").asText()).isEqualTo(action);
        assertThat(after.toString()).doesNotContain("hidden");
        audited.add(route);
        system.clock().advanceSeconds(1);
        return response;
    }

    private JsonNode changed(String route, String key, String action, String body, String... ids) {
        changes(route, key, action, body, ids);
        return entries().get(0);
    }

    private JsonNode entries() {
        return request("GET", "/v1/admin/audit", ADMIN).send().json().path("entries");
    }

    private Request request(String method, String path, String key) {
        return system.api().request(method, path).key(key);
    }
}
