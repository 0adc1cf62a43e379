package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.span;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Spans as signs of life. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-11")
class SpanSignsTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TelemetryClient client = new TelemetryClient(system);
    private TestAgent agent;
    private Instant now;

    @BeforeEach
    void registerAgent() {
        client.startInTheMiddleOfASlice();
        agent = client.newAgent();
        agent.change("{\"heartbeat_config\":{\"signs_of_life\":[\"spans\"]}}");
        system.clock().advanceSeconds(30);
        now = system.clock().instant();
    }

    @Test
    void a_thousand_spans_are_one_heartbeat() {
        client.send(agent, span(1, now, "Planner"));
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        assertThat(agent.pulse().seenBy()).isEqualTo(SeenBy.SPAN);
        Instant later = now.plusSeconds(27);
        system.clock().advanceSeconds(27);
        String[] spans = IntStream.range(2, 1_002)
                .mapToObj(i -> span(i, later, "Planner"))
                .toArray(String[]::new);
        system.meter().reset();
        client.send(agent, spans);
        assertThat(system.meter().operations())
                .endsWith("GetItem", "UpdateItem")
                .filteredOn("GetItem"::equals)
                .hasSize(1);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
        system.meter().reset();
        client.send(agent, span(1_002, later, "Planner"));
        assertThat(system.meter().operations()).doesNotContain("GetItem");
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
    }

    @Test
    void a_span_that_ended_long_ago_shows_nothing_and_a_recent_one_brings_a_dead_agent_back() {
        agent.becomeDead();
        now = system.clock().instant();
        client.send(agent, span(1, now.minusSeconds(91), "Planner"));
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        client.send(agent, span(2, now.minusSeconds(5), "Planner"));
        assertThat(agent.changes()).last().isEqualTo("dead->active re_registered");
    }

    @Test
    void spans_of_an_agent_that_does_not_declare_them_are_no_heartbeats() {
        agent.change("{\"heartbeat_config\":{\"signs_of_life\":[\"calls\"]}}");
        client.send(agent, span(1, now, "Planner"));
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }
}
