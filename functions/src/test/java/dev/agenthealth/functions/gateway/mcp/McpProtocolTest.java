package dev.agenthealth.functions.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ApiDescription;
import dev.agenthealth.testkit.TableContents;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class McpProtocolTest {

    private static final String KEY = TestSystem.ADMINISTRATOR_KEY;
    private static final String LIST = "tools/list";

    private final McpHarness mcp = new McpHarness();

    @AfterEach
    void close() {
        mcp.close();
    }

    private Response post(Map<String, String> headers, String body) {
        TestApi.Request request = mcp.api().post("/mcp").key(KEY).body(body);
        headers.forEach(request::header);
        return request.send();
    }

    private static Map<String, String> headers(String version, String method) {
        return Map.of("mcp-protocol-version", version, "mcp-method", method);
    }

    private static String modernBody(String method, String version, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":{" + more
                + "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + version
                + "\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    }

    @Test
    void discovery_names_versions_capabilities_and_server() {
        JsonNode result = mcp.modern(KEY, "server/discover", "{}").json().path("result");
        assertThat(result.path("supportedVersions").get(0).asText()).isEqualTo("2026-07-28");
        assertThat(result.path("capabilities").fieldNames())
                .toIterable()
                .containsExactly("tools", "resources", "extensions");
        assertThat(result.path("resultType").asText()).isEqualTo("complete");
        assertThat(result.path("cacheScope").asText()).isEqualTo("public");
        assertThat(result.path("ttlMs").asInt()).isPositive();
        assertThat(result.path("instructions").asText()).contains("find_agents");
        JsonNode server = result.path("_meta").path("io.modelcontextprotocol/serverInfo");
        assertThat(server.path("name").asText()).isEqualTo("agent-health");
        assertThat(server.path("version"))
                .isEqualTo(ApiDescription.ofProject().document().at("/info/version"));
    }

    @ParameterizedTest
    @CsvSource({
        "2025-11-25, 2025-11-25",
        "2025-06-18, 2025-06-18",
        "2025-03-26, 2025-03-26",
        "2024-11-05, 2025-11-25",
        "2026-07-28, 2025-11-25",
        "2099-01-01, 2025-11-25"
    })
    void the_older_handshake_agrees_on_an_older_version(String wanted, String agreed) {
        String params = "{\"protocolVersion\":\"" + wanted
                + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}";
        Response response = post(Map.of(), McpHarness.message("initialize", Json.stored(params)));
        assertThat(response.status()).isEqualTo(200);
        JsonNode result = response.json().path("result");
        assertThat(result.path("protocolVersion").asText()).isEqualTo(agreed);
        assertThat(result.at("/serverInfo/name").asText()).isEqualTo("agent-health");
        assertThat(result.path("capabilities").has("tools")).isTrue();
        assertThat(result.has("resultType")).isFalse();
        assertThat(response.header("Mcp-Session-Id")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2025-03-26", "2025-06-18", "2025-11-25"})
    void an_older_client_needs_no_other_headers_and_gets_no_newer_fields(String version) {
        Map<String, String> headers = version.isEmpty() ? Map.of() : Map.of("mcp-protocol-version", version);
        JsonNode result =
                post(headers, McpHarness.message(LIST, Json.object())).json().path("result");
        assertThat(result.path("tools")).hasSize(6);
        assertThat(result.fieldNames()).toIterable().containsExactly("tools");
        assertThat(post(headers, McpHarness.message("ping", Json.object()))
                        .json()
                        .path("result"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"notifications/initialized, true", "notifications/cancelled, true", "notifications/unknown, false"})
    void a_notification_is_accepted_without_an_answer(String method, boolean older) {
        String body = "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}";
        Response response = post(Map.of("mcp-protocol-version", older ? "2025-11-25" : "2026-07-28"), body);
        assertThat(response.status()).isEqualTo(202);
        assertThat(response.text()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{                                                        | -32700",
                "''                                                       | -32700",
                "{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\"}                | -32700",
                "[]                                                       | -32600",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]     | -32600",
                "\"ping\"                                                 | -32600",
                "{\"id\":1,\"method\":\"ping\"}                           | -32600",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}       | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1}                           | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}             | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}    | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}     | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}      | -32600",
                "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\"}          | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":1}} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"find_agents\",\"arguments\":[]}} | -32602"
            })
    void a_malformed_message_is_refused_with_the_protocol_s_error(String body, int code) {
        Response response = post(Map.of(), body);
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(response.json().at("/error/code").asInt())
                .as(response.text())
                .isEqualTo(code);
    }

    @Test
    void a_message_that_is_no_utf_8_is_refused_as_described() {
        Response response = mcp.api()
                .post("/mcp")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(new byte[] {'{', (byte) 0xff, '}'})
                .send();
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("error").asText()).isEqualTo("malformed_request");
    }

    @Test
    void a_message_that_is_too_large_is_refused() {
        String body = modernBody(LIST, "2026-07-28", "\"padding\":\"" + "x".repeat(300_000) + "\",");
        Response response = post(headers("2026-07-28", LIST), body);
        assertThat(response.status()).isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-07-28, 2026-07-28, tools/call, -32020",
        "2026-07-28, 2026-07-28, '', -32020",
        "2026-07-28, '', tools/list, -32020",
        "2026-07-28, 2025-11-25, tools/list, -32020",
        "2099-01-01, 2026-07-28, tools/list, -32020",
        "2099-01-01, 2099-01-01, tools/list, -32022",
        "1900-01-01, 1900-01-01, tools/list, -32022"
    })
    void headers_and_body_must_agree_on_a_supported_version(String body, String header, String method, int code) {
        Response response = post(headers(header, method), modernBody(LIST, body, ""));
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("id").asInt()).isEqualTo(7);
        assertThat(response.json().at("/error/code").asInt()).isEqualTo(code);
        if (code == McpError.UNSUPPORTED_VERSION) {
            assertThat(response.json().at("/error/data/supported/0").asText()).isEqualTo("2026-07-28");
            assertThat(response.json().at("/error/data/requested").asText()).isEqualTo(body);
        }
    }

    @Test
    void a_version_of_the_future_in_the_header_alone_is_refused_with_those_that_are_supported() {
        Response response = post(Map.of("mcp-protocol-version", "2099-01-01"), McpHarness.message(LIST, Json.object()));
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().at("/error/code").asInt()).isEqualTo(McpError.UNSUPPORTED_VERSION);
        assertThat(response.json().at("/error/data/supported")).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"_meta\":{}}",
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":1}}",
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}"
            })
    void a_modern_request_needs_its_metadata(String params) {
        Response response = post(headers("2026-07-28", LIST), McpHarness.message(LIST, Json.stored(params)));
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().at("/error/code").asInt()).isEqualTo(McpError.INVALID_PARAMS);
    }

    @ParameterizedTest
    @CsvSource({
        "fleet_health, 200",
        "'', 400",
        "find_agents, 400",
        "FLEET_HEALTH, 400",
        "=?base64?ZmxlZXRfaGVhbHRo?=, 200",
        "=?base64?ZmluZF9hZ2VudHM=?=, 400",
        "=?base64?***?=, 400",
        "=?base64?=, 400"
    })
    void the_name_in_the_header_is_that_of_the_body(String header, int status) {
        Response response = mcp.api()
                .post("/mcp")
                .key(KEY)
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "tools/call")
                .header("mcp-name", header)
                .body(modernBody("tools/call", "2026-07-28", "\"name\":\"fleet_health\","))
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        assertThat(response.json().at("/error/code").asInt()).isEqualTo(status == 200 ? 0 : McpError.HEADER_MISMATCH);
    }

    @Test
    void a_name_beyond_ascii_is_compared_decoded() {
        String encoded = Base64.getEncoder().encodeToString("Grüße".getBytes(StandardCharsets.UTF_8));
        Response response = mcp.api()
                .post("/mcp")
                .key(KEY)
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "tools/call")
                .header("mcp-name", "=?base64?" + encoded + "?=")
                .body(modernBody("tools/call", "2026-07-28", "\"name\":\"Grüße\","))
                .send();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().at("/error/message").asText()).isEqualTo("Unknown tool: Grüße");
    }

    @ParameterizedTest
    @ValueSource(strings = {"prompts/list", "subscriptions/listen", "initialize", "ping", "tools/List", "x"})
    void an_unknown_method_is_404_in_2026_07_28(String method) {
        Response response = mcp.modern(KEY, method, "{}");
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.json().at("/error/code").asInt()).isEqualTo(McpError.METHOD_NOT_FOUND);
        assertThat(response.json().path("id").asInt()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prompts/list", "server/discover", "logging/setLevel", "resources/subscribe"})
    void an_unknown_method_is_an_error_with_200_in_older_versions(String method) {
        Response response = mcp.older(KEY, method, "{}");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().at("/error/code").asInt()).isEqualTo(McpError.METHOD_NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://agents.example.com"})
    void a_page_of_another_origin_is_refused(String origin) {
        Response response = mcp.api()
                .post("/mcp")
                .key(KEY)
                .domain("agents.example.com")
                .header("origin", origin)
                .body(McpHarness.message("ping", Json.object()))
                .send();
        assertThat(response.status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "evil.example, 127.0.0.1, 403",
        "evil.example:8080, 0:0:0:0:0:0:0:1, 403",
        "localhost.evil.example, 127.0.0.1, 403",
        "evil.example, 198.51.100.7, 200",
        "localhost:8080, 127.0.0.1, 200",
        "127.0.0.1:8080, 127.0.0.1, 200"
    })
    void a_page_whose_name_leads_to_this_machine_is_refused(String host, String address, int status) {
        Response response = mcp.api()
                .post("/mcp")
                .key(KEY)
                .from(address)
                .header("host", host)
                .header("x-forwarded-proto", "http")
                .header("origin", "http://" + host)
                .body(McpHarness.message("ping", Json.object()))
                .send();
        assertThat(response.status()).isEqualTo(status);
    }

    @Test
    void a_page_of_the_registry_s_own_origin_is_answered() {
        Response response = mcp.api()
                .post("/mcp")
                .key(KEY)
                .domain("agents.example.com")
                .header("origin", "https://agents.example.com")
                .body(McpHarness.message("ping", Json.object()))
                .send();
        assertThat(response.status()).isEqualTo(200);
    }

    @Test
    void a_request_without_a_valid_key_is_challenged() {
        for (Response response : new Response[] {
            mcp.api()
                    .post("/mcp")
                    .body(McpHarness.message("ping", Json.object()))
                    .send(),
            mcp.modern("unknown-key", LIST, "{}")
        }) {
            assertThat(response.status()).isEqualTo(401);
            assertThat(response.header("WWW-Authenticate")).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void there_are_no_streams_and_no_sessions(String method) {
        Response response = mcp.api().request(method, "/mcp").send();
        assertThat(response.status()).isEqualTo(405);
        assertThat(response.header("Allow")).isEqualTo("POST, OPTIONS");
    }

    @Test
    void headers_of_sessions_are_ignored() {
        Response response = mcp.api()
                .post("/mcp")
                .key(KEY)
                .header("mcp-session-id", "s")
                .header("last-event-id", "e")
                .body(McpHarness.message("ping", Json.object()))
                .send();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("Mcp-Session-Id")).isEmpty();
    }

    @Test
    void a_refused_request_changes_nothing() {
        TestAgent.registered(mcp.system(), "a");
        TableContents before = TableContents.of(mcp.system().tables());
        String arguments = """
                "name":"drain_agent","arguments":{"agent_id":"a"},\
                """;
        post(headers("2026-07-28", "tools/call"), modernBody("tools/call", "2026-07-28", arguments));
        post(headers("2099-01-01", "tools/call"), modernBody("tools/call", "2099-01-01", arguments));
        mcp.refusal(TestSystem.OTHER_AGENT_KEY, "drain_agent", "{\"agent_id\":\"a\"}");
        mcp.refusal(KEY, "drain_agent", "{\"agent_id\":\"a\",\"reasn\":\"x\"}");
        post(
                Map.of(),
                """
                        {"jsonrpc":"2.0","method":"tools/call","params":{"name":"drain_agent",\
                        "arguments":{"agent_id":"a"}}}\
                        """);
        assertThat(TableContents.of(mcp.system().tables())).isEqualTo(before);
    }
}
