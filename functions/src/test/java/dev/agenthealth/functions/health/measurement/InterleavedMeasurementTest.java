package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.testkit.Interleavings;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** An outcome reported between any two requests of a measurement is in the next one. */
@Tag("AHS-08")
@Tag("AHM-07")
class InterleavedMeasurementTest {

    /** The requests of the computation of one agent, and some of those that follow it. */
    private static final int MANY = 8;

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_outcome_counts_with_the_next_measurement_at_the_latest(boolean late) {
        for (int k = 1; k <= MANY; k++) {
            TestAgent agent = harness.agent("agent-" + late + k, MeasurementHarness.ONE_HOUR);
            Instant early = harness.now();
            harness.report(agent, 10, 0, 10);
            harness.measure();
            harness.system().clock().advance(Duration.ofMinutes(10));
            agent.sendHeartbeat();
            harness.measure();
            harness.report(agent, 3, 0, 10);
            measureWhileReporting(agent, k, late ? early : harness.now());
            harness.measure();
            assertThat(harness.health(agent).measurement().counts().successes())
                    .as("reported before request %d", k)
                    .isEqualTo(14);
        }
    }

    @Test
    @Tag("AHM-08")
    void an_overtaken_measurement_does_not_overwrite_a_newer_score() {
        TestAgent agent = harness.agent("overtaken", "");
        harness.report(agent, 20, 0, 10);
        harness.measure();
        harness.report(agent, 0, 20, 10);
        AtomicBoolean overtaken = new AtomicBoolean();
        TestDynamoDb hooked = new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            boolean ofRow =
                    request instanceof UpdateItemRequest update && update.key().containsKey("id");
            if (ofRow && overtaken.compareAndSet(false, true)) {
                harness.report(agent, 100, 0, 10);
                harness.measure();
            }
        });
        assertThat(harness.through(hooked).get()).containsEntry("overtaken", 1L);
        harness.measure();
        assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(140);
        HealthSummary onRow = agent.stored().health();
        assertThat(onRow.hundredths())
                .isEqualTo(
                        harness.health(agent).score().points().movePointRight(2).intValueExact());
        assertThat(harness.measureAfter(Duration.ofMinutes(1))).containsEntry("computed", 0L);
    }

    /** An overtaken measurement may have read more than the faster one, so it must keep the mark. */
    @Test
    @Tag("exhaustive")
    void two_measurements_and_a_report_in_any_order_lose_no_outcome() {
        AtomicInteger agents = new AtomicInteger();
        try (Interleavings interleavings =
                new Interleavings(harness.system().dynamoDb(), InterleavedMeasurementTest::isStep)) {
            Database database = harness.system().databaseThrough(interleavings.client());
            HealthComputation computation = new HealthComputation(
                    database,
                    new RegistryMonitor(
                            new SweepStateStore(database),
                            new OutcomeStore(database),
                            harness.system().clock()),
                    harness.system().clock());
            int interleavingCount = interleavings.explore(() -> {
                TestAgent agent = harness.agent("ordered-" + agents.incrementAndGet(), MeasurementHarness.ONE_HOUR);
                harness.report(agent, 1, 0, 10);
                harness.measure();
                harness.report(agent, 1, 0, 10);
                StoredOutcomes stored = new StoredOutcomes(harness.system(), agent.id());
                Runnable compute = () -> computation.compute(agent.id(), Set.of());
                return new Interleavings.Scenario() {
                    @Override
                    public List<Runnable> operations() {
                        return List.of(compute, compute, () -> new OutcomeStore(database)
                                .count(
                                        new OutcomeBatch(
                                                agent.id(),
                                                OutcomeSource.SELF,
                                                "",
                                                "between",
                                                List.of(new Outcome(
                                                        OutcomeResult.SUCCESS,
                                                        ErrorType.OTHER,
                                                        10,
                                                        harness.now(),
                                                        false))),
                                        new Expectations(Map.of(Expectation.WINDOW_SECONDS, 3_600d))));
                    }

                    @Override
                    public void check(List<Integer> order) {
                        assertThat(stored.isDue()
                                        || harness.health(agent).measurement().sampleCount() == 3)
                                .as("order %s", order)
                                .isTrue();
                    }
                };
            });
            assertThat(interleavingCount).isGreaterThanOrEqualTo(30);
        }
    }

    /** Slices are read, a health is stored, an outcome is counted; marks are settled together with what went before. */
    private static boolean isStep(DynamoDbRequest request) {
        return request instanceof QueryRequest query
                        && query.keyConditionExpression().contains("BETWEEN")
                || request instanceof UpdateItemRequest update
                        && (update.key().containsKey("sk")
                                && (update.key().get("sk").s().equals("H")
                                        || update.updateExpression().contains("ADD")));
    }

    /** Measures, and reports an outcome just before the k-th request of the agent's computation. */
    private void measureWhileReporting(TestAgent agent, int k, Instant occurredAt) {
        AtomicInteger requests = new AtomicInteger();
        TestDynamoDb hooked = new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            boolean ofAgent = requests.get() > 0 || request instanceof GetItemRequest;
            if (ofAgent && requests.incrementAndGet() == k) {
                harness.report(agent, 1, 0, 10, occurredAt);
            }
        });
        harness.through(hooked).get();
        assertThat(requests.get()).isGreaterThanOrEqualTo(k);
    }
}
