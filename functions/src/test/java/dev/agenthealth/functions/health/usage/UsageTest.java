package dev.agenthealth.functions.health.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens and calls that outcomes and spans report, and their totals. */
class UsageTest {

    private static final String GPT = "\"model\":\"gpt-5\",\"provider\":\"openai\"";

    private final TestSystem system = new TestSystem();
    private final OutcomeClient client = new OutcomeClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private TestAgent agent;

    @BeforeEach
    void registerAgent() {
        agent = new TestAgent(system, "spender");
        assertThat(agent.register("").status()).isEqualTo(201);
    }

    @AfterEach
    void close() {
        system.close();
    }

    private static String outcome(String usage) {
        return "{\"result\":\"success\",\"usage\":{" + usage + "}}";
    }

    private void measure() {
        measurement.handleRequest(Map.of(), null);
    }

    private Response get(String key, String query) {
        TestApi.Request request = system.api().get("/api/v1/usage").key(key);
        for (String parameter : query.isEmpty() ? new String[0] : query.split("&")) {
            request = request.query(parameter.split("=")[0], parameter.split("=")[1]);
        }
        return request.send();
    }

    private JsonNode usage(String query) {
        Response response = get(TestSystem.COORDINATOR_KEY, query);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    private JsonNode total() {
        return usage("by=agent&agent_id=spender").at("/total");
    }

    @Test
    void a_repeated_batch_counts_once() {
        String outcome = outcome("\"input_tokens\":900,\"output_tokens\":100,\"model_calls\":3," + GPT);
        assertThat(client.report(agent, "b-1", outcome).status()).isEqualTo(202);
        assertThat(client.report(agent, "b-1", outcome).json().get("duplicate").booleanValue())
                .isTrue();
        assertThat(total().get("input_tokens").longValue()).isEqualTo(900);
        assertThat(total().get("model_calls").longValue()).isEqualTo(3);
        assertThat(total().get("executions").longValue()).isEqualTo(1);
        String other = outcome("\"input_tokens\":901");
        assertThat(client.report(agent, "b-1", other).status()).isEqualTo(422);
        assertThat(total().get("input_tokens").longValue()).isEqualTo(900);
    }

    @Test
    void totals_of_role_owner_model_and_provider_contain_each_report_once() {
        client.report(agent, "b-1", outcome("\"input_tokens\":900," + GPT));
        measure();
        measure();
        client.report(agent, "b-2", outcome("\"output_tokens\":100," + GPT), outcome("\"input_tokens\":7"));
        measure();
        for (String step : new String[] {"hour", "day"}) {
            JsonNode roles = usage("by=role&step=" + step);
            assertThat(roles.at("/series/0/id").textValue()).isEqualTo("worker");
            assertThat(roles.at("/series/0/total/input_tokens").longValue()).isEqualTo(907);
            assertThat(usage("by=owner&step=" + step)
                            .at("/series/0/total/output_tokens")
                            .longValue())
                    .isEqualTo(100);
            assertThat(usage("by=model&step=" + step).at("/series/0/id").textValue())
                    .isEqualTo("gpt-5");
            assertThat(usage("by=model&step=" + step)
                            .at("/series/0/total/input_tokens")
                            .longValue())
                    .isEqualTo(900);
            assertThat(usage("by=provider&step=" + step).at("/series/1/id").textValue())
                    .isEmpty();
            assertThat(usage("by=agent&role_id=worker&step=" + step)
                            .at("/total/input_tokens")
                            .longValue())
                    .isEqualTo(907);
        }
    }

    @Test
    void the_source_with_the_most_tokens_counts() {
        client.report(agent, "b-1", outcome("\"input_tokens\":900," + GPT));
        measure();
        Response coordinator =
                client.report(TestSystem.COORDINATOR_KEY, agent, "c-1", outcome("\"input_tokens\":1000," + GPT));
        assertThat(coordinator.status()).isEqualTo(202);
        measure();
        assertThat(total().get("input_tokens").longValue()).isEqualTo(1_000);
        assertThat(usage("by=role").at("/total/input_tokens").longValue()).isEqualTo(1_000);
    }

    @Test
    void cached_tokens_that_are_more_than_the_input_are_beside_it() {
        client.report(agent, "b-1", outcome("\"input_tokens\":5,\"cache_read_tokens\":20"));
        client.report(agent, "b-2", outcome("\"input_tokens\":50,\"cache_read_tokens\":20"));
        assertThat(total().get("input_tokens").longValue()).isEqualTo(75);
        assertThat(total().get("cache_read_tokens").longValue()).isEqualTo(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"by=agent&agent_id=spender", "by=role", "by=agent&agent_id=spender&step=day"})
    void a_period_in_the_future_has_no_usage(String query) {
        client.report(agent, "b-1", outcome("\"input_tokens\":5"));
        measure();
        assertThat(usage(query + "&to=2199-01-01T00:00:00Z").at("/series/0/points"))
                .isEmpty();
        assertThat(usage(query + "&to=2199-01-01T00:00:00Z")
                        .at("/total/input_tokens")
                        .longValue())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'\"input_tokens\":-1', input_tokens",
        "'\"output_tokens\":1000000000001', output_tokens",
        "'\"cache_read_tokens\":\"many\"', cache_read_tokens",
        "'\"model_calls\":1.5', model_calls",
        "'\"tool_calls\":true', tool_calls",
        "'\"model\":7', model",
        "'\"executions\":7', executions"
    })
    void a_wrong_field_is_named_and_changes_nothing(String usage, String field) {
        Response refused = client.report(agent, "b-1", outcome(usage));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo("outcomes[0].usage." + field);
        assertThat(total().get("executions").longValue()).isZero();
    }

