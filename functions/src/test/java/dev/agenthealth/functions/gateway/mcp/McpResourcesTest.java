package dev.agenthealth.functions.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.GatewayFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class McpResourcesTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String CARD = "{\"uri\":\"agent-health://agents/%s/card\"}";

    private final McpHarness mcp = new McpHarness();

    @AfterEach
    void close() {
        mcp.close();
    }

    @Test
    void the_records_and_health_documents_of_agents_are_resources() {
        TestAgent agent = new TestAgent(mcp.system(), "a");
        agent.register(",\"metadata\":{\"team\":\"billing\"}");
        assertThat(uris(mcp.older(ADMIN, "resources/list", "{}")))
                .containsExactly("agent-health://agents/a", "agent-health://agents/a/health");
        JsonNode record = read(mcp.modern(ADMIN, "resources/read", "{\"uri\":\"agent-health://agents/a\"}"));
        assertThat(record.at("/metadata/team").asText()).isEqualTo("billing");
        assertThat(record)
                .isEqualTo(mcp.system()
                        .api()
                        .get("/api/v1/agents/a")
                        .key(ADMIN)
                        .send()
                        .json());
        Response health = mcp.modern(ADMIN, "resources/read", "{\"uri\":\"agent-health://agents/a/health\"}");
        assertThat(health.json().at("/result/cacheScope").asText()).isEqualTo("private");
        assertThat(read(health).at("/health/status").asText()).isEqualTo("unknown");
        assertThat(read(health)
                        .at("/extensions/dev.agenthealth.lifecycle/status")
                        .asText())
                .isEqualTo("active");
    }

    @Test
    void another_key_reads_the_public_health_document_and_no_record() {
        new TestAgent(mcp.system(), "a").register(",\"metadata\":{\"team\":\"billing\"}");
        String other = TestSystem.OTHER_AGENT_KEY;
        Response refused = mcp.modern(other, "resources/read", "{\"uri\":\"agent-health://agents/a\"}");
        assertThat(refused.json().at("/error/code").asInt()).isEqualTo(McpError.INVALID_PARAMS);
        assertThat(refused.text()).doesNotContain("billing");
        JsonNode health = read(mcp.modern(other, "resources/read", "{\"uri\":\"agent-health://agents/a/health\"}"));
        assertThat(health.at("/health/status").asText()).isEqualTo("unknown");
        assertThat(health.path("extensions").has("dev.agenthealth.lifecycle")).isFalse();
        assertThat(uris(mcp.modern(other, "resources/list", "{}"))).isEmpty();
    }

    @Test
    void subscriptions_are_neither_promised_nor_there() {
        assertThat(mcp.modern(ADMIN, "server/discover", "{}").json().at("/result/capabilities/resources"))
                .hasToString("{}");
        for (String method : List.of("subscriptions/listen", "resources/subscribe")) {
            assertThat(mcp.modern(ADMIN, method, "{\"uri\":\"agent-health://agents/a\"}")
                            .json()
                            .at("/error/code")
                            .asInt())
                    .isEqualTo(McpError.METHOD_NOT_FOUND);
        }
    }

    private static JsonNode read(Response response) {
        return Json.stored(response.json().at("/result/contents/0/text").asText());
    }

    private static List<String> uris(Response response) {
        return response.json().at("/result/resources").findValuesAsText("uri");
    }

    @Test
    void the_cards_of_agents_are_resources() {
        new TestAgent(mcp.system(), "a").register(",\"name\":\"Agent A\",\"endpoint\":\"https://agent.example.com/\"");
        JsonNode list = mcp.modern(ADMIN, "resources/list", "{}").json().path("result");
        assertThat(list.path("resources")).hasSize(3);
        JsonNode resource = list.path("resources").get(2);
        assertThat(resource.path("uri").asText()).isEqualTo("agent-health://agents/a/card");
        assertThat(resource.path("title").asText()).isEqualTo("Agent A");
        assertThat(list.path("cacheScope").asText()).isEqualTo("private");
        JsonNode read =
                mcp.modern(ADMIN, "resources/read", CARD.formatted("a")).json().path("result");
        assertThat(read.path("cacheScope").asText()).isEqualTo("public");
        assertThat(read.at("/contents/0/uri")).isEqualTo(resource.path("uri"));
        assertThat(Json.stored(read.at("/contents/0/text").asText())
                        .at("/supportedInterfaces/0/url")
                        .asText())
                .isEqualTo("https://agent.example.com/");
        assertThat(mcp.older(ADMIN, "resources/templates/list", "{}")
                        .json()
                        .at("/result/resourceTemplates/2/uriTemplate")
                        .asText())
                .isEqualTo("agent-health://agents/{agent_id}/card");
        assertThat(mcp.modern(TestSystem.OTHER_AGENT_KEY, "resources/list", "{}")
                        .json()
                        .at("/result/resources"))
                .as("an agent's key lists its own agents")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b", "a%3Ab", "a%3ab"})
    void a_template_that_a_client_fills_in_leads_to_the_agent(String filledIn) {
        new TestAgent(mcp.system(), "a:b").register(",\"endpoint\":\"https://agent.example.com/\"");
        for (String part : List.of("", "/health", "/card")) {
            String uri = "agent-health://agents/" + filledIn + part;
            Response answer = mcp.modern(ADMIN, "resources/read", "{\"uri\":\"" + uri + "\"}");
            assertThat(answer.json().at("/result/contents/0/uri").asText()).isEqualTo(uri);
            assertThat(answer.json().at("/result/contents/0/text").asText()).contains("a:b");
        }
    }

    @Test
    void behind_a_proxy_cards_have_its_address_and_its_pages_are_accepted() {
        new TestAgent(mcp.system(), "a").register(",\"endpoint\":\"https://agent.example.com/\"");
        Map<String, String> environment = new HashMap<>(TestSystem.INVOCATIONS);
        environment.put("ORIGIN_SECRET_SHA256", KeyHash.ofKey("proxy-secret").hex());
        TestApi api = new TestApi(List.of(new GatewayFunction(mcp.system().wiring(environment))));
        JsonNode read = api.post("/mcp")
                .key(ADMIN)
                .domain("abc.execute-api.us-east-1.amazonaws.com")
                .header("x-origin-secret", "proxy-secret")
                .header("x-forwarded-host", "agents.example.com")
                .header("origin", "https://agents.example.com")
                .body(McpHarness.message("resources/read", Json.stored(CARD.formatted("a"))))
                .send()
                .json();
        assertThat(Json.stored(read.at("/result/contents/0/text").asText())
                        .at("/capabilities/extensions/0/params/url")
                        .asText())
                .isEqualTo("https://agents.example.com/agents/a/.well-known/agent-health");
    }

    @Test
    void a_list_of_resources_has_pages_and_leaves_out_agents_without_a_card() {
        for (int i = 0; i < 101; i++) {
            new TestAgent(mcp.system(), "a" + i).register(",\"endpoint\":\"https://agent.example.com/\"");
        }
        TestAgent.registered(mcp.system(), "without-endpoint");
        new TestAgent(mcp.system(), "server")
                .register(",\"kind\":\"mcp_server\",\"endpoint\":\"https://agent.example.com/mcp\"");
        List<String> uris = new ArrayList<>();
        String params = "{}";
        while (!params.isEmpty()) {
            JsonNode page = mcp.modern(ADMIN, "resources/list", params).json().path("result");
            page.path("resources")
                    .forEach(resource -> uris.add(resource.path("uri").asText()));
            String cursor = page.path("nextCursor").asText();
            params = cursor.isEmpty() ? "" : "{\"cursor\":\"" + cursor + "\"}";
        }
        assertThat(uris)
                .hasSize(3 * 101 + 2 * 2)
                .doesNotHaveDuplicates()
                .contains("agent-health://agents/server", "agent-health://agents/without-endpoint/health")
                .doesNotContain("agent-health://agents/without-endpoint/card", "agent-health://agents/server/card");
        assertThat(mcp.modern(ADMIN, "resources/list", "{\"cursor\":\"x\"}")
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(McpError.INVALID_PARAMS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent-health://agents/unknown/card",
                "agent-health://agents/unknown",
                "agent-health://agents/unknown/health",
                "agent-health://agents/server/healthy",
                "agent-health://agents/",
                "agent-health://agents/without-endpoint/card",
                "agent-health://agents/server/card",
                "agent-health://agents/../card",
                "agent-health://agents//card",
                "agent-health://agents/%75nknown",
                "agent-health://agents/server%2Fhealth",
                "file:///etc/passwd",
                "x"
            })
    void a_resource_that_does_not_exist_has_the_error_of_the_version(String uri) {
        TestAgent.registered(mcp.system(), "without-endpoint");
        new TestAgent(mcp.system(), "server")
                .register(",\"kind\":\"mcp_server\",\"endpoint\":\"https://agent.example.com/mcp\"");
        String params = "{\"uri\":\"" + uri + "\"}";
        JsonNode modern = mcp.modern(ADMIN, "resources/read", params).json().path("error");
        assertThat(modern.path("code").asInt()).isEqualTo(-32602);
        assertThat(modern.at("/data/uri").asText()).isEqualTo(uri);
        assertThat(mcp.older(ADMIN, "resources/read", params)
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32002);
    }
}
