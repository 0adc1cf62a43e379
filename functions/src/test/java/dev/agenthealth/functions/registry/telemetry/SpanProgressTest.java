package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans that end within a running execution, as progress of its agent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpanProgressTest {

    private static final String PROGRESS = ",\"progress\":true";
    private static final String CHAT = attribute("gen_ai.operation.name", "chat");
    private static final String STALLED = ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":130}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TelemetryClient client = new TelemetryClient(system);
    private TestAgent agent;
    private Instant now;

    @BeforeEach
    void registerStalledAgent() {
        now = client.startInTheMiddleOfASlice();
        agent = client.newAgent();
        client.map(TelemetryClient.service(agent), "", agent.id(), PROGRESS);
        agent.change("{\"heartbeat_config\":{\"stall_after_seconds\":120}}");
        agent.sendHeartbeat("active", STALLED);
        assertThat(record().get("stalled").booleanValue()).isTrue();
        system.meter().reset();
    }

    /** A part of an execution that is still running. */
    private static String part(int number, Instant end, String attributes) {
        return raw(trace(1), id(number), id(99), nanos(end.minusMillis(50)), nanos(end), attributes, 0);
    }

    private void send(Instant end) {
        client.send(agent, part(1, end, CHAT), part(2, end.minusSeconds(5), CHAT));
    }

    private JsonNode record() {
        return system.api()
                .get("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
    }

    @Test
    void a_span_resets_the_age_of_the_last_progress_and_the_next_heartbeat_does_not_bring_it_back() {
        send(now.minusSeconds(3));
        assertThat(system.meter().operations())
                .as("mapping, row, progress")
                .containsExactly("BatchGetItem", "GetItem", "UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(1);
        assertThat(record().get("stalled").booleanValue()).isFalse();
        assertThat(record().at("/activity/last_progress_at").textValue())
                .isEqualTo(Timestamps.text(now.minusSeconds(3)));
        assertThat(agent.pulse().heartbeatCount())
                .as("progress is no heartbeat")
                .isEqualTo(1);
        system.clock().advanceSeconds(30);
        system.meter().reset();
        agent.sendHeartbeat("active", STALLED.replace("130", "160"));
        assertThat(system.meter().operations()).containsExactly("UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(1);
        assertThat(record().get("stalled").booleanValue()).isFalse();
        system.clock().advanceSeconds(90);
        agent.sendHeartbeat("active", STALLED.replace("130", "250"));
        assertThat(record().get("stalled").booleanValue()).isTrue();
    }

    @Test
    void many_spans_write_once_in_thirty_seconds() {
        for (int seconds = 0; seconds < 60; seconds++) {
            system.clock().advanceSeconds(1);
            send(system.clock().instant());
        }
        assertThat(system.meter().operations()).filteredOn("UpdateItem"::equals).hasSize(2);
    }

    @Test
    void a_span_that_ended_before_the_last_progress_and_one_of_an_agent_without_a_task_write_nothing() {
        send(now.minusSeconds(131));
        assertThat(system.meter().writeUnits()).isZero();
        agent.sendHeartbeat();
        system.meter().reset();
        send(now);
        assertThat(system.meter().writeUnits()).isZero();
    }

    @Test
    void a_span_of_the_future_ends_now() {
        send(now.plusSeconds(3_600));
        assertThat(agent.pulse().activity().spanEndedAt()).isEqualTo(now);
    }

    @Test
    void nothing_counts_where_the_mapping_does_not_say_so() {
        client.map(TelemetryClient.service(agent), "", agent.id());
        system.meter().reset();
        send(now);
        assertThat(system.meter().operations()).containsExactly("BatchGetItem");
        assertThat(record().get("stalled").booleanValue()).isTrue();
    }

    @Test
    void spans_that_are_no_work_of_an_agent_cost_nothing() {
        client.send(agent, part(1, now, attribute("http.request.method", "POST")));
        assertThat(system.meter().operations()).isEmpty();
    }

    @ParameterizedTest(name = "agent_health.progress: {0}")
    @ValueSource(strings = {"true", "false"})
    void an_agent_that_is_named_by_its_id_says_so_itself(String says) {
        client.send(TestSpans.ofResource(
                attribute("agent_health.agent_id", agent.id()) + "," + attribute("agent_health.progress", says),
                "",
                part(1, now, CHAT)));
        assertThat(record().get("stalled").booleanValue()).isEqualTo(says.equals("false"));
    }

    @Test
    void spans_of_another_key_are_no_progress() {
        String spans = TestSpans.ofResource(
                attribute("agent_health.agent_id", agent.id()) + "," + attribute("agent_health.progress", "true"),
                "",
                part(1, now, CHAT));
        client.json(TestSystem.OTHER_AGENT_KEY).body(spans).send();
        assertThat(record().get("stalled").booleanValue()).isTrue();
    }

    @Test
    void they_are_signs_of_life_of_an_agent_that_lives_from_spans() {
        agent.change("{\"heartbeat_config\":{\"signs_of_life\":[\"spans\"]}}");
        system.clock().advanceSeconds(60);
        send(system.clock().instant());
        assertThat(agent.pulse().seenBy()).isEqualTo(SeenBy.SPAN);
        assertThat(agent.pulse().activity().isRunning()).isTrue();
    }
}