    @Test
    void wrong_usage_in_a_heartbeat_never_costs_the_heartbeat() {
        Response answer = agent.sendHeartbeat(
                "active", ",\"batch_id\":\"b-1\",\"outcomes\":[" + outcome("\"input_tokens\":-1") + "]");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("outcomes").toString()).contains("outcomes[0].usage.input_tokens");
        assertThat(total().get("executions").longValue()).isZero();
    }

    @Test
    void further_models_of_an_hour_count_together() {
        for (int model = 0; model < 40; model++) {
            client.report(agent, "b-" + model, outcome("\"input_tokens\":1,\"model\":\"model-" + model + "\""));
        }
        measure();
        JsonNode models = usage("by=model");
        assertThat(models.at("/series")).hasSize(17);
        assertThat(models.at("/series/0/id").textValue()).isEqualTo("other");
        assertThat(models.at("/total/input_tokens").longValue()).isEqualTo(40);
    }

    @Test
    void csv_has_a_line_for_each_point_and_no_formulas() {
        client.report(agent, "b-1", outcome("\"input_tokens\":5,\"model\":\"=1+1,\\\"x\""));
        measure();
        Response csv = get(TestSystem.COORDINATOR_KEY, "by=model&format=csv");
        assertThat(csv.header("Content-Type")).startsWith("text/csv");
        assertThat(csv.text().split("\r\n")[0])
                .isEqualTo("model,at,input_tokens,output_tokens,cache_read_tokens,model_calls,tool_calls,executions");
        assertThat(csv.text().split("\r\n")[1]).startsWith("\"'=1+1,\"\"x\",").endsWith(",5,0,0,0,0,1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "by=agent",
                "by=week",
                "by=agent&agent_id=a&role_id=b",
                "by=role&agent_id=a",
                "by=model&role_id=b",
                "by=role&step=hour&from=2026-01-01T00:00:00Z",
                "by=role&from=2020-01-01T00:00:00Z",
                "by=role&x=1"
            })
    void a_wrong_query_is_refused(String query) {
        Response refused = get(TestSystem.COORDINATOR_KEY, query);
        assertThat(refused.status()).as(query).isEqualTo(400);
    }

    @Test
    void usage_of_an_agent_that_does_not_exist_is_not_found() {
        Response missing = get(TestSystem.COORDINATOR_KEY, "by=agent&agent_id=nobody");
        assertThat(missing.status()).isEqualTo(404);
    }

    @Test
    void the_key_of_an_agent_reads_its_own_agents_only() {
        client.report(agent, "b-1", outcome("\"input_tokens\":7," + GPT));
        Response own = get(TestSystem.AGENT_KEY, "by=agent&agent_id=" + agent.id());

        assertThat(own.json().at("/total/input_tokens").asLong()).isEqualTo(7);
        assertThat(get(TestSystem.OTHER_AGENT_KEY, "by=agent&agent_id=" + agent.id())
                        .status())
                .isEqualTo(403);
        for (String all : List.of("by=role", "by=owner", "by=model", "by=provider", "by=agent&role_id=coder")) {
            assertThat(get(TestSystem.AGENT_KEY, all).status()).as(all).isEqualTo(403);
        }
    }

    @Test
    void usage_is_kept_for_90_days() {
        client.report(agent, "b-1", outcome("\"input_tokens\":5"));
        measure();
        String from = system.clock().instant().minus(Duration.ofDays(1)).toString();
        system.clock().advance(Duration.ofDays(88));
        assertThat(usage("by=role&step=day&from=" + from)
                        .at("/total/input_tokens")
                        .longValue())
                .isEqualTo(5);
    }
}
