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
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The models that providers serve for requested names, as spans show them. */
class ServedModelsTest {

    private final TestSystem system = new TestSystem();
    private final TelemetryClient client = new TelemetryClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private TestAgent agent;
    private int spans;

    @BeforeEach
    void registerAgent() {
        client.startInTheMiddleOfASlice();
        agent = client.newAgent();
    }

    @AfterEach
    void close() {
        system.close();
    }

    private void call(String requested, String served, int status) {
        Instant now = system.clock().instant();
        String span = raw(
                trace(1),
                id(++spans),
                "",
                nanos(now.minusMillis(50)),
                nanos(now),
                attribute("gen_ai.operation.name", "chat") + "," + attribute("gen_ai.provider.name", "openai") + ","
                        + attribute("gen_ai.request.model", requested) + ","
                        + attribute("gen_ai.response.model", served)
                        + ",{\"key\":\"gen_ai.usage.input_tokens\",\"value\":{\"intValue\":7}}",
                status);
        String resource = attribute("agent_health.agent_id", agent.id());
        assertThat(client.send(TestSpans.ofResource(resource, "s", span)).status())
                .isEqualTo(200);
    }

    private JsonNode record() {
        return system.api()
                .get("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
    }

    private JsonNode days() {
        measurement.handleRequest(Map.of(), null);
        return system.api()
                .get("/agents/" + agent.id() + "/.well-known/agent-health")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .findPath("days_since_model_change");
    }

    @Test
    void another_model_behind_the_same_name_is_a_change_of_the_declaration() {
        call("gpt-5", "gpt-5-2026-01", 0);
        call("mini", "mini-1", 0);
        call("gpt-5", "gpt-5-2026-01", 0);
        assertThat(record().at("/model/changed_at").isNull()).isTrue();
        assertThat(record().path("declaration").isNull()).isTrue();
        assertThat(days().isNull()).isTrue();

        call("gpt-5", "gpt-5-2026-03", 0);
        JsonNode changed = record();
        assertThat(changed.at("/model/served").toString())
                .isEqualTo("{\"gpt-5\":\"gpt-5-2026-03\",\"mini\":\"mini-1\"}");
        assertThat(changed.at("/model/changed_at").asText())
                .isEqualTo(changed.at("/declaration/observed_at").asText())
                .isNotEmpty();
        assertThat(changed.at("/declaration/change/of").asText()).isEqualTo("model");
        assertThat(changed.at("/declaration/change/altered").toString()).isEqualTo("[\"observed:gpt-5\"]");
        assertThat(days().asInt()).isZero();

        long version = changed.path("version").asLong();
        call("gpt-5", "gpt-5-2026-01", 0);
        call("gpt-5", "gpt-5-2026-03", 0);
        assertThat(record().path("version").asLong())
                .as("the provider serves both for a time")
                .isEqualTo(version);
        agent.register(",\"replace\":true");
        assertThat(record().at("/model/served/gpt-5").asText()).isEqualTo("gpt-5-2026-03");
        assertThat(record().at("/model/changed_at").asText())
                .isEqualTo(changed.at("/model/changed_at").asText());
        system.clock().advance(Duration.ofDays(3));
        assertThat(days().asInt()).isEqualTo(3);
    }

    @Test
    void a_failed_call_and_a_call_without_a_name_show_no_model() {
        call("gpt-5", "gpt-5-2026-01", 0);
        long version = record().path("version").asLong();
        call("gpt-5", "gpt-5-2026-03", 2);
        call("", "gpt-5-2026-04", 0);
        call("gpt-5", "", 0);
        assertThat(record().path("version").asLong()).isEqualTo(version);
        assertThat(record().at("/model/served/gpt-5").asText()).isEqualTo("gpt-5-2026-01");
    }

    @Test
    void the_number_of_observed_names_is_bounded() {
        for (int name = 0; name < 20; name++) {
            call("model-" + name, "served", 0);
        }
        assertThat(record().at("/model/served")).hasSize(8);
    }
}
