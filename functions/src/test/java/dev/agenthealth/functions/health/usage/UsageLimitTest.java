package dev.agenthealth.functions.health.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits for the usage of an agent. */
class UsageLimitTest {

    private static final String HOURLY = "\"tokens_per_hour\":10000";

    private final TestSystem system = new TestSystem();
    private final OutcomeClient client = new OutcomeClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private final TestAgent agent = new TestAgent(system, "spender");
    private int batches;

    @BeforeEach
    void startInTheMiddleOfAnHour() {
        system.clock().advanceSeconds(1_800);
    }

    @AfterEach
    void close() {
        system.close();
    }

    private void register(String limits) {
        Response answer = agent.register(",\"expectations\":{\"limits\":{" + limits + "}}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        agent.sendHeartbeat();
    }

    private void use(String usage) {
        batches++;
        assertThat(client.report(agent, "b-" + batches, "{\"result\":\"success\",\"usage\":{" + usage + "}}")
                        .status())
                .isEqualTo(202);
        measure();
    }

    private void measure() {
        measurement.handleRequest(Map.of(), null);
    }

    private JsonNode record() {
        return system.api()
                .get("/api/v1/agents/spender")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
    }

    private JsonNode row() {
        return system.api()
                .get("/api/v1/agents")
                .query("status", "active")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json()
                .at("/agents/0");
    }

    private void assertReasons(String verdict, String... reasons) {
        assertThat(row().get("verdict").textValue()).isEqualTo(verdict);
        assertThat(row().get("reasons")).extracting(JsonNode::textValue).containsExactly(reasons);
    }

    private List<JsonNode> usageEvents() {
        return agent.events().stream()
                .filter(event -> event.get("type").textValue().equals("agent.usage"))
                .toList();
    }

    private Block block() {
        OfAgent subject = new OfAgent("spender");
        return new BlockStore(system.database()).of(List.of(subject)).get(subject);
    }

    @Test
    void nine_thousand_of_ten_thousand_tokens_warn_and_two_thousand_more_exceed_the_limit() {
        register(HOURLY);
        use("\"input_tokens\":7000");
        assertReasons("ok");
        use("\"output_tokens\":2000");
        assertReasons("degraded", "near_limit");
        use("\"input_tokens\":2000");
        assertReasons("down", "over_limit");
        assertThat(usageEvents())
                .extracting(event -> event.get("level").textValue())
                .containsExactly("warning", "exceeded");
        JsonNode exceeded = usageEvents().get(1);
        assertThat(exceeded.get("severity").textValue()).isEqualTo("error");
        assertThat(exceeded.get("used").longValue()).isEqualTo(11_000);
        assertThat(exceeded.get("maximum").longValue()).isEqualTo(10_000);
        assertThat(block().inForce()).isFalse();
        measure();
        assertThat(usageEvents()).hasSize(2);
    }

    @Test
    void the_level_ends_with_the_hour_and_its_end_is_published() {
        register(HOURLY);
        use("\"input_tokens\":11000");
        system.clock().advanceSeconds(1_801);
        agent.sendHeartbeat();
        assertThat(row().get("reasons").toString()).doesNotContain("over_limit");
        measure();
        assertThat(usageEvents())
                .extracting(event -> event.get("level").textValue())
                .containsExactly("exceeded", "none");
    }

    @Test
    void a_raised_limit_ends_the_level() {
        register(HOURLY);
        use("\"input_tokens\":11000");
        assertReasons("down", "over_limit");
        assertThat(agent.change("{\"expectations\":{\"limits\":{\"tokens_per_hour\":20000}}}")
                        .status())
                .isEqualTo(200);
        measure();
        assertReasons("ok");
        assertThat(agent.change("{\"expectations\":{\"limits\":null}}").status())
                .isEqualTo(200);
        assertThat(record().at("/expectations/limits").isMissingNode()).isTrue();
    }

    @Test
    void a_block_refuses_calls_until_the_hour_is_over_and_names_the_limit() {
        register(HOURLY + ",\"on_exceeded\":\"block\"");
        use("\"input_tokens\":11000");
        assertThat(block().inForce()).isTrue();
        assertThat(block().reason()).isEqualTo("Limit tokens_per_hour: 11000 of 10000.");
        Response refused = system.api()
                .post("/v1/agents/spender/invoke")
                .key(TestSystem.COORDINATOR_KEY)
                .body("{\"message\":\"hello\"}")
                .send();
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().get("usage_limit").textValue()).isEqualTo("tokens_per_hour");
        assertThat(refused.json().get("limit_scope").textValue()).isEqualTo("agent");
        assertThat(refused.json().get("resets_at").textValue()).isEqualTo(Timestamps.text(block().until()));
        assertThat(refused.json().get("detail").textValue())
                .isEqualTo("The agent is blocked until " + Timestamps.text(block().until())
                        + ": its limit tokens_per_hour is used up.");
        assertThat(refused.header("Retry-After")).isEqualTo("1800");
        assertThat(row().get("reasons")).extracting(JsonNode::textValue).contains("agent_blocked", "over_limit");
        system.clock().advanceSeconds(1_801);
        assertThat(block().inForce()).isFalse();
    }

