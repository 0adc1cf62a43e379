package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.containment.ContainmentReason;
import dev.agenthealth.testkit.TableContents;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Evaluations of executions in log records. */
class EvaluationsTest {

    private static final String LOGS = "/v1/otlp/v1/logs";
    private static final String EXPLANATION = "the-answer-ignores-the-invoice-4711";
    private static final String FAIL = attribute("gen_ai.evaluation.score.label", "fail");
    private static final String PASS = attribute("gen_ai.evaluation.score.label", "pass");

    private final TestSystem system = new TestSystem();
    private final TelemetryClient client = new TelemetryClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private TestAgent agent;
    private Instant now;

    @BeforeEach
    void registerAgent() {
        now = client.startInTheMiddleOfASlice();
        agent = new TestAgent(system, "writer");
        assertThat(agent.register(",\"expectations\":{\"min_quality\":0.8}").status())
                .isEqualTo(201);
        agent.sendHeartbeat();
        client.map("writers", "", "writer");
    }

    @AfterEach
    void close() {
        system.close();
    }

    private String execution(int number) {
        return execution(number, number);
    }

    private String execution(int trace, int number) {
        return raw(
                trace(trace),
                id(number),
                "",
                nanos(now.minusSeconds(9)),
                nanos(now.minusSeconds(8)),
                attribute("gen_ai.operation.name", "invoke_agent"),
                0);
    }

    private void execute(int number) {
        assertThat(client.send(TestSpans.json(
                                "writers",
                                IntStream.rangeClosed(1, number)
                                        .mapToObj(this::execution)
                                        .toArray(String[]::new)))
                        .text())
                .isEqualTo("{}");
    }

    private String record(int trace, String span, String more) {
        return "{\"timeUnixNano\":\"" + nanos(now.minusSeconds(3)) + "\",\"eventName\":\"gen_ai.evaluation.result\","
                + "\"body\":{\"stringValue\":\"" + EXPLANATION + "\"},\"traceId\":\"" + trace(trace)
                + "\",\"spanId\":\"" + span + "\",\"attributes\":["
                + attribute("gen_ai.evaluation.name", "relevance") + ","
                + attribute("gen_ai.evaluation.explanation", EXPLANATION) + "," + more + "]}";
    }

    private String evaluation(int number, String more) {
        return record(number, id(number), more);
    }

    private Response send(String service, String... records) {
        return system.api()
                .post(LOGS)
                .key(TestSystem.AGENT_KEY)
                .header("content-type", "application/json")
                .body("{\"resourceLogs\":[{\"resource\":{\"attributes\":[" + attribute("service.name", service)
                        + "]},\"scopeLogs\":[{\"logRecords\":[" + String.join(",", records) + "]}]}]}")
                .send();
    }

    private JsonNode get(String path) {
        Response answer = system.api().get(path).key(TestSystem.AGENT_KEY).send();
        assertThat(answer.text()).doesNotContain(EXPLANATION);
        return answer.json();
    }

    private JsonNode quality() {
        measurement.handleRequest(Map.of(), null);
        return get("/api/v1/agents/writer/health").get("quality");
    }

    private static String message(Response answer) {
        return answer.json().at("/partialSuccess/errorMessage").asText();
    }

    @Test
    void an_outcome_with_a_quality_and_an_event_for_the_same_execution_count_once() {
        for (int number = 1; number <= 6; number++) {
            assertThat(new OutcomeClient(system)
                            .report(agent, "b-" + number, "{\"result\":\"success\",\"quality\":0.9}")
                            .status())
                    .isEqualTo(202);
        }
        assertThat(quality().get("evaluations").asLong()).isEqualTo(6);
        send("writers", evaluation(1, FAIL), evaluation(2, FAIL));
        assertThat(quality().get("evaluations").asLong()).isEqualTo(6);
        assertThat(quality().get("average").asDouble()).isEqualTo(0.9);
        send(
                "writers",
                IntStream.rangeClosed(1, 6)
                        .mapToObj(number -> evaluation(number, number <= 3 ? FAIL : PASS))
                        .toArray(String[]::new));
        assertThat(quality().get("evaluations").asLong()).isEqualTo(6);
        assertThat(quality().get("average").asDouble()).isEqualTo(0.5);
    }

