package dev.agenthealth.functions.registry.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanTree;
import dev.agenthealth.model.registry.telemetry.SpanUsage;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.testkit.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans as libraries emit them, and the tokens and calls that they mean. */
class UsageSpansTest {

    private final TestSystem system = new TestSystem();
    private final TelemetryClient client = new TelemetryClient(system);
    private Instant now;

    @BeforeEach
    void start() {
        now = client.startInTheMiddleOfASlice();
    }

    @AfterEach
    void close() {
        system.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "openai-v2",
                "anthropic",
                "pydantic-ai",
                "openllmetry-langchain",
                "openinference-langchain",
                "openinference-openai-agents",
                "strands",
                "google-adk",
                "ai-sdk-6",
                "ai-sdk-7"
            })
    void the_spans_of_a_library_mean_this_usage(String library) throws IOException {
        JsonNode golden = Json.stored(Resources.text("telemetry/usage/" + library + ".json"));
        ObjectNode expected = golden.path("usage").deepCopy();
        TestAgent together = client.newAgent();
        assertThat(client.send(request(golden, together).toString()).status()).isEqualTo(200);
        assertThat(total(together)).as(golden.path("note").asText()).isEqualTo(expected);
        Set<String> models = new TreeSet<>();
        golden.path("models").forEach(model -> models.add(model.asText()));
        assertThat(models(golden.path("request"))).isEqualTo(models);

        // An exporter sends spans as they end, and may send a batch again. An execution without tokens and calls in its
        // request has no usage.
        TestAgent apart = client.newAgent();
        List<JsonNode> spans = new ArrayList<>();
        request(golden, apart).findValues("spans").forEach(list -> list.forEach(spans::add));
        for (int i = 0; i < 2; i++) {
            for (JsonNode span : spans) {
                assertThat(client.send(apart, span.toString()).status()).isEqualTo(200);
            }
        }
        ObjectNode found = total(apart);
        found.remove("executions");
        expected.remove("executions");
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void an_execution_without_tokens_and_calls_counts_if_a_limit_counts_executions() {
        MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
        TestAgent agent = client.newAgent();
        for (int number = 1; number <= 3; number++) {
            assertThat(client.send(agent, TestSpans.span(number, now, agent.id()))
                            .status())
                    .isEqualTo(200);
        }
        assertThat(client.send(agent, TestSpans.span(3, now, agent.id())).status())
                .isEqualTo(200);
        measurement.handleRequest(Map.of(), null);
        assertThat(total(agent).get("executions").longValue()).isZero();
        assertThat(agent.change("{\"expectations\":{\"limits\":{\"executions_per_hour\":100}}}")
                        .status())
                .isEqualTo(200);
        measurement.handleRequest(Map.of(), null);
        assertThat(total(agent).get("executions").longValue()).isEqualTo(3);
    }

    /** Returns the models of calls, each after its provider. */
    private static Set<String> models(JsonNode request) throws IOException {
        List<Span> spans =
                OtlpEncoding.JSON.read(OtlpSignal.TRACES, request.toString().getBytes(StandardCharsets.UTF_8));
        return SpanUsage.calls(spans, new SpanTree(spans)).stream()
                .flatMap(call -> call.usage().byModel().keySet().stream())
                .filter(model -> !model.equals(ModelName.UNKNOWN))
                .map(model -> model.provider() + "/" + model.model())
                .collect(Collectors.toSet());
    }

    private ObjectNode total(TestAgent agent) {
        return system.api()
                .get("/api/v1/usage")
                .query("by", "agent")
                .query("agent_id", agent.id())
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .get("total")
                .deepCopy();
    }

    /** Returns the recorded request with the agent's service and with the time of the test. */
    private ObjectNode request(JsonNode golden, TestAgent agent) {
        ObjectNode request = golden.path("request").deepCopy();
        request.findParents("startTimeUnixNano").forEach(span -> ((ObjectNode) span)
                .put("startTimeUnixNano", TestSpans.nanos(now.minusMillis(50)))
                .put("endTimeUnixNano", TestSpans.nanos(now)));
        ((ObjectNode) request.at("/resourceSpans/0/resource/attributes/0/value"))
                .put("stringValue", TelemetryClient.service(agent));
        return request;
    }
}