    @Test
    void a_block_of_a_person_names_no_limit_even_with_the_same_reason() {
        register(HOURLY);
        assertThat(system.api()
                        .post("/v1/admin/agents/spender/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"Limit tokens_per_hour: 11000 of 10000.\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        Response refused = system.api()
                .post("/v1/agents/spender/invoke")
                .key(TestSystem.COORDINATOR_KEY)
                .body("{\"message\":\"hello\"}")
                .send();
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().has("usage_limit")).isFalse();
        assertThat(refused.text()).doesNotContain("11000");
        assertThat(refused.header("Retry-After")).isEmpty();
    }

    @Test
    void the_gateways_of_a2a_and_mcp_name_the_limit_too() {
        register(HOURLY + ",\"on_exceeded\":\"block\"");
        use("\"input_tokens\":11000");
        String until = Timestamps.text(block().until());
        Response a2a = system.api()
                .post("/a2a/agents/spender")
                .key(TestSystem.COORDINATOR_KEY)
                .body(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{\"kind\":"
                                + "\"message\",\"messageId\":\"m\",\"role\":\"user\",\"parts\":[{\"kind\":\"text\",\"text\":\"x\"}]}}}")
                .send();
        JsonNode metadata = a2a.json().at("/error/data/0/metadata");
        assertThat(a2a.header("Retry-After")).as(a2a.text()).isEqualTo("1800");
        assertThat(metadata.get("usage_limit").textValue()).isEqualTo("tokens_per_hour");
        assertThat(metadata.get("limit_scope").textValue()).isEqualTo("agent");
        assertThat(metadata.get("resets_at").textValue()).isEqualTo(until);
        String mcp = system.api()
                .post("/mcp")
                .key(TestSystem.COORDINATOR_KEY)
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2025-11-25")
                .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"invoke_agent\","
                        + "\"arguments\":{\"agent_id\":\"spender\",\"message\":\"x\"}}}")
                .send()
                .text();
        assertThat(mcp).contains("usage_limit: tokens_per_hour", "limit_scope: agent", "resets_at: " + until);
        assertThat(mcp).contains("Retry after 1800 seconds.");
    }

    @Test
    void a_raised_limit_lifts_its_block_but_not_the_block_of_a_person() {
        register(HOURLY + ",\"on_exceeded\":\"block\"");
        use("\"input_tokens\":11000");
        assertThat(block().inForce()).isTrue();
        raise(20_000);
        assertThat(block().inForce()).isFalse();
        assertThat(block().isUnblockedByPerson()).isFalse();
        assertReasons("ok");
        use("\"input_tokens\":11000");
        assertThat(block().inForce()).isTrue();
        assertThat(system.api()
                        .post("/v1/admin/agents/spender/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"maintenance\"}")
                        .send()
                        .status())
                .isLessThan(300);
        raise(50_000);
        assertThat(block().reason()).isEqualTo("maintenance");
        assertThat(block().inForce()).isTrue();
    }

    private void raise(int tokens) {
        assertThat(agent.change("{\"expectations\":{\"limits\":{\"tokens_per_hour\":" + tokens + "}}}")
                        .status())
                .isEqualTo(200);
        measure();
    }

    @Test
    void a_person_may_lift_the_block_and_the_registry_does_not_repeat_it_in_the_same_hour() {
        register(HOURLY + ",\"on_exceeded\":\"block\"");
        use("\"input_tokens\":11000");
        assertThat(system.api()
                        .post("/v1/admin/agents/spender/unblock")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isLessThan(300);
        use("\"input_tokens\":5000");
        assertThat(block().inForce()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"drain, false", "restart, true"})
    void an_agent_is_asked_to_drain_or_to_restart(String action, boolean restarts) {
        register(HOURLY + ",\"on_exceeded\":\"" + action + "\"");
        use("\"input_tokens\":11000");
        assertThat(agent.pulse().coordination().pendingDrain().restarts()).isEqualTo(restarts);
        assertThat(agent.pulse().coordination().pendingDrain().reason()).isEqualTo("tokens_per_hour");
        assertThat(agent.sendHeartbeat()
                        .json()
                        .at("/pending_commands/0/command")
                        .textValue())
                .isEqualTo(action);
    }

    @Test
    void cached_tokens_count_only_if_the_agent_says_so() {
        register(HOURLY);
        use("\"cache_read_tokens\":50000");
        use("\"input_tokens\":50000,\"cache_read_tokens\":50000");
        assertReasons("ok");
        assertThat(agent.change("{\"expectations\":{\"limits\":{\"count_cached\":true}}}")
                        .status())
                .isEqualTo(200);
        measure();
        assertReasons("down", "over_limit");
    }

    @Test
    void a_repeated_batch_counts_once() {
        register(HOURLY);
        String outcome = "{\"result\":\"success\",\"usage\":{\"input_tokens\":7000}}";
        client.report(agent, "same", outcome);
        client.report(agent, "same", outcome);
        measure();
        assertReasons("ok");
    }

    @ParameterizedTest
    @CsvSource({
        "tokens_per_day, 10000, input_tokens, 10000, over_limit",
        "tokens_per_day, 10000, input_tokens, 7999, ''",
        "tokens_per_execution, 10000, input_tokens, 8000, near_limit",
        "tokens_per_execution, 10000, output_tokens, 12000, over_limit",
        "model_calls_per_execution, 5, model_calls, 4, near_limit",
        "model_calls_per_execution, 5, model_calls, 5, over_limit",
        "executions_per_hour, 1, input_tokens, 1, over_limit"
    })
    void every_limit_is_judged(String limit, long maximum, String counter, long used, String reason) {
        register("\"" + limit + "\":" + maximum);
        use("\"" + counter + "\":" + used);
        assertThat(row().get("reasons"))
                .extracting(JsonNode::textValue)
                .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
    }

    @Test
    void small_executions_never_exceed_the_limit_of_one_execution_and_all_executions_count_in_an_hour() {
        register("\"tokens_per_execution\":100,\"executions_per_hour\":10");
        for (int i = 0; i < 5; i++) {
            use("\"input_tokens\":79");
        }
        assertReasons("ok");
        client.report(agent, "without-usage", OutcomeClient.times(3, OutcomeClient.SUCCESS));
        measure();
        assertReasons("degraded", "near_limit");
    }

    @ParameterizedTest
    @CsvSource({
        "'\"tokens_per_hour\":0', tokens_per_hour",
        "'\"tokens_per_day\":1.5', tokens_per_day",
        "'\"executions_per_hour\":\"x\"', executions_per_hour",
        "'\"on_exceeded\":\"stop\"', on_exceeded",
        "'\"count_cached\":7', count_cached",
        "'\"on_exceeded\":\"block\"', on_exceeded",
        "'\"tokens_per_hour\":null,\"on_exceeded\":\"drain\"', on_exceeded",
        "'\"count_cached\":true', count_cached",
        "'\"tokens_per_week\":7', tokens_per_week"
    })
    void a_wrong_limit_is_named(String limits, String field) {
        Response refused = agent.register(",\"expectations\":{\"limits\":{" + limits + "}}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo("expectations.limits." + field);
    }

    @Test
    void settings_need_a_limit_that_is_declared_before_or_with_them_and_end_with_the_last_limit() {
        assertThat(agent.register(",\"expectations\":{\"limits\":{\"on_exceeded\":\"none\",\"count_cached\":false}}")
                        .status())
                .isEqualTo(201);
        Response refused = agent.change("{\"expectations\":{\"limits\":{\"on_exceeded\":\"block\"}}}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo("expectations.limits.on_exceeded");
        change(HOURLY);
        change("\"on_exceeded\":\"block\",\"count_cached\":true");
        assertThat(record().at("/expectations/limits/on_exceeded").textValue()).isEqualTo("block");
        change("\"tokens_per_hour\":null");
        assertThat(record().at("/expectations/limits").isMissingNode()).isTrue();
        change(HOURLY);
        assertThat(record().at("/expectations/limits/on_exceeded").textValue()).isEqualTo("none");
        assertThat(record().at("/expectations/limits/count_cached").booleanValue())
                .isFalse();
    }

    private void change(String limits) {
        assertThat(agent.change("{\"expectations\":{\"limits\":{" + limits + "}}}")
                        .status())
                .isEqualTo(200);
    }
}
