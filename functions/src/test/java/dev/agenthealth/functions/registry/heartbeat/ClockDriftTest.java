package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.FindingStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Clock drift of agents (RFC-0016 §4.5) causes a warning and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-16")
class ClockDriftTest {

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @ParameterizedTest
    @ValueSource(longs = {60_000, -60_000, 0, 30_000})
    void a_difference_of_up_to_twice_the_interval_is_no_drift(long offMillis) {
        TestAgent agent = newAgent();
        sendHeartbeat(agent, Duration.ofMillis(offMillis));
        assertThat(agent.events()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {60_001, -60_001, 86_400_000, -3_600_000})
    void a_larger_difference_publishes_an_event(long offMillis) {
        TestAgent agent = newAgent();
        sendHeartbeat(agent, Duration.ofMillis(offMillis));
        JsonNode event = drifts(agent).get(0);
        assertThat(event.get("agent_id").textValue()).isEqualTo(agent.id());
        assertThat(event.get("drift_ms").longValue()).isEqualTo(offMillis);
        assertThat(event.get("interval_seconds").longValue()).isEqualTo(30);
        assertThat(event.get("severity").textValue()).isEqualTo("warning");
        assertThat(Instant.parse(event.get("timestamp").textValue()))
                .isEqualTo(system.clock().instant());
        agent.assertHistoryIsWhole("drift");
    }

    @Test
    void an_event_is_published_at_most_once_per_hour() {
        TestAgent agent = newAgent();
        Instant end = system.clock().instant().plus(Duration.ofHours(2));
        while (system.clock().instant().isBefore(end)) {
            sendHeartbeat(agent, Duration.ofMinutes(5));
            system.clock().advanceSeconds(60);
        }
        List<JsonNode> drifts = drifts(agent);
        assertThat(drifts).hasSize(2);
        assertThat(Duration.between(at(drifts.get(0)), at(drifts.get(1)))).isGreaterThanOrEqualTo(Duration.ofHours(1));
        agent.assertHistoryIsWhole("two hours of drift");
    }

    @Test
    void registering_again_publishes_no_second_event() {
        TestAgent agent = newAgent();
        sendHeartbeat(agent, Duration.ofMinutes(5));
        agent.deregister();
        agent.register("");
        sendHeartbeat(agent, Duration.ofMinutes(5));
        assertThat(drifts(agent)).hasSize(1);
        agent.assertHistoryIsWhole("drift before and after a registration");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+999999999-12-31T23:59:59.999999999Z",
                "-999999999-01-01T00:00:00Z",
                "+999999999-12-31T23:59:59-18:00",
                "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59Z",
                "1970-01-01T00:00:00Z"
            })
    void extreme_timestamps_are_accepted(String timestamp) {
        TestAgent agent = newAgent();
        assertThat(agent.send(TestAgent.HEARTBEAT_BODY.formatted(timestamp)).status())
                .isEqualTo(200);
        assertThat(drifts(agent)).hasSize(1);
        assertThat(drifts(agent).get(0).get("drift_ms").isIntegralNumber()).isTrue();
        assertThat(agent.pulse().lastHeartbeatAt()).isEqualTo(system.clock().instant());
        assertThat(agent.sweep()).isFalse();
        agent.assertHistoryIsWhole(timestamp);
    }

    @Test
    void drift_does_not_affect_the_status() {
        TestAgent agent = newAgent();
        for (int i = 0; i < 5; i++) {
            sendHeartbeat(agent, Duration.ofDays(i % 2 == 0 ? 400 : -400));
            assertThat(agent.sweep()).isFalse();
            Pulse pulse = agent.pulse();
            assertThat(pulse.status()).isEqualTo(LifecycleStatus.ACTIVE);
            assertThat(pulse.version()).isEqualTo(1);
            assertThat(pulse.lastHeartbeatAt()).isEqualTo(system.clock().instant());
            system.clock().advanceSeconds(30);
        }
        system.clock().advanceSeconds(61);
        assertThat(agent.sweep())
                .as("a clock in the future does not keep an agent active")
                .isTrue();
        sendHeartbeat(agent, Duration.ofDays(-400));
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        agent.assertHistoryIsWhole("recovery with a wrong clock");
    }

    @Test
    void a_heartbeat_that_completes_a_drain_reports_no_drift() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", "");
        sendHeartbeat(agent, Duration.ofDays(1));
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(drifts(agent)).isEmpty();
    }

    @Test
    void if_the_event_cannot_be_written_the_heartbeat_is_acknowledged_and_the_next_heartbeat_retries() {
        TestAgent agent = newAgent();
        for (int i = 0; i < 500; i++) {
            system.faults().cancelByConflict(TransactWriteItemsRequest.class);
        }
        sendHeartbeat(agent, Duration.ofMinutes(5));
        assertThat(agent.events()).hasSize(1);
        system.faults().clear();
        sendHeartbeat(agent, Duration.ofMinutes(5));
        assertThat(drifts(agent)).hasSize(1);
    }

    @Test
    void every_drifting_heartbeat_is_logged_as_a_warning_and_counted_by_a_metric() {
        TestAgent agent = newAgent();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Log log = new Log(system.clock(), new PrintStream(out, true, StandardCharsets.UTF_8), "a");
        ClockDriftMonitor watch = new ClockDriftMonitor(new FindingStore(system.database()), log);
        Instant now = system.clock().instant();
        for (int i = 0; i < 3; i++) {
            watch.check(agent.pulse(), heartbeat(now.minusSeconds(75)), now);
            watch.check(agent.pulse(), heartbeat(now), now);
        }
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0))
                .contains("\"level\":\"WARN\"")
                .contains("\"event\":\"clock_drift\"")
                .contains("\"agent_id\":\"" + agent.id() + "\"")
                .contains("\"drift_seconds\":-75");
        assertThat(lines.get(1)).contains("CloudWatchMetrics").contains("\"ClockDrifts\":1");
        assertThat(drifts(agent)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"-61002,-61", "61002,61", "-61500,-61", "-61501,-62", "61499,61", "-75000,-75"})
    void the_log_has_the_nearest_second_of_a_drift_in_either_direction(long millis, long seconds) {
        TestAgent agent = newAgent();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Log log = new Log(system.clock(), new PrintStream(out, true, StandardCharsets.UTF_8), "a");
        Instant now = system.clock().instant();
        new ClockDriftMonitor(new FindingStore(system.database()), log)
                .check(agent.pulse(), heartbeat(now.plusMillis(millis)), now);
        assertThat(out.toString(StandardCharsets.UTF_8)).containsPattern("\"drift_seconds\":" + seconds + "[,}]");
    }

    private static Heartbeat heartbeat(Instant clientTimestamp) {
        return new Heartbeat(false, 0, false, List.of(), clientTimestamp, ProcessStart.UNKNOWN, Pulse.ANY_INCARNATION);
    }

    private void sendHeartbeat(TestAgent agent, Duration off) {
        assertThat(agent.send(TestAgent.HEARTBEAT_BODY.formatted(
                                system.clock().instant().plus(off)))
                        .status())
                .isEqualTo(200);
    }

    private static List<JsonNode> drifts(TestAgent agent) {
        return agent.events().stream()
                .filter(e -> e.get("type").textValue().equals("agent.clock_drift"))
                .toList();
    }

    private static Instant at(JsonNode event) {
        return Instant.parse(event.get("timestamp").textValue());
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