    @Test
    void eight_of_twenty_successes_that_are_evaluated_as_failed_degrade_the_agent_and_no_explanation_is_kept() {
        execute(20);
        String[] records = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> evaluation(number, number <= 8 ? FAIL : PASS))
                .toArray(String[]::new);
        for (int batch = 0; batch < 3; batch++) {
            Response answer = send("evaluator", records);
            assertThat(answer.text()).isEqualTo("{}");
        }
        JsonNode quality = quality();
        assertThat(quality.get("evaluations").asLong()).isEqualTo(20);
        assertThat(quality.get("average").asDouble()).isEqualTo(0.6);
        assertThat(quality.get("minimum").asDouble()).isEqualTo(0.8);
        JsonNode health = get("/api/v1/agents/writer/health");
        assertThat(health.get("verdict").asText()).isEqualTo("degraded");
        assertThat(health.get("executions").asLong()).isEqualTo(20);
        assertThat(health.get("reasons").get(0).asText())
                .isEqualTo("The average quality of 20 evaluations, 0.6, is below the 0.8 that the agent declares.");
        get("/api/v1/agents/writer");
        JsonNode event = agent.events().stream()
                .filter(each -> each.get("type").asText().equals("agent.health"))
                .reduce((first, last) -> last)
                .orElseThrow();
        assertThat(event.get("low_quality").asBoolean()).isTrue();
        JsonNode listed = system.api()
                .get("/api/v1/agents")
                .query("status", "active")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json()
                .at("/agents/0");
        assertThat(listed.get("health_status").asText()).isEqualTo("degraded");
        assertThat(listed.get("reasons")).extracting(JsonNode::asText).containsExactly("low_quality");
        assertThat(get("/api/v1/agents/writer/health/history")
                        .at("/points/0/quality")
                        .asDouble())
                .isEqualTo(0.6);
        assertThat(agent.events().toString()).doesNotContain(EXPLANATION);
        assertThat(TableContents.of(system.tables()).toString())
                .contains("writer")
                .doesNotContain(EXPLANATION);
        assertThat(ContainmentReason.LOW_QUALITY.wireName()).isEqualTo("low_quality");
    }

    @Test
    void the_reason_ends_with_better_evaluations_and_needs_five_of_them() {
        execute(20);
        send("evaluator", evaluation(1, FAIL), evaluation(2, FAIL), evaluation(3, FAIL), evaluation(4, FAIL));
        quality();
        assertThat(get("/api/v1/agents/writer/health").get("verdict").asText()).isEqualTo("ok");
        send("evaluator", evaluation(5, FAIL));
        quality();
        assertThat(get("/api/v1/agents/writer/health").get("verdict").asText()).isEqualTo("degraded");
        send(
                "evaluator",
                IntStream.rangeClosed(6, 25)
                        .mapToObj(number -> evaluation(number % 20 + 1, PASS))
                        .toArray(String[]::new));
        String[] others = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> record(number, "", PASS))
                .toArray(String[]::new);
        send("evaluator", others);
        quality();
        assertThat(get("/api/v1/agents/writer/health").get("verdict").asText()).isEqualTo("ok");
    }

    @ParameterizedTest
    @CsvSource({
        "stringValue, \"pass\",   '',  1",
        "stringValue, \"Fail\",   0.9, 0",
        "stringValue, \"so-so\",  0.4, 0.4",
        "stringValue, \"so-so\",  1,   1",
        "stringValue, \"so-so\",  0,   0",
    })
    void a_known_label_decides_and_otherwise_the_score(String type, String label, String score, double expected) {
        execute(1);
        String attributes = "{\"key\":\"gen_ai.evaluation.score.label\",\"value\":{\"" + type + "\":" + label + "}}"
                + (score.isEmpty()
                        ? ""
                        : ",{\"key\":\"gen_ai.evaluation.score.value\",\"value\":{\"doubleValue\":" + score + "}}");
        assertThat(send("evaluator", evaluation(1, attributes)).text()).isEqualTo("{}");
        assertThat(quality().get("average").asDouble()).isEqualTo(expected);
    }

    @Test
    void records_that_are_not_used_are_counted_by_reason_without_their_texts() {
        execute(1);
        String old = evaluation(1, PASS).replace(nanos(now.minusSeconds(3)), nanos(now.minusSeconds(400_000)));
        String early = evaluation(1, PASS).replace(nanos(now.minusSeconds(3)), nanos(now.plusSeconds(400)));
        Response answer = send(
                "evaluator",
                evaluation(1, PASS).replace("gen_ai.evaluation.result", "app.log"),
                evaluation(1, PASS).replace("\"eventName\":\"gen_ai.evaluation.result\",", ""),
                record(1, id(1), PASS).replace(trace(1), "0"),
                evaluation(1, PASS).replace("\"timeUnixNano\"", "\"unknown\""),
                evaluation(1, PASS).replace("relevance", ""),
                evaluation(1, PASS + "," + attribute("error.type", "timeout")),
                evaluation(1, attribute("gen_ai.evaluation.score.value", "4.5")),
                old,
                early,
                evaluation(99, PASS),
                "{}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/partialSuccess/rejectedLogRecords").asText())
                .isEqualTo("11");
        assertThat(message(answer))
                .isEqualTo("3 log records are no event gen_ai.evaluation.result; "
                        + "1 log records have no valid trace id, or a span id that is not valid; 1 log records have no time; "
                        + "1 log records have no gen_ai.evaluation.name of 1 to 128 characters without control characters; "
                        + "1 log records report an error of the evaluation instead of a result; "
                        + "1 log records have neither a known gen_ai.evaluation.score.label nor a gen_ai.evaluation.score.value from 0 to 1; "
                        + "1 log records are older than two measurement windows; "
                        + "1 log records are more than 5 minutes ahead of the clock of the registry; "
                        + "1 log records belong to no execution and no agent of this key");
        assertThat(quality().get("evaluations").asLong()).isZero();
    }

    @Test
    void the_agent_of_an_evaluation_is_on_the_record_or_in_the_trace_or_on_the_resource() {
        TestAgent other = TestAgent.registered(system, "other");
        execute(1);
        client.map("others", "", "other");
        send("others", record(1, "", PASS));
        assertThat(client.stored(agent).total().evaluations()).as("the trace").isOne();
        send("writers", evaluation(1, PASS + "," + attribute("agent_health.agent_id", "other")));
        assertThat(client.stored(other).total().evaluations()).as("the record").isOne();
        send("others", evaluation(7, PASS));
        assertThat(client.stored(other).total().evaluations())
                .as("the resource")
                .isEqualTo(2);
        assertThat(client.stored(agent).total().evaluations()).isOne();
    }

    @Test
    void a_trace_of_several_agents_needs_the_span_of_an_execution() {
        TestAgent second = new TestAgent(system, "editor");
        second.register(",\"expectations\":{\"min_quality\":0.5}");
        client.map("editors", "", "editor");
        execute(1);
        client.send(TestSpans.json("editors", execution(1, 2)));
        assertThat(message(send("evaluator", record(1, id(3), PASS)))).contains("several agents");
        assertThat(send("evaluator", record(1, id(2), PASS)).text()).isEqualTo("{}");
        assertThat(client.stored(second).total().evaluations()).isOne();
        assertThat(send("writers", record(1, id(3), PASS)).text())
                .as("the resource decides")
                .isEqualTo("{}");
        assertThat(client.stored(agent).total().evaluations()).isOne();
    }

    @Test
    void a_key_evaluates_only_its_own_agents() {
        execute(1);
        Response answer = system.api()
                .post(LOGS)
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("content-type", "application/json")
                .body("{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":["
                        + evaluation(1, FAIL + "," + attribute("agent_health.agent_id", "writer")) + ","
                        + evaluation(1, FAIL) + "]}]}]}")
                .send();
        assertThat(message(answer)).isEqualTo("2 log records belong to no execution and no agent of this key");
        assertThat(quality().get("evaluations").asLong()).isZero();
    }

    @Test
    void protobuf_is_read_and_answered_as_json_is() {
        execute(1);
        byte[] record = Proto.message(
                Proto.fixed64(11, Long.parseLong(nanos(now))),
                Proto.text(5, EXPLANATION),
                Proto.bytes(6, Proto.attribute("gen_ai.evaluation.name", "relevance")),
                Proto.bytes(6, Proto.attribute("gen_ai.evaluation.score.value", "0.25")),
                Proto.bytes(9, HexFormat.of().parseHex(trace(1))),
                Proto.bytes(10, HexFormat.of().parseHex(id(1))),
                Proto.text(12, "gen_ai.evaluation.result"));
        byte[] other = Proto.text(12, "app.log");
        Response answer = system.api()
                .post(LOGS)
                .key(TestSystem.AGENT_KEY)
                .header("content-type", "application/x-protobuf")
                .body(Proto.bytes(1, Proto.bytes(2, Proto.bytes(2, record), Proto.bytes(2, other))))
                .send();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(Base64.getDecoder().decode(answer.event().getBody()))
                .isEqualTo(Proto.bytes(
                        1, Proto.number(1, 1), Proto.text(2, "1 log records are no event gen_ai.evaluation.result")));
        assertThat(quality().get("average").asDouble()).isEqualTo(0.25);
    }

    @Test
    void an_outcome_carries_a_quality_which_also_counts_in_a_heartbeat_and_once_in_repeated_batches() {
        OutcomeClient outcomes = new OutcomeClient(system);
        String good = "{\"result\":\"success\",\"quality\":1,\"evaluation\":\"relevance\"}";
        String poor = "{\"result\":\"failure\",\"quality\":0.5}";
        for (int batch = 0; batch < 2; batch++) {
            assertThat(outcomes.report(agent, "b-1", good, poor, OutcomeClient.SUCCESS)
                            .status())
                    .isEqualTo(202);
        }
        assertThat(outcomes.report(agent, "b-1", good, good, OutcomeClient.SUCCESS)
                        .status())
                .as("another quality is another content")
                .isEqualTo(422);
        JsonNode quality = quality();
        assertThat(quality.get("evaluations").asLong()).isEqualTo(2);
        assertThat(quality.get("average").asDouble()).isEqualTo(0.75);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "quality    | {\"result\":\"success\",\"quality\":1.01}",
                "quality    | {\"result\":\"success\",\"quality\":-0.01}",
                "quality    | {\"result\":\"success\",\"quality\":\"high\"}",
                "quality    | {\"result\":\"trigger_failure\",\"quality\":1}",
                "evaluation | {\"result\":\"success\",\"evaluation\":\"relevance\"}",
                "evaluation | {\"result\":\"success\",\"quality\":1,\"evaluation\":7}"
            })
    void a_wrong_evaluation_names_its_field(String field, String outcome) {
        Response answer = new OutcomeClient(system).report(agent, "b-1", outcome);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asText()).isEqualTo("outcomes[0]." + field);
        assertThat(List.of(quality().get("evaluations").asLong())).containsExactly(0L);
    }
}
