package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens and calls in spans. */
class SpanUsageTest {

    private final TestSystem system = new TestSystem();
    private final TelemetryClient client = new TelemetryClient(system);
    private TestAgent agent;
    private Instant now;

    @BeforeEach
    void registerAgent() {
        now = client.startInTheMiddleOfASlice();
        agent = client.newAgent();
    }

    @AfterEach
    void close() {
        system.close();
    }

    private static String number(String key, Object value) {
        return "{\"key\":\"" + key + "\",\"value\":{\"intValue\":" + value + "}}";
    }

    private static String tokens(long input, long output) {
        return number("gen_ai.usage.input_tokens", "\"" + input + "\"") + ","
                + number("gen_ai.usage.output_tokens", output);
    }

    private String span(int number, int parent, String attributes) {
        return raw(
                trace(1),
                id(number),
                parent == 0 ? "" : id(parent),
                nanos(now.minusMillis(50)),
                nanos(now),
                attributes,
                0);
    }

    private String model(int number, int parent, String tokens) {
        return span(
                number,
                parent,
                attribute("gen_ai.operation.name", "chat") + "," + attribute("gen_ai.provider.name", "openai") + ","
                        + attribute("gen_ai.response.model", "gpt-5") + "," + tokens);
    }

    private String operation(int number, int parent, String operation, String name, String more) {
        return span(
                number,
                parent,
                attribute("gen_ai.operation.name", operation) + "," + attribute("gen_ai.agent.name", name) + ","
                        + attribute("gen_ai.workflow.name", name) + more);
    }

    private void send(String... spans) {
        assertThat(client.send(agent, spans).status()).isEqualTo(200);
    }

    private JsonNode total() {
        return system.api()
                .get("/api/v1/usage")
                .query("by", "agent")
                .query("agent_id", agent.id())
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json()
                .get("total");
    }

    private void assertTotal(long input, long output, long models, long tools, long executions) {
        JsonNode total = total();
        assertThat(total.get("input_tokens").longValue()).isEqualTo(input);
        assertThat(total.get("output_tokens").longValue()).isEqualTo(output);
        assertThat(total.get("model_calls").longValue()).isEqualTo(models);
        assertThat(total.get("tool_calls").longValue()).isEqualTo(tools);
        assertThat(total.get("executions").longValue()).isEqualTo(executions);
    }

    @Test
    void calls_of_models_and_tools_count_once_however_they_arrive() {
        String one = model(1, 9, tokens(100, 10));
        String other = model(2, 9, tokens(200, 20));
        String tool = span(3, 9, attribute("gen_ai.operation.name", "execute_tool"));
        send(one);
        send(one, other, tool);
        send(operation(9, 0, "invoke_agent", "a", ""));
        send(tool, operation(9, 0, "invoke_agent", "a", ""));
        assertTotal(300, 30, 2, 1, 0);
    }

    @Test
    void a_workflow_around_an_agent_with_calls_counts_once() {
        String sums = "," + tokens(300, 30);
        send(
                operation(8, 0, "invoke_workflow", "flow", sums),
                operation(9, 8, "invoke_agent", "a", sums),
                model(1, 9, tokens(100, 10)),
                model(2, 9, tokens(200, 20)));
        assertTotal(300, 30, 2, 0, 1);
    }

    @Test
    void two_reports_of_one_execution_by_span_and_by_outcome_count_once() {
        send(operation(9, 0, "invoke_agent", "a", ""), model(1, 9, tokens(100, 10)));
        new OutcomeClient(system)
                .report(
                        agent,
                        "b-1",
                        "{\"result\":\"success\",\"usage\":{\"input_tokens\":100,\"output_tokens\":10,\"model_calls\":1}}");
        assertTotal(100, 10, 1, 0, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "gen_ai.usage.prompt_tokens, gen_ai.usage.completion_tokens, gen_ai.usage.cache_read_input_tokens, gen_ai.system, gen_ai.request.model",
        "llm.token_count.prompt, llm.token_count.completion, llm.token_count.prompt_details.cache_read, llm.provider, llm.model_name",
        "gen_ai.usage.input_tokens, gen_ai.usage.output_tokens, gen_ai.usage.cache_read.input_tokens, gen_ai.provider.name, gen_ai.response.model"
    })
    void older_and_other_spellings_are_read(String input, String output, String cached, String provider, String model) {
        send(span(
                1,
                0,
                number(input, 100) + "," + number(output, 10) + "," + number(cached, 40) + ","
                        + attribute(provider, "anthropic") + "," + attribute(model, "m-1")));
        assertTotal(100, 10, 1, 0, 0);
        assertThat(total().get("cache_read_tokens").longValue()).isEqualTo(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "\"none\"", "\"1e999999999\"", "1000000000001", "\"\"", "{\"a\":1}", "null"})
    void a_value_that_is_no_number_of_tokens_counts_nothing(String value) {
        send(span(1, 0, number("gen_ai.usage.input_tokens", value)));
        assertTotal(0, 0, 0, 0, 0);
    }

    @Test
    void spans_of_an_agent_of_another_key_count_nothing() {
        send("{\"traceId\":\"" + trace(1) + "\",\"spanId\":\"" + id(1) + "\",\"startTimeUnixNano\":\""
                + nanos(now) + "\",\"endTimeUnixNano\":\"" + nanos(now) + "\",\"attributes\":["
                + attribute("agent_health.agent_id", "someone-else") + "," + tokens(5, 5) + "]}");
        assertTotal(0, 0, 0, 0, 0);
    }
}
