package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeated calls in spans, as loops of their agent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpanLoopsTest {

    private static final String TOOL =
            attribute("gen_ai.operation.name", "execute_tool") + "," + attribute("gen_ai.tool.name", "search");
    /** The requests that count calls: the mapping, the agent, the counted spans, the models of the hour, and the row. */
    private static final String[] COUNT = {
        "BatchGetItem", "BatchGetItem", "Query", "BatchGetItem", "TransactWriteItems", "GetItem"
    };

    private static final String ARGUMENTS = "gen_ai.tool.call.arguments";
    private static final String SECRET = "{\\\"query\\\":\\\"s3cret\\\"}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TelemetryClient client = new TelemetryClient(system);
    private TestAgent agent;
    private Instant now;
    private int calls;

    @BeforeEach
    void registerAgent() {
        now = client.startInTheMiddleOfASlice();
        agent = client.newAgent();
        declare("{\"heartbeat_config\":{\"max_repeats\":10}}");
        calls = 0;
    }

    private void declare(String body) {
        assertThat(agent.change(body).status()).isEqualTo(200);
    }

    private String call(int trace, String attributes) {
        calls++;
        Instant end = now.minusSeconds(600).plusSeconds(calls);
        return raw(trace(trace), id(calls), id(9_999), nanos(end.minusMillis(50)), nanos(end), attributes, 0);
    }

    private static String same(int number) {
        return TOOL + "," + attribute(ARGUMENTS, SECRET);
    }

    /** Sends calls in requests of ten spans, as a batching exporter does. */
    private void send(int number, IntFunction<String> attributes) {
        List<String> spans = new ArrayList<>(IntStream.range(0, number)
                .mapToObj(i -> call(1, attributes.apply(i)))
                .toList());
        for (int from = 0; from < spans.size(); from += 10) {
            send(spans.subList(from, Math.min(spans.size(), from + 10)));
        }
    }

    private void send(List<String> spans) {
        assertThat(client.send(agent, spans.toArray(String[]::new)).status()).isEqualTo(200);
    }

    private JsonNode record() {
        return system.api()
                .get("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
    }

    private boolean isLooping() {
        return record().get("looping").booleanValue();
    }

    @Test
    void identical_calls_are_a_loop_that_ends_with_the_first_different_call() {
        send(25, SpanLoopsTest::same);
        assertThat(isLooping()).isTrue();
        assertThat(agent.pulse().activity().inSpans().repeats()).isEqualTo(19);
        assertThat(agent.pulse().activity().inSpans().tool()).isEqualTo("search");
        assertThat(record().get("activity").isNull()).isTrue();
        assertThat(record().get("looping_repeats").intValue()).isEqualTo(19);
        assertThat(record().get("looping_tool").textValue()).isEqualTo("search");
        send(1, i -> TOOL + "," + attribute(ARGUMENTS, "other"));
        assertThat(isLooping()).isFalse();
    }

    @Test
    void a_loop_ends_with_its_execution() {
        send(25, SpanLoopsTest::same);
        assertThat(isLooping()).isTrue();
        endExecution();
        assertThat(isLooping()).isFalse();
    }

    @Test
    void calls_that_arrive_after_the_end_of_their_execution_are_no_loop() {
        endExecution();
        send(25, SpanLoopsTest::same);
        assertThat(isLooping()).isFalse();
    }

    private void endExecution() {
        Instant end = now.minusSeconds(100);
        send(List.of(raw(
                trace(1),
                id(9_999),
                "",
                nanos(end.minusSeconds(300)),
                nanos(end),
                attribute("gen_ai.operation.name", "invoke_agent"),
                0)));
    }

    @Test
    void a_request_that_arrives_again_counts_once() {
        List<String> spans =
                IntStream.range(0, 9).mapToObj(i -> call(1, same(i))).toList();
        for (int i = 0; i < 5; i++) {
            send(spans);
        }
        assertThat(isLooping()).isFalse();
        send(3, SpanLoopsTest::same);
        assertThat(isLooping()).isTrue();
        assertThat(agent.pulse().activity().inSpans().repeats()).isEqualTo(11);
    }

    @Test
    void different_calls_and_polls_whose_result_changes_are_no_loop() {
        send(25, i -> TOOL + "," + attribute(ARGUMENTS, "page " + i));
        send(25, i -> same(i) + "," + attribute("gen_ai.tool.call.result", i + " %"));
        send(25, i -> TOOL);
        assertThat(isLooping()).isFalse();
        send(25, i -> same(i) + "," + attribute("gen_ai.tool.call.result", "waiting"));
        assertThat(isLooping()).isTrue();
    }

    @Test
    void the_same_calls_of_several_executions_are_no_loop() {
        send(IntStream.range(0, 25).mapToObj(i -> call(i + 1, same(i))).toList());
        assertThat(isLooping()).isFalse();
    }

    @ParameterizedTest(name = "{0} calls in turn")
    @ValueSource(ints = {2, 3, 4, 5})
    void up_to_four_calls_in_turn_are_a_loop(int length) {
        send(11 * length, i -> TOOL + "," + attribute(ARGUMENTS, "argument " + i % length));
        assertThat(isLooping()).isEqualTo(length <= 4);
    }

    @Test
    void without_arguments_the_same_error_is_a_repetition_and_a_success_ends_it() {
        String failed = TOOL + "," + attribute("error.type", "timeout");
        send(6, i -> failed);
        send(1, i -> TOOL);
        send(6, i -> failed);
        assertThat(isLooping()).isFalse();
        send(5, i -> failed);
        assertThat(isLooping()).isTrue();
    }

    @Test
    void model_calls_with_the_same_prompt_are_a_loop_beside_different_tools() {
        send(
                22,
                i -> i % 2 == 0
                        ? attribute("gen_ai.operation.name", "chat") + "," + attribute("gen_ai.input.messages", "[]")
                        : TOOL + "," + attribute(ARGUMENTS, "page " + i));
        assertThat(isLooping()).isTrue();
        assertThat(agent.pulse().activity().inSpans().tool()).isEmpty();
    }

    @Test
    void arguments_may_be_structured_and_other_instrumentations_name_them_otherwise() {
        String structured = TOOL + ",{\"key\":\"" + ARGUMENTS
                + "\",\"value\":{\"kvlistValue\":{\"values\":[{\"key\":\"q\",\"value\":{\"intValue\":\"%s\"}}]}}}";
        send(12, i -> structured.formatted(i));
        assertThat(isLooping()).isFalse();
        send(12, i -> structured.formatted(7));
        assertThat(isLooping()).isTrue();
        send(1, i -> TOOL);
        assertThat(isLooping()).isFalse();
        send(
                12,
                i -> attribute("openinference.span.kind", "TOOL") + "," + attribute("tool.name", "find") + ","
                        + attribute("input.value", "x"));
        assertThat(isLooping()).isTrue();
        assertThat(agent.pulse().activity().inSpans().tool()).isEqualTo("find");
    }

    @Test
    void arguments_are_not_stored() {
        send(25, SpanLoopsTest::same);
        assertThat(system.dynamoDb()
                        .scan(r -> r.tableName(TestTables.REGISTRY))
                        .items()
                        .toString())
                .contains(ItemKind.CALL_HISTORY
                        .key(agent.id())
                        .values()
                        .iterator()
                        .next()
                        .s())
                .doesNotContain("s3cret");
    }

    @Test
    void a_repeated_call_is_no_progress() {
        declare("{\"heartbeat_config\":{\"max_repeats\":null,\"stall_after_seconds\":120}}");
        client.map(TelemetryClient.service(agent), "", agent.id(), ",\"progress\":true");
        agent.sendHeartbeat("active", ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":1200}");
        send(1, SpanLoopsTest::same);
        Instant first = now.minusSeconds(599);
        assertThat(agent.pulse().activity().spanEndedAt()).isEqualTo(first);
        send(200, SpanLoopsTest::same);
        assertThat(agent.pulse().activity().spanEndedAt()).isEqualTo(first);
        send(1, i -> TOOL + "," + attribute(ARGUMENTS, "other"));
        assertThat(agent.pulse().activity().spanEndedAt()).isEqualTo(now.minusSeconds(600 - calls));
    }

    @Test
    void loops_cost_one_read_and_one_write_besides_the_count_of_the_calls() {
        declare("{\"heartbeat_config\":{\"max_repeats\":null}}");
        system.meter().reset();
        send(10, SpanLoopsTest::same);
        assertThat(system.meter().operations()).containsExactly(COUNT);
        declare("{\"heartbeat_config\":{\"max_repeats\":10}}");
        send(12, SpanLoopsTest::same);
        system.meter().reset();
        send(1, SpanLoopsTest::same);
        List<String> withLoops = new ArrayList<>(List.of(COUNT));
        withLoops.addAll(List.of("GetItem", "PutItem"));
        assertThat(system.meter().operations()).containsExactlyElementsOf(withLoops);
    }

    @Test
    void many_executions_at_once_keep_a_bounded_history() {
        for (int i = 0; i < 100; i++) {
            send(List.of(call(i + 1, same(i))));
        }
        assertThat(system.dynamoDb()
                        .getItem(r -> r.tableName(TestTables.REGISTRY).key(ItemKind.CALL_HISTORY.key(agent.id())))
                        .item()
                        .get("calls")
                        .s()
                        .lines())
                .hasSize(8);
    }
}
