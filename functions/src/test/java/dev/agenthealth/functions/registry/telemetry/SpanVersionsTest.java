package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The version of an agent in its spans. */
class SpanVersionsTest {

    private final TestSystem system = new TestSystem();
    private final TelemetryClient client = new TelemetryClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
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

    private String span(int number, int parent, int millis, String attributes) {
        return raw(
                trace(1),
                id(number),
                parent == 0 ? "" : id(parent),
                nanos(now.minusMillis(millis)),
                nanos(now),
                attributes,
                0);
    }

    private String execution(int number, int millis, String version) {
        return span(
                number,
                0,
                millis,
                attribute("gen_ai.operation.name", "invoke_agent") + "," + attribute("gen_ai.agent.name", "a")
                        + (version.isEmpty() ? "" : "," + attribute("gen_ai.agent.version", version)));
    }

    private void send(String serviceVersion, String... spans) {
        String resource = attribute("agent_health.agent_id", agent.id())
                + (serviceVersion.isEmpty() ? "" : "," + attribute("service.version", serviceVersion));
        assertThat(client.send(TestSpans.ofResource(resource, "s", spans)).status())
                .isEqualTo(200);
    }

    private JsonNode versions() {
        measurement.handleRequest(Map.of(), null);
        return system.api()
                .get("/api/v1/pools/worker/versions")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json()
                .path("versions");
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 3.0, 3.0",
        "'', 2.0, 3.0, 2.0",
        "1.0, 2.0, 3.0, 1.0",
        "no version, 2.0, 3.0, 2.0",
        "'', '', no version, ''"
    })
    void the_version_is_of_the_agent_in_the_span_else_declared_else_of_the_service(
            String ofAgent, String declared, String ofService, String counted) {
        if (!declared.isEmpty()) {
            agent.register(",\"replace\":true,\"agent_version\":\"" + declared + "\"");
        }
        send(ofService, execution(1, 50, ofAgent));
        send(ofService, execution(1, 50, ofAgent));
        JsonNode versions = versions();
        assertThat(versions).hasSize(counted.isEmpty() ? 0 : 1);
        if (!counted.isEmpty()) {
            assertThat(versions.at("/0/agent_version").asText()).isEqualTo(counted);
            assertThat(versions.at("/0/executions").asLong()).isEqualTo(1);
        }
    }

    @Test
    void tokens_of_calls_count_for_their_version() {
        send(
                "1.0",
                execution(1, 50, ""),
                span(
                        2,
                        1,
                        20,
                        attribute("gen_ai.operation.name", "chat") + "," + attribute("gen_ai.provider.name", "openai")
                                + ",{\"key\":\"gen_ai.usage.input_tokens\",\"value\":{\"intValue\":700}}"));
        send("1.0", execution(3, 50, ""));
        assertThat(versions().at("/0/tokens_per_execution").asLong()).isEqualTo(350);
    }

    @Test
    void many_spans_with_different_latencies_and_versions_count() {
        String[] spans = IntStream.range(1, 1_001)
                .mapToObj(number -> execution(number, number * number % 900_000, "1." + number % 7))
                .toArray(String[]::new);
        send("", spans);
        JsonNode versions = versions();
        assertThat(versions).hasSize(5);
        long executions = 0;
        for (JsonNode version : versions) {
            executions += version.path("executions").asLong();
        }
        assertThat(executions).isEqualTo(1_000);
    }
}
