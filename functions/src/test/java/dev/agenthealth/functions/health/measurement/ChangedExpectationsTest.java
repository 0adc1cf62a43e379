package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.Interleavings;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A changed runtime, baseline or SLA applies to the whole window at once. */
@Tag("AHM-09")
class ChangedExpectationsTest {

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    private final OutcomeClient client = new OutcomeClient(harness.system());

    @Test
    @Tag("AHS-04")
    void a_changed_baseline_applies_to_the_whole_window_within_one_pass() {
        TestAgent agent = harness.agent("slow", expectations("\"baseline_latency_ms\":1000"));
        harness.report(agent, 20, 0, 987);
        harness.measureAfter(Duration.ofHours(2));
        harness.report(agent, 20, 0, 987);
        harness.measure();
        agent.sendHeartbeat();
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.HEALTHY);
        change(agent, "\"baseline_latency_ms\":100");
        harness.measure();
        Measurement measurement = harness.health(agent).measurement();
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.DEGRADED);
        assertThat(measurement.latencyP99Ms()).isCloseTo(987, within(50d));
        assertThat(measurement.counts().get(OutcomeCounter.ABOVE_BASELINE)).isEqualTo(40);
        change(agent, "\"baseline_latency_ms\":1000");
        harness.measure();
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.HEALTHY);
    }

    @Test
    void a_changed_runtime_and_sla_apply_to_closed_and_open_slices_and_reported_breaches_stay() {
        TestAgent agent = harness.agent("changed", "");
        Instant early = harness.now();
        client.report(agent, "early", outcome(early, 100, true), outcome(early, 900, true), outcome(early, 900, false));
        harness.measureAfter(Duration.ofHours(2));
        client.report(agent, "late", outcome(harness.now(), 700, false), outcome(harness.now(), 40, true));
        harness.measure();
        assertCounts(agent, 0, 3);
        change(agent, "\"runtime_ms\":120,\"sla_ms\":500");
        harness.measure();
        assertCounts(agent, 3, 5);
        client.report(agent, "later", outcome(harness.now(), 601, false), outcome(harness.now(), 900, true));
        harness.measure();
        assertCounts(agent, 5, 7);
        assertThat(client.stored(agent).batchesOfParts())
                .as("a part for each revision")
                .containsExactly(1, 1, 1);
        change(agent, "\"runtime_ms\":null,\"sla_ms\":800");
        harness.measure();
        assertCounts(agent, 0, 5);
    }

    @Test
    void the_first_batch_after_a_change_seals_the_part_and_costs_one_more_write() {
        TestAgent agent = harness.agent("sealed", expectations("\"runtime_ms\":100"));
        Instant now = harness.now();
        client.report(agent, "b-1", OutcomeClient.successAt(now, 600));
        change(agent, "\"runtime_ms\":200");
        for (int i = 2; i < 5; i++) {
            harness.system().meter().reset();
            OutcomeClient.assertAccepted(client.report(agent, "b-" + i, OutcomeClient.successAt(now, 600)), 1, false);
            assertThat(harness.system().meter().writeUnits()).isLessThanOrEqualTo(i == 2 ? 3 : 2);
        }
        OutcomeClient.assertAccepted(client.report(agent, "b-1", OutcomeClient.successAt(now, 600)), 1, true);
        assertThat(client.stored(agent).batchesOfParts()).containsExactly(1, 3);
        harness.measure();
        assertCounts(agent, 0, 0);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    void after_a_failure_of_any_write_of_the_first_batch_after_a_change_a_retry_completes_it(WriteFailure way) {
        int writes = 0;
        boolean failed = true;
        while (failed) {
            writes++;
            TestAgent agent = harness.agent("crash-" + writes, expectations("\"runtime_ms\":100"));
            Instant now = harness.now();
            client.report(agent, "b-1", OutcomeClient.successAt(now, 600));
            change(agent, "\"runtime_ms\":200");
            TestDynamoDb crashing = new TestDynamoDb(harness.system().dynamoDb()).failAt(writes, way);
            try {
                new OutcomeClient(harness.system(), harness.system().apiThrough(crashing))
                        .report(agent, "b-2", OutcomeClient.successAt(now, 600));
            } catch (Crash e) {
                assertThat(crashing.hasFailed()).isTrue();
            }
            failed = crashing.hasFailed();
            client.report(agent, "b-2", OutcomeClient.successAt(now, 600));
            OutcomeClient.assertAccepted(client.report(agent, "b-2", OutcomeClient.successAt(now, 600)), 1, true);
            harness.measure();
            assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(2);
            assertCounts(agent, 0, 0);
        }
        assertThat(writes - 1).as("the seal of the part, the next part").isEqualTo(2);
    }

    /** A retry that knows the new expectations races with a first attempt that knows the old ones, and both with another batch. */
    @Test
    void a_batch_counts_once_in_every_order_of_requests_that_know_different_expectations() {
        Instant now = harness.now();
        Expectations before = new Expectations(Map.of(Expectation.RUNTIME_MS, 100d));
        Expectations after = new Expectations(Map.of(Expectation.RUNTIME_MS, 200d));
        AtomicInteger agents = new AtomicInteger();
        try (Interleavings interleavings = new Interleavings(
                harness.system().dynamoDb(),
                request -> request instanceof QueryRequest || request instanceof UpdateItemRequest)) {
            OutcomeStore store = new OutcomeStore(harness.system().databaseThrough(interleavings.client()));
            int orders = interleavings.explore(() -> {
                String agentId = "race_" + agents.incrementAndGet();
                new OutcomeStore(harness.system().database()).count(batch(agentId, "first", now), before);
                AtomicInteger counted = new AtomicInteger();
                return new Interleavings.Scenario() {
                    @Override
                    public List<Runnable> operations() {
                        return List.of(() -> countTwice(before), () -> countTwice(after));
                    }

                    private void countTwice(Expectations expected) {
                        counted.addAndGet(store.count(batch(agentId, "twice", now), expected) ? 1 : 0);
                    }

                    @Override
                    public void check(List<Integer> order) {
                        assertThat(new StoredOutcomes(harness.system(), agentId)
                                        .total()
                                        .successes())
                                .as("order %s", order)
                                .isEqualTo(2);
                        assertThat(counted).as("order %s", order).hasValue(1);
                    }
                };
            });
            assertThat(orders).isGreaterThan(5);
        }
    }

    private void assertCounts(TestAgent agent, long longRunning, long breaches) {
        var counts = harness.health(agent).measurement().counts();
        assertThat(counts.get(OutcomeCounter.LONG_RUNNING)).as("long-running").isEqualTo(longRunning);
        assertThat(counts.get(OutcomeCounter.SLA_BREACHES)).as("breaches").isEqualTo(breaches);
    }

    private void change(TestAgent agent, String expectations) {
        assertThat(harness.system()
                        .api()
                        .patch("/api/v1/agents/" + agent.id())
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{\"expectations\":{" + expectations + "}}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private static String expectations(String declared) {
        return ",\"expectations\":{" + declared + "}";
    }

    private static String outcome(Instant at, double latencyMs, boolean breached) {
        return OutcomeClient.json(outcomeOf(at, latencyMs, breached));
    }

    private static Outcome outcomeOf(Instant at, double latencyMs, boolean breached) {
        return new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, latencyMs, at, breached);
    }

    private static OutcomeBatch batch(String agentId, String batchId, Instant at) {
        return new OutcomeBatch(agentId, OutcomeSource.SELF, "", batchId, List.of(outcomeOf(at, 5, false)));
    }
}
