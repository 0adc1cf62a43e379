package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TelemetryClient.service;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.span;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Spans that mean an execution of an agent are outcomes of it, each once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TelemetryTest {

    private static final String EMPTY = "{}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TelemetryClient client = new TelemetryClient(system);
    private Instant now;

    @BeforeEach
    void startInTheMiddleOfASlice() {
        now = client.startInTheMiddleOfASlice();
    }

    @Test
    void executions_count_for_health_and_never_for_reputation() {
        TestAgent agent = client.newAgent();
        Response response = client.send(
                agent,
                span(1, now, "Planner"),
                span(2, 0, now, "Planner", 2, "," + attribute("error.type", "timeout")),
                span(3, 0, now, "Planner", 2, ""));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text()).isEqualTo(EMPTY);
        OutcomeCounts total = client.stored(agent).total();
        assertThat(total.get(OutcomeCounter.TELEMETRY_SUCCESSES)).isEqualTo(1);
        assertThat(total.get(OutcomeCounter.TELEMETRY_FAILURES)).isEqualTo(2);
        assertThat(total.get(OutcomeCounter.TIMEOUTS)).isEqualTo(1);
        assertThat(total.get(OutcomeCounter.OTHER_ERRORS)).isEqualTo(1);
        assertThat(total.get(OutcomeCounter.LATENCY_MICROS)).isEqualTo(3 * 250_000);
        assertThat(client.stored(agent).isDue()).as("its health is due").isTrue();
        assertThat(system.api()
                        .get("/v1/trust/agents/" + agent.id())
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .json()
                        .path("reputation_score")
                        .asDouble())
                .isEqualTo(0.5);
    }

    @Test
    void a_delivery_that_is_repeated_or_overlaps_another_one_counts_each_span_once() {
        TestAgent agent = client.newAgent();
        String[] spans = new String[100];
        for (int i = 0; i < spans.length; i++) {
            spans[i] = span(i + 1, now, "Planner");
        }
        client.send(agent, spans);
        client.send(agent, spans);
        client.send(agent, spans[3], spans[3]);
        client.send(agent, spans[98], spans[99], span(101, now, "Planner"), span(102, now, "Planner"));
        assertThat(client.executions(agent)).isEqualTo(102);
    }

    @Test
    void of_nested_spans_of_one_agent_the_outermost_counts_and_agents_that_it_calls_count_on_their_own() {
        TestAgent planner = client.newAgent();
        TestAgent writer = TestAgent.registered(system, "writer");
        client.map(service(planner), "Writer", writer.id());
        client.send(
                planner,
                span(3, 2, now.minusMillis(1), "Planner", 2, ""),
                raw(trace(1), id(2), id(1), nanos(now), nanos(now), attribute("gen_ai.operation.name", "chat"), 0),
                span(1, 0, now, "Planner", 0, ""),
                span(4, 3, now, "Writer", 0, ""));
        assertThat(client.executions(planner)).isEqualTo(1);
        assertThat(client.stored(planner).total().failures()).isZero();
        assertThat(client.executions(writer)).isEqualTo(1);
    }

    @Test
    void nested_spans_in_different_requests_count_once_where_the_name_of_the_outermost_alone_is_mapped() {
        TestAgent ofName = TestAgent.registered(system, "of-name");
        client.map("by-name", "Workflow", ofName.id());
        TestAgent ofService = client.newAgent();
        for (String service : List.of("by-name", service(ofService))) {
            client.send(TestSpans.json(service, span(2, 1, now, "Planner", 0, "")));
            client.send(TestSpans.json(service, span(1, 0, now, "Workflow", 0, "")));
        }
        assertThat(client.executions(ofName)).isEqualTo(1);
        assertThat(client.executions(ofService))
                .as("the limit that the guide names")
                .isEqualTo(2);
    }

    @Test
    void an_agent_id_in_a_span_or_its_resource_comes_before_the_mapping() {
        TestAgent mapped = client.newAgent();
        TestAgent named = TestAgent.registered(system, "named");
        client.send(mapped, span(1, 0, now, "Planner", 0, "," + attribute("agent_health.agent_id", named.id())));
        client.send(TestSpans.ofResource(
                attribute("service.name", service(mapped)) + "," + attribute("agent_health.agent_id", named.id()),
                "",
                span(2, now, "Planner")));
        assertThat(client.executions(mapped)).isZero();
        assertThat(client.executions(named)).isEqualTo(2);
    }

    @Test
    void an_id_of_the_agent_in_the_conventions_is_never_read() {
        TestAgent agent = TestAgent.registered(system, "by-id");
        Response response = client.send(TestSpans.json(
                "unmapped", span(1, 0, now, "Planner", 0, "," + attribute("gen_ai.agent.id", agent.id()))));
        assertRejected(response, 1, "belong to no agent of this key");
        assertThat(client.executions(agent)).isZero();
    }

    @Test
    void spans_of_agents_of_other_keys_and_of_unknown_agents_are_rejected_alike() {
        TestAgent agent = client.newAgent();
        for (String id : List.of(agent.id(), "unknown-agent")) {
            Response response = client.json(TestSystem.OTHER_AGENT_KEY)
                    .body(TestSpans.json(
                            service(agent),
                            span(1, 0, now, "Planner", 0, "," + attribute("agent_health.agent_id", id))))
                    .send();
            assertRejected(
                    response,
                    1,
                    "1 spans belong to no agent of this key, such as span '" + id(1) + "' of agent_health.agent_id '"
                            + id + "'");
        }
        assertRejected(
                client.json(TestSystem.OTHER_AGENT_KEY)
                        .body(TestSpans.json(service(agent), span(1, now, "Planner")))
                        .send(),
                1,
                "of agent 'Planner' of service '" + service(agent) + "'");
        assertThat(client.executions(agent)).isZero();
    }

    @Test
    void an_unknown_name_beside_a_known_agent_of_its_trace_is_a_part_of_its_execution() {
        TestAgent agent = TestAgent.registered(system, "part");
        client.map("parts", "Planner", agent.id());
        assertThat(client.send(TestSpans.json("parts", span(1, now, "Planner"), span(2, 1, now, "tools node", 0, "")))
                        .text())
                .isEqualTo(EMPTY);
        assertRejected(
                client.send(TestSpans.json("parts", span(3, now, "tools node"))), 1, "belong to no agent of this key");
        assertThat(client.executions(agent)).isEqualTo(1);
    }

    @Test
    void spans_that_mean_no_execution_are_ignored_which_is_said_once_in_five_minutes() {
        TestAgent agent = client.newAgent();
        String tool =
                raw(trace(1), id(1), "", nanos(now), nanos(now), attribute("gen_ai.operation.name", "execute_tool"), 0);
        String[] parts = {raw("", "", "", "0", "0", attribute("http.request.method", "GET"), 0), tool};
        JsonNode said = client.send(agent, parts).json().path("partialSuccess");
        assertThat(said.path("rejectedSpans").asText()).isEqualTo("0");
        assertThat(said.path("errorMessage").asText())
                .startsWith("no span of service '" + service(agent) + "' in this batch means an execution of an agent");
        assertThat(client.send(agent, parts).text()).isEqualTo(EMPTY);
        TestAgent other = client.newAgent();
        assertThat(client.send(other, span(1, now, "Planner"), tool).text()).isEqualTo(EMPTY);
        assertThat(client.send(other, tool).text()).contains("no span of service '" + service(other) + "'");
        system.clock().advanceSeconds(300);
        assertThat(client.send(agent, parts).text()).contains("no span of service '" + service(agent) + "'");
        assertThat(client.send("{}").text()).isEqualTo(EMPTY);
        assertThat(client.executions(agent)).isZero();
    }

    @Test
    void clock_nonsense_and_wrong_ids_are_rejected_and_the_other_spans_count() {
        TestAgent agent = client.newAgent();
        String attributes = attribute("gen_ai.operation.name", "invoke_agent");
        Response response = client.send(
                agent,
                span(1, now, "Planner"),
                raw("xyz", id(2), "", nanos(now), nanos(now), attributes, 0),
                raw(trace(0), id(2), "", nanos(now), nanos(now), attributes, 0),
                raw(trace(1), id(3), "", nanos(now), "0", attributes, 0),
                raw(trace(1), id(4), "", nanos(now), nanos(now.minusMillis(1)), attributes, 0),
                raw(trace(1), id(5), "", "0", nanos(now), attributes, 0),
                span(6, now.plus(Duration.ofMinutes(5)).plusMillis(1), "Planner"),
                span(7, now.minus(Duration.ofDays(2)).minusMillis(1), "Planner"),
                raw(trace(1), id(8), "", "0", "18446744073709551615", attributes, 0));
        assertRejected(
                response,
                8,
                "2 spans have no valid trace id or span id",
                "1 spans have no end",
                "1 spans end before they begin",
                "2 spans last longer than 30 days",
                "1 spans ended more than two measurement windows ago",
                "1 spans end more than 5 minutes ahead of the clock of the registry");
        assertThat(client.executions(agent)).isEqualTo(1);
        assertThat(client.send(agent, span(9, now.plus(Duration.ofMinutes(5)), "Planner"))
                        .text())
                .isEqualTo(EMPTY);
        assertThat(client.send(agent, span(10, now.minus(Duration.ofDays(2)), "Planner"))
                        .text())
                .isEqualTo(EMPTY);
    }

    @Test
    void a_request_has_spans_of_at_most_a_thousand_agents() {
        TestAgent agent = client.newAgent();
        List<String> spans = new ArrayList<>(List.of(span(1, now, "Planner")));
        for (int i = 0; i < 1_001; i++) {
            spans.add(span(i + 2, 0, now, "Planner", 0, "," + attribute("agent_health.agent_id", "unknown-" + i)));
        }
        spans.add(span(2_000, now, "Planner"));
        system.meter().reset();
        assertRejected(
                client.send(agent, spans.toArray(new String[0])), 2, "2 spans are of more than the first 1,000 agents");
        assertThat(client.executions(agent)).isEqualTo(2);
        assertThat(system.meter().operations()).hasSizeLessThan(2_010);
    }

    @Test
    void spans_of_dead_and_deregistered_agents_count_as_their_other_outcomes_do() {
        TestAgent agent = client.newAgent();
        system.api()
                .delete("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .send();
        assertThat(client.send(agent, span(1, now, "Planner")).text()).isEqualTo(EMPTY);
        assertThat(client.executions(agent)).isEqualTo(1);
    }

    @Test
    void a_bearer_token_is_the_key_where_there_is_no_other() {
        TestAgent agent = client.newAgent();
        for (String header : List.of("Bearer " + TestSystem.AGENT_KEY, "bearer  " + TestSystem.AGENT_KEY)) {
            assertThat(system.api()
                            .post(TelemetryClient.PATH)
                            .header("authorization", header)
                            .header("content-type", "application/json")
                            .body(TestSpans.json(service(agent), span(1, now, "Planner")))
                            .send()
                            .text())
                    .isEqualTo(EMPTY);
        }
        assertThat(client.executions(agent)).isEqualTo(1);
    }

    private static void assertRejected(Response response, int spans, String... messages) {
        assertThat(response.status()).isEqualTo(200);
        JsonNode partial = response.json().path("partialSuccess");
        assertThat(partial.path("rejectedSpans").asText()).as(response.text()).isEqualTo(Integer.toString(spans));
        assertThat(partial.path("errorMessage").asText()).contains(messages);
    }
}
