package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.storage.usage.OpenExecutionStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.telemetry.OpenExecutions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits of a single execution, whose calls arrive in several requests before its own span. */
class SpanExecutionLimitsTest {

    private static final String TOKENS = "\"tokens_per_execution\":10000";
    private static final int EXECUTION = 99;

    private final TestSystem system = new TestSystem();
    private final TelemetryClient client = new TelemetryClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private final TestAgent agent = new TestAgent(system, "spender");
    private Instant now;

    @BeforeEach
    void startInTheMiddleOfASlice() {
        now = client.startInTheMiddleOfASlice();
    }

    @AfterEach
    void close() {
        system.close();
    }

    private void limit(String limits) {
        Response answer = agent.register(",\"expectations\":{\"limits\":{" + limits + "}}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        agent.sendHeartbeat();
        client.map(TelemetryClient.service(agent), "", agent.id());
    }

    private String span(int number, int parent, String attributes) {
        String around = parent == 0 ? "" : id(parent);
        return raw(trace(1), id(number), around, nanos(now.minusMillis(50)), nanos(now), attributes, 0);
    }

    private String call(int number, int parent, long tokens) {
        return span(
                number,
                parent,
                attribute("gen_ai.operation.name", "chat")
                        + ",{\"key\":\"gen_ai.usage.input_tokens\",\"value\":{\"intValue\":" + tokens + "}}");
    }

    private String execution(int number, int parent) {
        return span(
                number,
                parent,
                attribute("gen_ai.operation.name", "invoke_agent") + "," + attribute("gen_ai.agent.name", "a"));
    }

    private void send(String... spans) {
        Response answer = client.send(agent, spans);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private List<String> reasons() {
        measurement.handleRequest(Map.of(), null);
        JsonNode row = system.api()
                .get("/api/v1/agents")
                .query("status", "active")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json()
                .at("/agents/0");
        List<String> reasons = new ArrayList<>();
        row.get("reasons").forEach(reason -> reasons.add(reason.textValue()));
        return reasons;
    }

    private List<Long> used() {
        return agent.events().stream()
                .filter(event -> event.get("type").textValue().equals("agent.usage"))
                .map(event -> event.get("used").longValue())
                .toList();
    }

    private OpenExecutions open() {
        return new OpenExecutionStore(system.database()).find(agent.id());
    }

    @Test
    void an_execution_that_goes_on_exceeds_its_limit_before_its_span_arrives() {
        limit(TOKENS);
        send(call(1, EXECUTION, 5_000));
        assertThat(reasons()).isEmpty();
        send(call(2, EXECUTION, 3_500));
        assertThat(reasons()).containsExactly("near_limit");
        send(call(3, EXECUTION, 3_500));
        assertThat(reasons()).containsExactly("over_limit");
        send(execution(EXECUTION, 0));
        assertThat(reasons()).containsExactly("over_limit");
        assertThat(used()).containsExactly(8_500L, 12_000L);
    }

    @Test
    void calls_of_models_are_limited_likewise() {
        limit("\"model_calls_per_execution\":3");
        send(call(1, EXECUTION, 1));
        send(call(2, EXECUTION, 1));
        assertThat(reasons()).isEmpty();
        send(call(3, EXECUTION, 1));
        assertThat(reasons()).containsExactly("over_limit");
    }

    @Test
    void a_repeated_request_counts_once() {
        limit(TOKENS);
        for (int i = 0; i < 3; i++) {
            send(call(1, EXECUTION, 4_000));
        }
        assertThat(reasons()).isEmpty();
        assertThat(open().sums()).extracting(sum -> sum.usage().tokens(true)).containsExactly(4_000L);
    }

    @Test
    void calls_below_the_steps_of_a_workflow_belong_to_its_execution() {
        limit(TOKENS);
        String step = attribute("gen_ai.operation.name", "step");
        send(call(1, 21, 4_000));
        send(span(21, EXECUTION, step), call(2, 22, 4_000));
        assertThat(reasons()).isEmpty();
        send(span(22, EXECUTION, step), call(3, EXECUTION, 1));
        assertThat(reasons()).containsExactly("near_limit");
        assertThat(used()).containsExactly(8_001L);
    }

    @Test
    void executions_beside_each_other_in_one_trace_do_not_share_a_limit() {
        limit(TOKENS);
        send(call(1, 31, 7_000), call(2, 32, 7_000));
        send(execution(31, 30), execution(32, 30), call(3, 33, 7_000), execution(33, 30));
        assertThat(reasons()).isEmpty();
    }

    @Test
    void odd_ids_of_parents_cost_no_later_request() {
        limit(TOKENS);
        send(call(1, EXECUTION, 4_000).replace(id(EXECUTION), "5\\n 5"));
        send(call(2, 21, 4_000), span(21, EXECUTION, "").replace(id(EXECUTION), "x y"));
        send(call(3, EXECUTION, 4_000));
        assertThat(open().sums()).extracting(sum -> sum.usage().tokens(true)).containsExactly(4_000L, 4_000L);
    }

    @Test
    void agents_without_such_a_limit_store_no_sums() {
        limit("\"tokens_per_hour\":10000");
        send(call(1, EXECUTION, 7_000));
        assertThat(open()).isEqualTo(OpenExecutions.NONE);
    }

    @Test
    void requests_at_the_same_time_lose_no_call() throws Exception {
        limit("\"tokens_per_execution\":1000000");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 1; i <= 12; i++) {
                int number = i;
                sent.add(threads.submit(() -> {
                    while (client.send(agent, call(number, EXECUTION, 100)).status() != 200) {
                        Thread.onSpinWait();
                    }
                }));
            }
            for (Future<?> one : sent) {
                one.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(open().sums()).extracting(sum -> sum.usage().tokens(true)).containsExactly(1_200L);
    }
}
