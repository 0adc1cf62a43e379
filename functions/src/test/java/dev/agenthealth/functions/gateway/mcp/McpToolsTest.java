package dev.agenthealth.functions.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.VerdictRule;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.ProjectFiles;
import dev.agenthealth.testkit.ScriptedServer;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpToolsTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String OWNER = TestSystem.AGENT_KEY;
    private static final String OTHER = TestSystem.OTHER_AGENT_KEY;
    private static final String VIEWER = "test-viewer-key";
    private static final String COORDINATOR_OF_OTHERS = "test-coordinator-of-others";
    private static final String A = "{\"agent_id\":\"a\"}";
    private static final String ANSWER =
            """
                    {"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"Done."}]}\
                    """;

    private final McpHarness mcp = new McpHarness();
    private final ScriptedServer server = ScriptedServer.http();
    private final TestAgent agent = new TestAgent(mcp.system(), "a");

    @BeforeEach
    void register() {
        mcp.system().addKey(VIEWER, Role.VIEWER, Set.of());
        mcp.system().addKey(COORDINATOR_OF_OTHERS, Role.COORDINATOR, Set.of("others"));
        String more =
                ",\"name\":\"Agent A\",\"capacity\":{\"max_concurrent_tasks\":5},\"endpoint\":\"http://agent.test:"
                        + server.port() + "/\"";
        assertThat(agent.register(more).status()).isEqualTo(201);
        agent.sendHeartbeat();
    }

    @AfterEach
    void close() {
        server.close();
        mcp.close();
    }

    private void agentAnswers(String member) {
        server.plays((request, out) -> {
            String id = Json.stored(request.body()).path("id").asText();
            ScriptedServer.Script.body("{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\"," + member + "}")
                    .play(request, out);
        });
    }

    private void block() {
        assertThat(mcp.system()
                        .api()
                        .post("/v1/admin/agents/a/block")
                        .key(ADMIN)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "test-agent-key | find_agents agent_health may_i_call invoke_agent drain_agent",
                "test-viewer-key | find_agents agent_health may_i_call fleet_health",
                "test-coordinator-key | find_agents agent_health may_i_call invoke_agent fleet_health drain_agent",
                "test-administrator-key | find_agents agent_health may_i_call invoke_agent fleet_health drain_agent"
            })
    void a_key_sees_the_tools_that_its_role_may_call(String key, String tools) {
        assertThat(mcp.tools(key)).containsOnlyKeys(tools.split(" "));
        JsonNode list = mcp.modern(key, "tools/list", "{}").json().path("result");
        assertThat(list.path("cacheScope").asText()).isEqualTo("private");
    }

    @Test
    void every_tool_is_described_and_has_valid_schemas() {
        var dialect = SchemaRegistry.withDialect(Dialects.getDraft202012())
                .getSchema(SchemaLocation.of(Dialects.getDraft202012().getId()));
        Map<String, JsonNode> tools = mcp.tools(ADMIN);
        assertThat(tools).hasSize(6);
        tools.forEach((name, tool) -> {
            assertThat(name).matches("[a-z_]{1,64}");
            assertThat(tool.path("description").asText()).hasSizeBetween(50, 500);
            assertThat(tool.path("annotations").fieldNames())
                    .toIterable()
                    .contains("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint");
            for (String schema : new String[] {"inputSchema", "outputSchema"}) {
                assertThat(tool.path(schema).path("type").asText()).isEqualTo("object");
                assertThat(dialect.validate(tool.path(schema).toString(), InputFormat.JSON))
                        .as(name)
                        .isEmpty();
            }
            assertThat(tool.at("/inputSchema/properties").isObject())
                    .as("%s: some model providers refuse a tool without properties", name)
                    .isTrue();
            assertThat(tool.at("/inputSchema/additionalProperties").asBoolean(true))
                    .isFalse();
            tool.at("/inputSchema/properties")
                    .forEach(argument -> assertThat(argument.path("description").asText())
                            .as(name)
                            .isNotEmpty());
        });
    }

    @Test
    void the_guide_lists_every_tool() {
        Set<String> listed = Pattern.compile("(?m)^\\| `(\\w+)` \\|")
                .matcher(ProjectFiles.text("docs/guides/mcp.md"))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        assertThat(listed).isEqualTo(mcp.tools(ADMIN).keySet());
    }

    @Test
    void agents_are_found_by_capability_role_verdict_and_available_capacity() {
        TestAgent.registered(mcp.system(), "b");
        String query =
                """
                        {"capabilities":["test"],"role_id":"worker","verdict":["ok"],"min_available_capacity":3,\
                        "most_available_first":true}\
                        """;
        JsonNode found = mcp.content(ADMIN, "find_agents", query);
        assertThat(found.path("agents")).hasSize(1);
        JsonNode row = found.path("agents").get(0);
        assertThat(row.path("agent_id").asText()).isEqualTo("a");
        assertThat(row.path("name").asText()).isEqualTo("Agent A");
        assertThat(row.path("verdict").asText()).isEqualTo("ok");
        assertThat(row.path("available_capacity").asInt()).isEqualTo(5);
        JsonNode unknown = mcp.content(ADMIN, "find_agents", "{\"verdict\":[\"unknown\"]}");
        assertThat(unknown.path("agents")).hasSize(1);
        assertThat(unknown.at("/agents/0/reasons/0").asText()).isEqualTo("no_sign_of_life");
        assertThat(unknown.at("/agents/0/available_capacity").isNull()).isTrue();
        assertThat(mcp.content(OTHER, "find_agents", "{}").path("agents")).isEmpty();
        assertThat(mcp.content(OWNER, "find_agents", "{}").path("agents")).hasSize(2);
    }

    @Test
    void mcp_servers_are_found_by_kind_and_are_not_called() {
        new TestAgent(mcp.system(), "server")
                .register(",\"kind\":\"mcp_server\",\"endpoint\":\"https://server.example.com/mcp\"");
        JsonNode found = mcp.content(ADMIN, "find_agents", "{\"kind\":[\"mcp_server\"]}");
        assertThat(found.path("agents").findValuesAsText("agent_id")).containsExactly("server");
        assertThat(found.at("/agents/0/kind").asText()).isEqualTo("mcp_server");
        assertThat(mcp.content(ADMIN, "find_agents", "{\"kind\":[\"agent\"]}").findValuesAsText("agent_id"))
                .containsExactly("a");
        JsonNode advice = mcp.content(ADMIN, "may_i_call", "{\"agent_id\":\"server\"}");
        assertThat(advice.path("advice").asText()).isEqualTo("avoid");
        assertThat(advice.at("/reasons/0").asText()).contains("MCP server");
    }

    @Test
    void find_agents_needs_all_capabilities_unless_any_is_asked_for() {
        String both = "{\"capabilities\":[\"test\",\"other\"]%s}";
        assertThat(mcp.content(ADMIN, "find_agents", both.formatted("")).path("agents"))
                .isEmpty();
        assertThat(mcp.content(ADMIN, "find_agents", both.formatted(",\"capabilities_match\":\"all\""))
                        .path("agents"))
                .isEmpty();
        assertThat(mcp.content(ADMIN, "find_agents", both.formatted(",\"capabilities_match\":\"any\""))
                        .path("agents"))
                .hasSize(1);
    }

    @Test
    void a_list_of_agents_has_pages() {
        TestAgent.registered(mcp.system(), "b");
        JsonNode first = mcp.content(ADMIN, "find_agents", "{\"limit\":1}");
        String token = first.path("next_token").asText();
        JsonNode second = mcp.content(ADMIN, "find_agents", "{\"limit\":1,\"next_token\":\"" + token + "\"}");
        assertThat(second.at("/agents/0/agent_id").asText())
                .isNotEqualTo(first.at("/agents/0/agent_id").asText());
        assertThat(mcp.refusal(OWNER, "find_agents", "{\"next_token\":\"" + token + "\"}"))
                .contains("next_token");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "find_agents | {\"verdict\":[\"good\"]} | verdict",
                "find_agents | {\"verdict\":\"ok\"} | verdict",
                "find_agents | {\"kind\":[\"a2a\"]} | kind",
                "find_agents | {\"status\":[\"alive\"]} | status",
                "find_agents | {\"capabilities\":[\"a,b\"]} | capabilities",
                "find_agents | {\"capabilities\":[1]} | capabilities[0]",
                "find_agents | {\"limit\":101} | limit",
                "find_agents | {\"most_available_first\":true} | most_available_first",
                "find_agents | {\"most_available_first\":1} | most_available_first",
                "find_agents | {\"role_id\":\"a b\"} | role_id",
                "find_agents | {\"capability\":\"x\"} | capability",
                "agent_health | {} | agent_id",
                "agent_health | {\"agent_id\":\"../x\"} | agent_id",
                "may_i_call | {\"agent_id\":7} | agent_id",
                "invoke_agent | {\"agent_id\":\"a\"} | message",
                "invoke_agent | {\"agent_id\":\"a\",\"message\":{}} | message",
                "invoke_agent | {\"agent_id\":\"a\",\"message\":\"x\",\"timeout_ms\":0} | timeout_ms",
                "invoke_agent | {\"agent_id\":\"a\",\"message\":\"x\",\"idempotency_key\":\"\"} | Idempotency-Key",
                "fleet_health | {\"role\":\"x\"} | role",
                "drain_agent | {\"agent_id\":\"a\",\"drain_timeout_seconds\":-1} | drain_timeout_seconds",
                "drain_agent | {\"agent_id\":\"a\",\"command\":\"drain\"} | command"
            })
    void a_bad_argument_is_named_in_the_result(String tool, String arguments, String named) {
        assertThat(mcp.refusal(ADMIN, tool, arguments))
                .startsWith("invalid_request: ")
                .contains(named);
    }

    @ParameterizedTest
    @CsvSource({"agent_health", "may_i_call", "drain_agent"})
    void an_unknown_agent_is_a_result_that_says_so(String tool) {
        assertThat(mcp.refusal(ADMIN, tool, "{\"agent_id\":\"unknown\"}")).startsWith("agent_not_found: ");
    }

    @Test
    void a_tool_that_the_role_may_not_call_is_refused() {
        assertThat(mcp.refusal(OWNER, "fleet_health", "{}")).startsWith("forbidden: ");
        assertThat(mcp.refusal(VIEWER, "drain_agent", A)).startsWith("forbidden: ");
        assertThat(mcp.refusal(VIEWER, "invoke_agent", "{\"agent_id\":\"a\",\"message\":\"x\"}"))
                .startsWith("forbidden: ");
    }

    @Test
    void other_owners_agents_are_not_shown_and_not_drained() {
        for (String key : new String[] {OTHER, COORDINATOR_OF_OTHERS}) {
            assertThat(mcp.refusal(key, "agent_health", A)).startsWith("forbidden: ");
            assertThat(mcp.refusal(key, "drain_agent", A)).startsWith("forbidden: ");
        }
    }

    @Test
    void the_health_of_an_agent_has_its_verdict_with_reasons() {
        block();
        JsonNode health = mcp.content(ADMIN, "agent_health", A);
        assertThat(health.path("verdict").asText()).isEqualTo("blocked");
        assertThat(health.at("/reasons/0").asText()).isEqualTo("The agent is blocked.");
        assertThat(health.at("/dimensions/reliability").isNull())
                .as("of an agent without executions")
                .isTrue();
    }

    @Test
    void an_agent_without_anything_against_it_may_be_called() {
        JsonNode advice = mcp.content(OWNER, "may_i_call", A);
        assertThat(advice.path("advice").asText()).isEqualTo("proceed");
        assertThat(advice.path("verdict").asText()).isEqualTo("ok");
        assertThat(advice.path("reputation").decimalValue()).isEqualByComparingTo("0.5");
        assertThat(advice.at("/reasons/0").asText()).isEqualTo("Nothing is known against it.");
    }

    @Test
    void a_silent_agent_is_called_with_caution() {
        agent.becomeUnhealthy();
        JsonNode advice = mcp.content(ADMIN, "may_i_call", A);
        assertThat(advice.path("advice").asText()).isEqualTo("caution");
        assertThat(advice.at("/reasons/0").asText()).contains("last heartbeat");
    }

    @Test
    void a_blocked_agent_is_avoided_by_every_caller() {
        block();
        for (String key : new String[] {ADMIN, OWNER, OTHER}) {
            JsonNode advice = mcp.content(key, "may_i_call", A);
            assertThat(advice.path("advice").asText()).isEqualTo("avoid");
            assertThat(advice.at("/reasons/0").asText()).isEqualTo("The agent is blocked.");
        }
    }

    @Test
    void an_agent_that_is_gone_or_has_no_endpoint_is_avoided() {
        TestAgent.registered(mcp.system(), "b");
        assertThat(mcp.content(ADMIN, "may_i_call", "{\"agent_id\":\"b\"}")
                        .path("advice")
                        .asText())
                .isEqualTo("avoid");
        agent.deregister();
        JsonNode advice = mcp.content(ADMIN, "may_i_call", A);
        assertThat(advice.path("advice").asText()).isEqualTo("avoid");
        assertThat(advice.at("/reasons/0").asText()).contains("takes no calls");
    }

    @Test
    void a_caller_that_may_not_see_an_agent_gets_advice_by_its_public_health() {
        JsonNode advice = mcp.content(OTHER, "may_i_call", A);
        assertThat(advice.path("advice").asText()).isEqualTo("caution");
        assertThat(advice.at("/reasons/0").asText()).contains("public health status is unknown");
        assertThat(advice.has("verdict")).isFalse();
        assertThat(advice.has("reputation")).isFalse();
    }

    @Test
    void failed_calls_lower_the_reputation_and_advise_caution() {
        agentAnswers("\"error\":{\"code\":-32603,\"message\":\"no\"}");
        for (int i = 0; i < 3; i++) {
            assertThat(mcp.refusal(OTHER, "invoke_agent", "{\"agent_id\":\"a\",\"message\":\"x\"}"))
                    .startsWith("agent_rpc_error: ")
                    .contains("receipt_id: rcpt_");
        }
        JsonNode advice = mcp.content(ADMIN, "may_i_call", A);
        assertThat(advice.path("advice").asText()).isEqualTo("caution");
        assertThat(advice.path("reasons").toString()).contains("Its reputation");
    }

    @Test
    void an_agent_is_called_once_for_each_idempotency_key_and_in_the_caller_s_trace() {
        agentAnswers("\"result\":" + ANSWER);
        String trace = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
        String params =
                "{\"name\":\"invoke_agent\",\"arguments\":{\"agent_id\":\"a\",\"message\":\"Say \\\"hello\\\"\\nplease\","
                        + "\"idempotency_key\":\"order \\\"1\\\\\"},\"_meta\":{\"traceparent\":\"" + trace + "\"}}";
        Response refused = mcp.older(OTHER, "tools/call", params);
        assertThat(refused.json().at("/result/content/0/text").asText())
                .as("a key has no spaces")
                .contains("Idempotency-Key");
        params = params.replace("order ", "order-");
        JsonNode first = mcp.older(OTHER, "tools/call", params).json().at("/result/structuredContent");
        JsonNode second = mcp.older(OTHER, "tools/call", params).json().at("/result/structuredContent");
        assertThat(first.at("/output/parts/0/text").asText()).isEqualTo("Done.");
        assertThat(second).isEqualTo(first);
        assertThat(server.requests()).hasSize(1);
        assertThat(server.requests().get(0).headers()).containsEntry("traceparent", trace);
        assertThat(server.requests().get(0).body()).contains("Say \\\"hello\\\"\\nplease");
        mcp.content(OTHER, "invoke_agent", "{\"agent_id\":\"a\",\"message\":\"Hello\"}");
    }

    @Test
    void a_blocked_agent_is_not_called() {
        block();
        assertThat(mcp.refusal(OTHER, "invoke_agent", "{\"agent_id\":\"a\",\"message\":\"x\"}"))
                .isEqualTo("agent_blocked: The agent is blocked.");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void the_limit_of_invocations_holds_for_tools() {
        agentAnswers("\"result\":" + ANSWER);
        String text = "";
        for (int i = 0; i < 100 && !text.startsWith("rate_limited"); i++) {
            text = mcp.call(OTHER, "invoke_agent", "{\"agent_id\":\"a\",\"message\":\"x\"}")
                    .at("/content/0/text")
                    .asText();
        }
        assertThat(text).startsWith("rate_limited: ").contains("Retry after ");
    }

    @Test
    void the_fleet_is_shown_as_the_sweep_counted_it() {
        assertThat(mcp.content(ADMIN, "fleet_health", "{}").path("as_of").isNull())
                .isTrue();
        count();
        JsonNode fleet = mcp.content(VIEWER, "fleet_health", "{}");
        assertThat(fleet.path("agents").asInt()).isEqualTo(1);
        assertThat(fleet.at("/roles/0/role_id").asText()).isEqualTo("worker");
        assertThat(fleet.at("/by_verdict/ok").asInt()).isEqualTo(1);
    }

    private void count() {
        Instant now = mcp.system().clock().instant();
        FleetStatistics.Tally tally = new FleetStatistics.Tally(new VerdictRule(Set.of(), Set.of(), Set.of(), now));
        new FleetScan(mcp.system().database()).segment(0, 1, tally::add, (id, placedAt) -> {});
        assertThat(new StatisticsStore(mcp.system().database())
                        .put(tally.statistics().largest(10), now))
                .isTrue();
    }

    @Test
    void an_agent_is_drained_with_its_next_heartbeat() {
        JsonNode drain = mcp.content(
                OWNER,
                "drain_agent",
                """
                        {"agent_id":"a","reason":"maintenance","drain_timeout_seconds":60}\
                        """);
        assertThat(drain.path("status").asText()).isEqualTo("pending");
        assertThat(drain.path("drain_timeout_seconds").asInt()).isEqualTo(60);
        assertThat(agent.sendHeartbeat().json().toString()).contains("drain").contains("maintenance");
    }

    @Test
    void an_unknown_tool_is_an_error_of_the_protocol() {
        Response response = mcp.modern(ADMIN, "tools/call", "{\"name\":\"find\"}");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().at("/error/code").asInt()).isEqualTo(McpError.INVALID_PARAMS);
        assertThat(mcp.modern(ADMIN, "tools/list", "{\"cursor\":\"x\"}")
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(McpError.INVALID_PARAMS);
    }
}
