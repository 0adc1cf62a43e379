package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.span;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.LatencyBuckets;
import dev.agenthealth.model.registry.outcome.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The cost of spans, by the capacity that DynamoDB reports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TelemetryBudgetTest {

    /** The budget of a slice that a request touches. */
    private static final int MAX_UNITS = 4;

    private static final int REQUESTS = 80;
    private static final int SPANS = 250;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TelemetryClient client = new TelemetryClient(system);
    private Instant now;

    @BeforeEach
    void startInTheMiddleOfASlice() {
        now = client.startInTheMiddleOfASlice();
    }

    @Test
    void a_few_spans_cost_two_reads_and_one_write_of_one_unit() {
        TestAgent agent = client.newAgent();
        client.send(agent, span(1, now, "Planner"));
        for (int i = 0; i < 10; i++) {
            system.meter().reset();
            client.send(agent, span(2 * i + 2, now, "Planner"), span(2 * i + 3, now, "Planner"));
            assertThat(system.meter().operations())
                    .as("mapping, agent, slice, slice")
                    .containsExactly("BatchGetItem", "BatchGetItem", "Query", "UpdateItem");
            assertThat(system.meter().writeUnits()).isEqualTo(1);
        }
    }

    @Test
    void three_hundred_spans_of_a_slice_cost_at_most_four_write_units() {
        TestAgent agent = client.newAgent();
        client.send(agent, varied(0, 63));
        client.stored(agent).settle(now.plusSeconds(1_800));
        system.meter().reset();
        client.send(agent, varied(63, 295));
        assertThat(client.stored(agent).sizesOfParts())
                .singleElement()
                .satisfies(bytes -> assertThat(bytes).isGreaterThan(2_800).isLessThan(3 * 1_024));
        assertThat(client.stored(agent).total().latencies().counts()).hasSize(LatencyBuckets.COUNT);
        assertThat(system.meter().writeUnits()).isLessThanOrEqualTo(MAX_UNITS);
        assertThat(client.executions(agent)).isEqualTo(358);
    }

    @Test
    @Tag("slow")
    void the_cost_of_spans_does_not_grow_with_the_number_of_spans_in_their_slice() {
        TestAgent agent = client.newAgent();
        for (int i = 0; i < REQUESTS; i++) {
            system.meter().reset();
            client.send(agent, request(i));
            assertThat(system.meter().readUnits()).as("request %d", i).isLessThan(25);
            assertThat(system.meter().calls()).as("request %d", i).hasSizeLessThan(10);
        }
        client.send(agent, request(0));
        client.send(agent, request(REQUESTS - 1));
        assertThat(client.executions(agent)).isEqualTo(20_000);
    }

    @Test
    @Tag("slow")
    void parts_of_spans_have_names_that_sort_in_their_order_however_many_there_are() {
        TestAgent agent = client.newAgent();
        for (int i = 0; i < REQUESTS; i++) {
            client.send(agent, request(i));
        }
        List<String> names = client.stored(agent).parts().stream()
                .map(part -> part.get("sk").s().split("#")[3])
                .toList();
        assertThat(names).isSorted().hasSizeGreaterThan(50).allMatch(name -> name.matches("5(0|[a-w][0-3]+)0[0-7]"));
    }

    /** 250 spans that end within ten seconds; those of each request later than those of the one before. */
    private String[] request(int request) {
        return IntStream.range(0, SPANS)
                .mapToObj(i -> span(SPANS * request + i + 1, now.minusSeconds(800 - 10 * request), "Planner"))
                .toArray(String[]::new);
    }

    @Test
    void a_duplicate_writes_nothing() {
        TestAgent agent = client.newAgent();
        client.send(agent, span(1, now, "Planner"));
        system.meter().reset();
        client.send(agent, span(1, now, "Planner"));
        assertThat(system.meter().writeUnits()).isZero();
    }

    @Test
    @Tag("slow")
    void ten_thousand_spans_of_five_hundred_agents_fit_into_one_request() {
        List<String> spans = new ArrayList<>();
        for (int agent = 0; agent < 500; agent++) {
            String id = "fleet-" + agent;
            TestAgent.registered(system, id);
            for (int i = 0; i < 20; i++) {
                spans.add(raw(
                        trace(agent + 1),
                        id(i + 1),
                        "",
                        nanos(now.minusSeconds(1)),
                        nanos(now),
                        attribute("gen_ai.operation.name", "invoke_agent") + ","
                                + attribute("agent_health.agent_id", id),
                        0));
            }
        }
        byte[] body = TelemetryClient.gzip(
                TestSpans.json("fleet", spans.toArray(new String[0])).getBytes(StandardCharsets.UTF_8));
        assertThat(body.length).isLessThan(TelemetryBody.MAX_SENT_BYTES);
        client.send("{}");
        system.meter().reset();
        assertThat(client.json(TestSystem.AGENT_KEY)
                        .header("content-encoding", "gzip")
                        .body(body)
                        .send()
                        .text())
                .isEqualTo("{}");
        assertThat(system.meter().operations()).hasSize(500 * 3);
        assertThat(system.meter().writeUnits()).isLessThanOrEqualTo(500 * MAX_UNITS);
        assertThat(client.executions(new TestAgent(system, "fleet-499"))).isEqualTo(20);
    }

    @Test
    void a_full_part_is_followed_by_another_one() {
        TestAgent agent = client.newAgent();
        for (int i = 0; i < 3; i++) {
            client.send(agent, varied(i * 100, 100));
            client.send(agent, varied(i * 100, 100));
        }
        client.send(agent, varied(200, 500));
        assertThat(client.stored(agent).batchesOfParts()).containsExactly(100, 100, 100, 295, 105);
        assertThat(client.executions(agent)).isEqualTo(700);
    }

    /** Executions that succeed and fail in every way, and take every time that is counted apart. */
    private String[] varied(int from, int count) {
        String[] spans = new String[count];
        for (int i = 0; i < count; i++) {
            double ms = Math.min(Outcome.MAX_LATENCY_MS, LatencyBuckets.value((from + i) % LatencyBuckets.COUNT));
            List<String> errors = List.of("timeout", "404", "500", "ParseError", "other");
            spans[i] = raw(
                    trace(1),
                    id(from + i + 1),
                    "",
                    nanos(now.minus(Duration.ofNanos((long) (ms * 1_000_000)))),
                    nanos(now),
                    attribute("gen_ai.operation.name", "invoke_agent") + ","
                            + attribute("error.type", errors.get(i % 5)),
                    i % 2 == 0 ? 1 : 2);
        }
        return spans;
    }
}
