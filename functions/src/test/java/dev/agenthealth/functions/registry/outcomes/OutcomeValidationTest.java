package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch is accepted as a whole or not at all, and a refusal names every invalid field with its index. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
class OutcomeValidationTest {

    private static final String MAX_ID = "b".repeat(128);

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);
    private TestAgent agent;

    @BeforeAll
    void register() {
        agent = client.newAgent("agent_1", 300);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                body("{}", "outcomes", "batch_id"),
                body("{\"outcomes\":[" + SUCCESS + "]}", "batch_id"),
                body("{\"batch_id\":\"\",\"outcomes\":[" + SUCCESS + "]}", "batch_id"),
                body("{\"batch_id\":null,\"outcomes\":[" + SUCCESS + "]}", "batch_id"),
                body("{\"batch_id\":7,\"outcomes\":[" + SUCCESS + "]}", "batch_id"),
                body("{\"batch_id\":\"a\\u0000b\",\"outcomes\":[" + SUCCESS + "]}", "batch_id"),
                body("{\"batch_id\":\"b" + MAX_ID + "\",\"outcomes\":[" + SUCCESS + "]}", "batch_id"),
                body("{\"batch_id\":\"b\"}", "outcomes"),
                body("{\"batch_id\":\"b\",\"outcomes\":null}", "outcomes"),
                body("{\"batch_id\":\"b\",\"outcomes\":[]}", "outcomes"),
                body("{\"batch_id\":\"b\",\"outcomes\":{}}", "outcomes"),
                body("{\"batch_id\":\"b\",\"outcomes\":\"success\"}", "outcomes"),
                body("{\"batch_id\":\"b\",\"outcomes\":[\"success\"]}", "outcomes[0]"),
                body("{\"batch_id\":\"b\",\"outcomes\":[" + SUCCESS + ",null]}", "outcomes[1]"),
                body("{\"batch_id\":\"b\",\"outcomes\":[" + SUCCESS + "],\"agent_id\":\"x\"}", "agent_id"),
                outcome("{}", "result"),
                outcome("{\"result\":null}", "result"),
                outcome("{\"result\":\"\"}", "result"),
                outcome("{\"result\":\"SUCCESS\"}", "result"),
                outcome("{\"result\":\"ok\"}", "result"),
                outcome("{\"result\":\"success\\u0000\"}", "result"),
                outcome("{\"result\":true}", "result"),
                outcome("{\"result\":\"success\",\"error_type\":\"timeout\"}", "error_type"),
                outcome("{\"result\":\"trigger_failure\",\"error_type\":\"timeout\"}", "error_type"),
                outcome("{\"result\":\"failure\",\"error_type\":\"slow\"}", "error_type"),
                outcome("{\"result\":\"failure\",\"error_type\":\"\"}", "error_type"),
                outcome("{\"result\":\"failure\",\"error_type\":5}", "error_type"),
                outcome("{\"result\":\"success\",\"latency_ms\":-1}", "latency_ms"),
                outcome("{\"result\":\"success\",\"latency_ms\":-0.001}", "latency_ms"),
                outcome("{\"result\":\"success\",\"latency_ms\":2592000000.001}", "latency_ms"),
                outcome("{\"result\":\"success\",\"latency_ms\":1e400}", "latency_ms"),
                outcome("{\"result\":\"success\",\"latency_ms\":-1e-400}", "latency_ms"),
                outcome("{\"result\":\"success\",\"latency_ms\":1e-400}", "latency_ms"),
                outcome("{\"result\":\"success\",\"latency_ms\":\"5\"}", "latency_ms"),
                outcome("{\"result\":\"trigger_failure\",\"latency_ms\":5}", "latency_ms"),
                outcome("{\"result\":\"trigger_failure\",\"sla_breached\":false}", "sla_breached"),
                outcome("{\"result\":\"success\",\"sla_breached\":1}", "sla_breached"),
                outcome("{\"result\":\"success\",\"occurred_at\":1770544800}", "occurred_at"),
                outcome("{\"result\":\"success\",\"occurred_at\":\"2026-02-08T10:00:00\"}", "occurred_at"),
                outcome("{\"result\":\"success\",\"occurred_at\":\"-999999999-01-01T00:00:00Z\"}", "occurred_at"),
                outcome("{\"result\":\"success\",\"occurred_at\":\"+999999999-12-31T23:59:59Z\"}", "occurred_at"),
                outcome("{\"result\":\"success\",\"latency\":5}", "latency"),
                outcome(
                        """
                                {"result":"trigger_failure","error_type":"no","latency_ms":-5,"sla_breached":0,\
                                "occurred_at":"now","x":1}\
                                """,
                        "error_type",
                        "latency_ms",
                        "occurred_at",
                        "sla_breached",
                        "x"));
    }

    private static Arguments body(String body, String... mistakes) {
        return Arguments.of(body, List.of(mistakes));
    }

    /** The outcome is the second one, after a valid one. */
    private static Arguments outcome(String outcome, String... mistakes) {
        return Arguments.of(
                "{" + OutcomeClient.batch("b", SUCCESS, outcome) + "}",
                Stream.of(mistakes).map(field -> "outcomes[1]." + field).toList());
    }

    @ParameterizedTest
    @MethodSource("refused")
    void every_error_is_reported_and_nothing_is_counted(String body, List<String> mistakes) {
        Response response = client.send(TestSystem.AGENT_KEY, agent.id(), body);
        assertThat(mistakes(response)).isEqualTo(mistakes);
        assertThat(response.json().path("error").textValue()).isEqualTo("invalid_request");
        assertThat(response.json().findValuesAsText("message"))
                .allSatisfy(message -> assertThat(message).isNotBlank());
        assertThat(client.stored(agent).parts()).isEmpty();
        assertThat(client.stored(agent).expiriesOfArrivals()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'', is required", "',\"outcomes\":[]', must hold at least one outcome"})
    void a_batch_without_outcomes_and_an_empty_one_are_told_apart(String outcomes, String message) {
        Response response = client.send(TestSystem.AGENT_KEY, agent.id(), "{\"batch_id\":\"b\"" + outcomes + "}");
        assertThat(response.json().findValuesAsText("message")).containsExactly(message);
    }

    @Test
    void errors_of_many_outcomes_are_all_reported() {
        Response response =
                client.report(agent, "b", OutcomeClient.times(500, "{\"result\":\"ok\",\"latency_ms\":-1}"));
        assertThat(mistakes(response)).hasSize(1_000).startsWith("outcomes[0].result", "outcomes[0].latency_ms");
        assertThat(response.json().path("detail").textValue()).isEqualTo("1000 fields of the request are not valid.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "[]",
                "\"x\"",
                "{",
                "{\"batch_id\":\"b\",\"batch_id\":\"b\"}",
                "{\"batch_id\":\"b\",\"outcomes\":[{\"latency_ms\":NaN}]}"
            })
    void a_body_that_is_not_a_json_object_is_refused(String body) {
        Response response = client.send(TestSystem.AGENT_KEY, agent.id(), body);
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("error").textValue()).isEqualTo("malformed_request");
    }

    @Test
    void a_body_that_is_too_large_is_refused() {
        Response response =
                client.send(TestSystem.AGENT_KEY, agent.id(), "{\"batch_id\":\"" + "b".repeat(262_144) + "\"}");
        assertThat(response.status()).isEqualTo(413);
    }

    @Test
    void an_invalid_agent_id_is_refused() {
        assertThat(mistakes(client.send(TestSystem.AGENT_KEY, "a~b", "{}"))).containsExactly("agent_id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"result\":\"success\",\"latency_ms\":0}",
                "{\"result\":\"success\",\"latency_ms\":-0.0}",
                "{\"result\":\"success\",\"latency_ms\":1e-100}",
                "{\"result\":\"success\",\"latency_ms\":2592000000}",
                "{\"result\":\"failure\",\"error_type\":\"other\",\"latency_ms\":1.5e3}",
                "{\"result\":\"success\",\"occurred_at\":\"2026-02-08T11:00:00.123456789+01:00\"}"
            })
    void values_at_the_bounds_are_accepted(String outcome) {
        TestAgent fresh = client.newAgent("agent_" + Integer.toHexString(outcome.hashCode()), 300);
        assertAccepted(client.report(fresh, MAX_ID, outcome), 1, false);
        assertThat(client.stored(fresh).total().executions()).isEqualTo(1);
    }
}
