package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.successAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.LatencyBuckets;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.testkit.RequestMeter.Call;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The cost of a batch of outcomes, by the capacity that DynamoDB reports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
@Tag("SYS-01")
class OutcomeBudgetTest {

    private static final int PART = StoredOutcomes.BATCHES_OF_A_PART;
    private static final int PART_LIMIT_BYTES = 2 * 1_024;

    /** The budget of a batch in one slice. */
    private static final int MAX_UNITS = 4;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);

    @Test
    void five_hundred_typical_outcomes_cost_two_write_units_and_one_while_the_slice_is_marked() {
        TestAgent agent = newAgent("everyday_" + "x".repeat(55));
        Instant now = system.clock().instant();
        for (int i = 0; i < PART + 2; i++) {
            boolean marked = i % 2 == 1;
            if (!marked) {
                client.stored(agent).settle(now.plusSeconds(1_800));
            }
            report(agent, "b-" + i, everyday(now, i));
            assertThat(system.meter().operations()).containsExactly("BatchGetItem", "Query", "UpdateItem");
            assertThat(updates())
                    .as("the slice, and its mark in the index")
                    .containsExactly(
                            i == PART || !marked ? new Call("UpdateItem", 2, 1) : new Call("UpdateItem", 1, 0));
        }
        assertThat(client.stored(agent).batchesOfParts()).containsExactly(PART, 2);
    }

    @Test
    void a_batch_in_one_slice_costs_at_most_four_write_units() {
        TestAgent agent = newAgent("worst_" + "x".repeat(58));
        Instant now = system.clock().instant();
        for (int i = 0; i < PART; i++) {
            client.stored(agent).settle(now.plusSeconds(1_800));
            report(agent, "b-" + i, everythingThereIs(now));
            assertThat(system.meter().calls())
                    .filteredOn(call -> call.operation().endsWith("Item") && call.units() > 0)
                    .as("the place of reading, the arrival, the slice and its mark in the index")
                    .endsWith(new Call("PutItem", 1, 0), new Call("UpdateItem", 3, 1));
            assertThat(system.meter().writeUnits()).isEqualTo(MAX_UNITS);
        }
        assertThat(client.stored(agent).total().latencies().counts())
                .as("every bucket is used")
                .hasSize(LatencyBuckets.COUNT);
        assertThat(client.stored(agent).sizesOfParts())
                .singleElement()
                .satisfies(bytes -> assertThat(bytes).isGreaterThan(1_600).isLessThan(PART_LIMIT_BYTES));
    }

    @Test
    void a_batch_with_outcomes_without_a_time_costs_one_more_unit() {
        TestAgent agent = newAgent("untimed");
        report(agent, "b-1", SUCCESS);
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "Query", "PutItem", "UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(3);
    }

    @Test
    void a_batch_in_many_slices_costs_two_units_per_slice() {
        TestAgent agent = newAgent("many");
        Instant now = system.clock().instant();
        int slices = 20;
        String[] outcomes = IntStream.range(0, Outcome.MAX_BATCH)
                .mapToObj(i -> successAt(now.minusSeconds(1_800L * (i % slices)), 10 + i))
                .toArray(String[]::new);
        report(agent, "b-1", outcomes);
        assertThat(client.stored(agent).bySlice()).hasSize(slices);
        assertThat(system.meter().writeUnits()).isEqualTo(2 * slices);
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(slices + 5);
    }

    @Test
    void a_duplicate_writes_nothing() {
        TestAgent agent = newAgent("twice");
        String[] outcomes = everyday(system.clock().instant(), 1);
        report(agent, "b-1", outcomes);
        system.meter().reset();
        assertAccepted(client.report(agent, "b-1", outcomes), 500, true);
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "Query");
    }

    private void report(TestAgent agent, String batchId, String... outcomes) {
        system.meter().reset();
        assertAccepted(client.report(agent, batchId, outcomes), outcomes.length, false);
    }

    private List<Call> updates() {
        return system.meter().calls().stream()
                .filter(call -> call.operation().equals("UpdateItem"))
                .toList();
    }

    /** 500 executions of an agent that usually takes about 400 ms and sometimes much longer. */
    private static String[] everyday(Instant at, int seed) {
        Random random = new Random(seed);
        return IntStream.range(0, Outcome.MAX_BATCH)
                .mapToObj(i -> successAt(at, Math.round(400 * Math.exp(random.nextGaussian()))))
                .toArray(String[]::new);
    }

    /** 500 outcomes with every countable field, one of them without a time. */
    private static String[] everythingThereIs(Instant at) {
        return IntStream.range(0, Outcome.MAX_BATCH)
                .mapToObj(i -> {
                    double latency = Math.min(Outcome.MAX_LATENCY_MS, LatencyBuckets.value(i % LatencyBuckets.COUNT));
                    return i == 499
                            ? "{\"result\":\"trigger_failure\"}"
                            : i % 2 == 0
                                    ? "{\"result\":\"failure\",\"error_type\":\""
                                            + List.of("client_error", "server_error", "timeout", "malformed", "other")
                                                    .get(i / 2 % 5)
                                            + "\",\"sla_breached\":true,\"latency_ms\":" + latency
                                            + ",\"occurred_at\":\"" + at + "\"}"
                                    : successAt(at, latency);
                })
                .toArray(String[]::new);
    }

    /** An agent whose key is cached. */
    private TestAgent newAgent(String id) {
        TestAgent agent = client.newAgent(id, "\"runtime_ms\":1,\"baseline_latency_ms\":1");
        client.send(TestSystem.AGENT_KEY, id, "{}");
        return agent;
    }
}
