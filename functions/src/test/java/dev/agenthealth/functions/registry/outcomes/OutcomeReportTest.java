package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.mistakes;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.successAt;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.times;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.outcome.LatencyBuckets;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import dev.agenthealth.testkit.CapturedOutput;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Reported outcomes are counted in the slices of the agent's window. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
class OutcomeReportTest {

    /** The shortest window, with slices of 10 seconds. */
    private static final int WINDOW = 300;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);
    private int agents;

    @BeforeEach
    void startInTheMiddleOfASlice() {
        Instant now = system.clock().instant();
        system.clock().advanceSeconds(10 - now.getEpochSecond() % 10 + 5);
    }

    @Test
    void a_report_is_judged_by_the_senders_clock_too_and_a_refusal_logs_the_field() {
        try (CapturedOutput output = new CapturedOutput();
                TestSystem own = new TestSystem()) {
            OutcomeClient sender = new OutcomeClient(own);
            TestAgent agent = sender.newAgent("agent", WINDOW);
            Instant right = own.clock().instant();
            own.clock().advanceSeconds(-1_800);
            String batch =
                    "{\"batch_id\":\"b-1\",\"outcomes\":[{\"result\":\"success\",\"occurred_at\":\"" + right + "\"}]";
            Response refused = sender.send(TestSystem.AGENT_KEY, agent.id(), batch + "}");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo("outcomes[0].occurred_at");
            assertThat(output.lines())
                    .anyMatch(line -> line.contains("outcomes_refused") && line.contains("outcomes[0].occurred_at"));
            String withTime = batch + ",\"client_timestamp\":\"" + right + "\"}";
            assertThat(sender.send(TestSystem.AGENT_KEY, agent.id(), withTime).status())
                    .isEqualTo(202);
            assertThat(sender.stored(agent).total().successes()).isEqualTo(1);
        }
    }

    @Test
    void a_batch_is_accepted_and_counted() {
        TestAgent agent =
                newAgent("\"window_seconds\":300,\"runtime_ms\":100,\"sla_ms\":900,\"baseline_latency_ms\":200");
        Response response = client.report(
                agent,
                "b-1",
                "{\"result\":\"success\",\"latency_ms\":100.5}",
                "{\"result\":\"success\",\"latency_ms\":600.001}",
                "{\"result\":\"success\",\"sla_breached\":true}",
                """
                        {"result":"failure","error_type":"timeout","latency_ms":1000}\
                        """,
                """
                        {"result":"failure","error_type":"client_error","sla_breached":false}\
                        """,
                "{\"result\":\"failure\",\"error_type\":\"server_error\"}",
                "{\"result\":\"failure\",\"error_type\":\"malformed\"}",
                "{\"result\":\"failure\"}",
                """
                        {"result":"failure","error_type":null,"latency_ms":null,"occurred_at":null,"upstream":null}\
                        """,
                "{\"result\":\"trigger_failure\"}");
        assertAccepted(response, 10, false);
        OutcomeCounts counts = client.stored(agent).total();
        assertThat(counters(counts))
                .isEqualTo(new EnumMap<>(Map.ofEntries(
                        Map.entry(OutcomeCounter.SELF_SUCCESSES, 3L),
                        Map.entry(OutcomeCounter.SELF_FAILURES, 6L),
                        Map.entry(OutcomeCounter.TIMEOUTS, 1L),
                        Map.entry(OutcomeCounter.CLIENT_ERRORS, 1L),
                        Map.entry(OutcomeCounter.SERVER_ERRORS, 1L),
                        Map.entry(OutcomeCounter.MALFORMED, 1L),
                        Map.entry(OutcomeCounter.OTHER_ERRORS, 2L),
                        Map.entry(OutcomeCounter.TRIGGER_FAILURES, 1L),
                        Map.entry(OutcomeCounter.SLA_BREACHES, 2L),
                        Map.entry(OutcomeCounter.SLA_REPORTED, 1L),
                        Map.entry(OutcomeCounter.LONG_RUNNING, 2L),
                        Map.entry(OutcomeCounter.ABOVE_BASELINE, 2L),
                        Map.entry(OutcomeCounter.LATENCIES, 3L),
                        Map.entry(OutcomeCounter.LATENCY_MICROS, 1_700_501L))));
        assertThat(counts.latencies().counts())
                .isEqualTo(Map.of(
                        LatencyBuckets.of(100.5), 1L, LatencyBuckets.of(600.001), 1L, LatencyBuckets.of(1_000), 1L));
    }

    @Test
    void a_repeated_batch_is_answered_as_duplicate_and_counted_once() {
        TestAgent agent = newAgent();
        assertAccepted(client.report(agent, "b-1", SUCCESS, SUCCESS), 2, false);
        system.clock().advanceSeconds(1);
        for (int i = 0; i < 3; i++) {
            assertAccepted(client.report(agent, "b-1", SUCCESS, SUCCESS), 2, true);
        }
        assertAccepted(client.report(agent, "b-2", SUCCESS), 1, false);
        assertThat(client.stored(agent).total().successes()).isEqualTo(3);
    }

    @Test
    void batches_of_different_agents_may_have_the_same_id() {
        TestAgent one = newAgent();
        TestAgent other = newAgent();
        assertAccepted(client.report(one, "b-1", SUCCESS), 1, false);
        assertAccepted(client.report(other, "b-1", SUCCESS), 1, false);
    }

    @Test
    void a_batch_may_have_five_hundred_outcomes() {
        TestAgent agent = newAgent();
        assertAccepted(client.report(agent, "b-1", times(500, SUCCESS)), 500, false);
        assertThat(mistakes(client.report(agent, "b-2", times(501, SUCCESS)))).containsExactly("outcomes");
        assertThat(client.stored(agent).total().successes()).isEqualTo(500);
    }

    @Test
    @Tag("AHS-09")
    @Tag("AHM-07")
    void outcomes_are_counted_in_the_slices_of_their_times() {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        client.report(
                agent,
                "b-1",
                SUCCESS,
                successAt(now.minusSeconds(5)),
                successAt(now.minusSeconds(6)),
                successAt(now.plusSeconds(4)),
                successAt(now.plusSeconds(5)));
        long start = now.getEpochSecond() - 5;
        assertThat(successes(agent))
                .isEqualTo(
                        Map.of(new Slice(start - 10, 10), 1L, new Slice(start, 10), 3L, new Slice(start + 10, 10), 1L));
    }

    @Test
    @Tag("AHS-09")
    @Tag("AHM-07")
    @Tag("AHM-09")
    void the_width_of_slices_depends_on_the_agent_s_window() {
        Map<String, Integer> widths = Map.of(
                "\"window_seconds\":300", 10,
                "\"window_seconds\":3600", 120,
                "\"runtime_ms\":1", 1_800,
                "\"window_seconds\":604800", 14_400);
        widths.forEach((expectations, width) -> {
            TestAgent agent = newAgent(expectations);
            assertAccepted(client.report(agent, "b-1", SUCCESS), 1, false);
            assertThat(client.stored(agent).bySlice().keySet())
                    .extracting(Slice::width)
                    .containsExactly(width);
        });
    }

    @Test
    @Tag("AHS-09")
    @Tag("AHM-07")
    void outcomes_are_accepted_up_to_two_windows_late() {
        TestAgent agent = newAgent();
        Instant earliest = system.clock().instant().minusSeconds(2 * WINDOW);
        assertAccepted(client.report(agent, "b-1", successAt(earliest)), 1, false);
        Response response = client.report(agent, "b-2", SUCCESS, successAt(earliest.minusMillis(1)));
        assertThat(mistakes(response)).containsExactly("outcomes[1].occurred_at");
        assertThat(response.json().at("/errors/0/message").textValue()).contains(Timestamps.text(earliest));
        assertThat(client.stored(agent).total().successes()).isEqualTo(1);
        assertThat(client.stored(agent).changed())
                .as("the change of a slice in its last window is recorded")
                .containsExactly(new Slice(Math.floorDiv(earliest.getEpochSecond(), 10) * 10, 10));
    }

    @Test
    void outcomes_in_the_future_are_accepted_up_to_the_clock_tolerance() {
        TestAgent agent = newAgent();
        Instant latest = system.clock().instant().plus(Duration.ofMinutes(5));
        assertAccepted(client.report(agent, "b-1", successAt(latest)), 1, false);
        Response response = client.report(agent, "b-2", successAt(latest.plusMillis(1)), SUCCESS);
        assertThat(mistakes(response)).containsExactly("outcomes[0].occurred_at");
        assertThat(response.json().at("/errors/0/message").textValue()).contains(Timestamps.text(latest));
        assertThat(client.stored(agent).total().successes()).isEqualTo(1);
    }

    @Test
    void outcomes_make_the_agent_due_for_measurement_with_their_slices() {
        TestAgent agent = newAgent();
        StoredOutcomes stored = client.stored(agent);
        Instant now = system.clock().instant();
        stored.settle(now.plusSeconds(3_600));
        assertThat(stored.isDue()).isFalse();
        client.report(agent, "b-1", SUCCESS, successAt(now.minusSeconds(60)));
        assertThat(stored.isDue()).isTrue();
        long start = now.getEpochSecond() - 5;
        assertThat(stored.changed()).containsExactlyInAnyOrder(new Slice(start, 10), new Slice(start - 60, 10));
        stored.settle(now.plusSeconds(3_600));
        assertAccepted(client.report(agent, "b-1", SUCCESS, successAt(now.minusSeconds(60))), 2, true);
        assertThat(stored.isDue()).as("no outcomes since").isFalse();
        client.report(agent, "b-2", successAt(Instant.ofEpochSecond(start - 100)));
        assertThat(stored.isDue()).isTrue();
        assertThat(stored.changed()).containsExactly(new Slice(start - 100, 10));
    }

    @Test
    void slices_are_kept_as_long_as_they_can_be_requested() {
        TestAgent agent = newAgent();
        client.report(agent, "b-1", SUCCESS);
        Instant end = client.stored(agent).bySlice().firstKey().end();
        assertThat(client.stored(agent).expiriesOfParts())
                .containsExactly(end.plusSeconds(2 * WINDOW).plus(Duration.ofHours(1)));
        assertThat(client.stored(agent).expiriesOfArrivals())
                .containsExactly(
                        system.clock().instant().plusSeconds(2 * WINDOW).plus(Duration.ofDays(1)));
    }

    @Test
    @Tag("AHM-09")
    void latency_limit_and_lateness_are_judged_by_the_profile_at_the_time_of_counting() {
        TestAgent agent = newAgent();
        String slow = "{\"result\":\"success\",\"latency_ms\":600}";
        client.report(agent, "b-1", slow);
        system.api()
                .patch("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"expectations\":{\"runtime_ms\":100,\"sla_ms\":500}}")
                .send();
        client.report(agent, "b-2", slow);
        OutcomeCounts counts = client.stored(agent).total();
        assertThat(counts.get(OutcomeCounter.LATENCIES)).isEqualTo(2);
        assertThat(counts.get(OutcomeCounter.LONG_RUNNING)).isEqualTo(1);
        assertThat(counts.get(OutcomeCounter.SLA_BREACHES)).isEqualTo(1);
    }

    @Test
    void batches_beyond_the_capacity_of_an_item_are_stored_in_further_items() {
        TestAgent agent = newAgent();
        StoredOutcomes stored = client.stored(agent);
        int part = StoredOutcomes.BATCHES_OF_A_PART;
        String[] outcome = {successAt(system.clock().instant())};
        for (int i = 0; i < 2 * part + 10; i++) {
            assertAccepted(client.report(agent, "b-" + i, outcome), 1, false);
        }
        assertThat(stored.batchesOfParts()).containsExactly(part, part, 10);
        for (int i : new int[] {0, part - 1, part, 2 * part - 1, 2 * part, 2 * part + 9}) {
            assertAccepted(client.report(agent, "b-" + i, outcome), 1, true);
        }
        assertThat(stored.bySlice()).hasSize(1);
        assertThat(stored.total().successes()).isEqualTo(2 * part + 10);
    }

    private Map<Slice, Long> successes(TestAgent agent) {
        return client.stored(agent).bySlice().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().successes()));
    }

    private static Map<OutcomeCounter, Long> counters(OutcomeCounts counts) {
        Map<OutcomeCounter, Long> counters = new EnumMap<>(OutcomeCounter.class);
        for (OutcomeCounter counter : OutcomeCounter.values()) {
            if (counts.get(counter) != 0) {
                counters.put(counter, counts.get(counter));
            }
        }
        return counters;
    }

    private TestAgent newAgent() {
        return newAgent("\"window_seconds\":" + WINDOW);
    }

    private TestAgent newAgent(String expectations) {
        return client.newAgent("agent_" + agents++, expectations);
    }
}
