package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent card lists the health document as a capability in both formats of A2A (Agent Health State §5.1). */
@Tag("AHS-12")
class AgentCardTest {

    private static final String ENDPOINT = ",\"endpoint\":\"https://agent.example.com/a2a\"";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestAgent agent = new TestAgent(system, "a");

    @Test
    void the_format_of_version_0_3_has_every_required_field() {
        register(ENDPOINT + ",\"name\":\"Biller\"");
        assertThat(withoutVersion(card("agent.json")))
                .isEqualTo(
                        Json.stored(
                                """
                                {"protocolVersion":"0.3.0","name":"Biller",
                                 "description":"An agent with the capabilities test.",
                                 "url":"https://agent.example.com/a2a","preferredTransport":"JSONRPC",
                                 "capabilities":{"extensions":[
                                  {"uri":"https://datatracker.ietf.org/doc/draft-liang-agent-health-state/",
                                   "description":"Says whether this agent is working as declared.","required":false,
                                   "params":{"url":"https://registry.example.com/agents/a/.well-known/agent-health"}}]},
                                 "defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
                                 "skills":[{"id":"test","name":"test","description":"The agent declares the capability test.",
                                  "tags":["test"]}]}
                                """));
    }

    @Test
    void the_format_of_version_1_0_has_every_required_field_and_the_endpoint_for_clients_of_version_0_3() {
        register(ENDPOINT + ",\"name\":\"Biller\"");
        assertThat(withoutVersion(card("agent-card.json")))
                .isEqualTo(
                        Json.stored(
                                """
                                {"name":"Biller","description":"An agent with the capabilities test.",
                                 "supportedInterfaces":[{"url":"https://agent.example.com/a2a","protocolBinding":"JSONRPC",
                                  "protocolVersion":"0.3"}],
                                 "protocolVersion":"0.3.0","url":"https://agent.example.com/a2a","preferredTransport":"JSONRPC",
                                 "capabilities":{"extensions":[
                                  {"uri":"https://datatracker.ietf.org/doc/draft-liang-agent-health-state/",
                                   "description":"Says whether this agent is working as declared.","required":false,
                                   "params":{"url":"https://registry.example.com/agents/a/.well-known/agent-health"}}]},
                                 "defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
                                 "skills":[{"id":"test","name":"test","description":"The agent declares the capability test.",
                                  "tags":["test"]}]}
                                """));
    }

    @Test
    void a_card_via_the_gateway_leads_there_in_both_versions_and_requires_a_key() {
        register(ENDPOINT + ",\"name\":\"Biller\"");
        JsonNode newer = viaGateway("agent-card.json");
        assertThat(newer.path("supportedInterfaces"))
                .isEqualTo(
                        Json.stored(
                                """
                                [{"url":"https://registry.example.com/a2a/agents/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"},
                                 {"url":"https://registry.example.com/a2a/agents/a","protocolBinding":"JSONRPC","protocolVersion":"0.3"},
                                 {"url":"https://registry.example.com/a2a/agents/a","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]
                                """));
        assertThat(newer.path("securityRequirements").get(0))
                .isEqualTo(Json.stored("{\"schemes\":{\"bearer\":{\"list\":[]}}}"));
        JsonNode older = viaGateway("agent.json");
        assertThat(newer.path("securitySchemes").path("bearer").path("httpAuthSecurityScheme"))
                .isEqualTo(Json.stored("{\"scheme\":\"Bearer\"}"));
        for (JsonNode card : List.of(newer, older)) {
            assertThat(card.path("url").asText()).isEqualTo("https://registry.example.com/a2a/agents/a");
            assertThat(card.path("protocolVersion").asText()).isEqualTo("0.3.0");
            assertThat(card.path("preferredTransport").asText()).isEqualTo("JSONRPC");
            assertThat(card.path("security").get(0)).isEqualTo(Json.stored("{\"bearer\":[]}"));
            assertThat(card.path("securitySchemes").path("bearer").path("type").asText())
                    .isEqualTo("http");
            assertThat(card.path("capabilities").path("streaming").asBoolean(true))
                    .isFalse();
            assertThat(card.path("capabilities").path("pushNotifications").asBoolean(true))
                    .isFalse();
            assertThat(card.path("securitySchemes").path("apiKey").isObject()).isTrue();
            assertThat(card.has("signatures")).isFalse();
            assertThat(card.toString()).doesNotContain("agent.example.com");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent.json", "agent-card.json"})
    void a_card_via_something_else_is_refused(String file) {
        register(ENDPOINT);
        assertThat(request(file).query("via", "proxy").send().status()).isEqualTo(400);
    }

    private JsonNode viaGateway(String file) {
        Response response = request(file).query("via", "gateway").send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    @Test
    @Tag("SN-07")
    void a_card_contains_the_agent_s_protocol_version() {
        register(ENDPOINT + ",\"a2a_version\":\"1.0\"");
        assertThat(card("agent.json").path("protocolVersion").asText()).isEqualTo("1.0.0");
        assertThat(card("agent-card.json").findPath("protocolVersion").asText()).isEqualTo("1.0");
        assertThat(card("agent-card.json").has("url")).isFalse();
    }

    @Test
    void a_card_contains_the_agent_s_binding() {
        register(ENDPOINT + ",\"a2a_binding\":\"HTTP+JSON\"");
        assertThat(card("agent.json").path("preferredTransport").asText()).isEqualTo("HTTP+JSON");
        assertThat(card("agent-card.json").path("preferredTransport").asText()).isEqualTo("HTTP+JSON");
        assertThat(card("agent-card.json")
                        .at("/supportedInterfaces/0/protocolBinding")
                        .asText())
                .isEqualTo("HTTP+JSON");
    }

    @Test
    void a_card_names_the_tenant_unless_it_leads_to_the_gateway() {
        register(ENDPOINT + ",\"a2a_tenant\":\"acme/eu\"");
        assertThat(card("agent-card.json").at("/supportedInterfaces/0/tenant").asText())
                .isEqualTo("acme/eu");
        assertThat(viaGateway("agent-card.json").toString()).doesNotContain("acme");
    }

    @Test
    @Tag("AHS-01")
    void the_health_document_names_the_card_that_the_registry_serves_where_an_endpoint_is_declared() {
        register(ENDPOINT);
        JsonNode document = system.api()
                .get("/agents/a/.well-known/agent-health")
                .domain("registry.example.com")
                .send()
                .json();
        String url = document.path("agent_id").asText();
        assertThat(url).isEqualTo("https://registry.example.com/agents/a/.well-known/agent-card.json");
        assertThat(system.api()
                        .get(url.substring("https://registry.example.com".length()))
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(document.at("/extensions/dev.agenthealth.agent_id").asText()).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent.json", "agent-card.json"})
    void the_card_contains_the_url_of_the_health_document(String file) {
        register(ENDPOINT);
        String url = card(file)
                .path("capabilities")
                .path("extensions")
                .path(0)
                .path("params")
                .path("url")
                .asText();
        assertThat(url).startsWith("https://registry.example.com/");
        Response document = system.api()
                .get(url.substring("https://registry.example.com".length()))
                .send();
        assertThat(document.json().at("/extensions/dev.agenthealth.agent_id").asText())
                .isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent.json", "agent-card.json"})
    void the_id_replaces_a_missing_name_and_the_name_of_a_personal_agent(String file) {
        register(ENDPOINT + ",\"name\":\"Jane's helper\",\"personal\":true");
        assertThat(card(file).path("name").asText()).isEqualTo("a");
        assertThat(request(file).send().text())
                .doesNotContain("Jane")
                .as("the address of a personal agent may name its person")
                .doesNotContain("agent.example.com")
                .contains("/a2a/agents/a");
        agent.deregister();
        assertThat(agent.register(ENDPOINT).status()).isEqualTo(201);
        assertThat(card(file).path("name").asText()).isEqualTo("a");
    }

    @Test
    void an_agent_without_capabilities_has_no_skills() {
        register(ENDPOINT);
        change("\"capabilities\":[]");
        JsonNode card = card("agent.json");
        assertThat(card.path("skills")).isEmpty();
        assertThat(card.path("description").asText()).isEqualTo("An agent that declares no capabilities.");
    }

    @Test
    void the_version_changes_with_the_contents_and_is_the_same_in_both_formats() {
        register(ENDPOINT + ",\"name\":\"Biller\"");
        Set<String> versions = new HashSet<>(Set.of(version()));
        for (String change : List.of(
                "\"name\":\"Payer\"",
                "\"endpoint\":\"https://agent.example.com/a2a/v2\"",
                "\"a2a_version\":\"1.0\"",
                "\"a2a_binding\":\"HTTP+JSON\"",
                "\"a2a_tenant\":\"acme\"",
                "\"capabilities\":[\"test\",\"more\"]")) {
            change(change);
            assertThat(versions.add(version())).as(change).isTrue();
        }
        String version = version();
        change(
                """
                "metadata":{"a":1},"platform":"p","capacity":{"max_concurrent_tasks":9}\
                """);
        assertThat(version()).isEqualTo(version);
    }

    @Test
    @Tag("AHS-15")
    void a_card_does_not_change_with_silence_or_restarts() {
        String personal = ENDPOINT + ",\"name\":\"Jane's helper\",\"personal\":true";
        register(personal);
        String card = request("agent.json").send().text();
        String tag = request("agent.json").send().header("ETag");
        agent.becomeUnhealthy();
        agent.sendHeartbeat();
        agent.becomeUnhealthy();
        assertThat(request("agent.json").send().text()).isEqualTo(card);
        agent.becomeDead();
        assertThat(agent.register(personal).status()).isEqualTo(201);
        assertThat(request("agent.json").send().text()).isEqualTo(card);
        assertThat(request("agent.json").send().header("ETag")).isEqualTo(tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent.json", "agent-card.json"})
    void unknown_agents_and_agents_that_cannot_be_called_have_no_card(String file) {
        register("");
        assertRefused(404, "no_agent_card", request(file));
        agent.deregister();
        register(",\"kind\":\"mcp_server\",\"endpoint\":\"https://server.example.com/mcp\"");
        assertRefused(404, "no_agent_card", request(file));
        agent.deregister();
        assertRefused(410, "agent_gone", request(file));
        assertThat(request(file).send().json().get("detail").textValue())
                .contains("agent card")
                .doesNotContain("health");
        assertRefused(404, "agent_not_found", system.api().get("/agents/never/.well-known/" + file));
        assertRefused(400, "invalid_request", system.api().get("/agents/a b/.well-known/" + file));
    }

    @Test
    void a_card_is_cacheable_for_a_minute() {
        register(ENDPOINT);
        for (String file : List.of("agent.json", "agent-card.json")) {
            Response card = request(file).send();
            assertThat(card.header("Content-Type")).isEqualTo("application/json");
            assertThat(card.header("Cache-Control")).isEqualTo("public, max-age=60");
            system.clock().advanceSeconds(30);
            assertThat(request(file)
                            .header("if-none-match", card.header("ETag"))
                            .send()
                            .status())
                    .isEqualTo(304);
        }
    }

    private void register(String more) {
        assertThat(agent.register(more).status()).isEqualTo(201);
    }

    private void change(String fields) {
        assertThat(system.api()
                        .patch("/api/v1/agents/a")
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{" + fields + "}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private String version() {
        String version = card("agent.json").path("version").asText();
        assertThat(card("agent-card.json").path("version").asText()).isEqualTo(version);
        return version;
    }

    private static JsonNode withoutVersion(JsonNode card) {
        assertThat(card.path("version").asText()).matches("[A-Za-z0-9_-]{16}");
        return ((ObjectNode) card).without("version");
    }

    private Request request(String file) {
        return system.api().get("/agents/a/.well-known/" + file).domain("registry.example.com");
    }

    private JsonNode card(String file) {
        Response response = request(file).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    private static void assertRefused(int status, String error, Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        assertThat(response.json().path("error").asText()).isEqualTo(error);
    }
}
