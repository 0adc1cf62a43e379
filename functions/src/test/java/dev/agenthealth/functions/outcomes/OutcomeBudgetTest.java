package dev.agenthealth.functions.outcomes;

import static dev.agenthealth.functions.outcomes.OutcomeDoor.SUCCESS;
import static dev.agenthealth.functions.outcomes.OutcomeDoor.assertAccepted;
import static dev.agenthealth.functions.outcomes.OutcomeDoor.successAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.StoredOutcomes;
import dev.agenthealth.functions.testing.MeteredDynamoDb.Call;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.outcome.LatencyBuckets;
import dev.agenthealth.model.outcome.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a batch of outcomes costs, by the capacity that DynamoDB reports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
@Tag("SYS-01")
class OutcomeBudgetTest {

    private static final int PART = StoredOutcomes.BATCHES_OF_A_PART;
    private static final int PART_LIMIT_BYTES = 2 * 1_024;

    private final TestSystem system = new TestSystem();
    private final OutcomeDoor door = new OutcomeDoor(system);

    @AfterAll
    void close() {
        system.close();
    }

    @Test
    void five_hundred_everyday_outcomes_are_four_write_units_and_two_while_the_agent_is_due_already() {
        TestAgent agent = newAgent("everyday_" + "x".repeat(55));
        Instant now = system.clock().instant();
        for (int i = 0; i < PART + 2; i++) {
            boolean due = i % 2 == 1;
            if (!due) {
                door.stored(agent).settle(now.plusSeconds(1_800));
            }
            report(agent, "b-" + i, everyday(now, i));
            assertThat(system.meter().operations())
                    .containsExactly("BatchGetItem", "Query", "UpdateItem", "UpdateItem");
            assertThat(updates().get(0)).as("the slice").isEqualTo(new Call("UpdateItem", 1, 0));
            // A due time that changes is two writes of the index, one to go and one to come.
            assertThat(updates().get(1)).as("the mark").isEqualTo(new Call("UpdateItem", due ? 1 : 3, due ? 0 : 2));
        }
        assertThat(door.stored(agent).batchesOfParts()).containsExactly(PART, 2);
    }

    @Test
    void at_worst_a_slice_is_two_write_units_and_the_mark_one() {
        TestAgent agent = newAgent("worst_" + "x".repeat(58));
        Instant now = system.clock().instant();
        for (int i = 0; i < PART; i++) {
            report(agent, "b-" + i, everythingThereIs(now));
            assertThat(system.meter().writeUnits()).isLessThanOrEqualTo(3);
        }
        assertThat(door.stored(agent).total().latencies().counts())
                .as("every bucket holds something")
                .hasSize(LatencyBuckets.COUNT);
        assertThat(door.stored(agent).sizesOfParts())
                .singleElement()
                .satisfies(bytes -> assertThat(bytes).isGreaterThan(1_600).isLessThan(PART_LIMIT_BYTES));
    }

    @Test
    void a_batch_whose_outcomes_name_no_moment_costs_one_unit_more() {
        TestAgent agent = newAgent("untimed");
        report(agent, "b-1", SUCCESS);
        assertThat(system.meter().operations())
                .containsExactly("BatchGetItem", "PutItem", "Query", "UpdateItem", "UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(3);
    }

    @Test
    void a_batch_that_touches_many_slices_costs_one_unit_each_and_its_mark() {
        TestAgent agent = newAgent("many");
        Instant now = system.clock().instant();
        int slices = 20;
        String[] outcomes = IntStream.range(0, Outcome.MAX_BATCH)
                .mapToObj(i -> successAt(now.minusSeconds(1_800L * (i % slices)), 10 + i))
                .toArray(String[]::new);
        report(agent, "b-1", outcomes);
        assertThat(door.stored(agent).bySlice()).hasSize(slices);
        assertThat(system.meter().writeUnits()).isEqualTo(slices + 1);
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(slices + 5);
    }

    @Test
    void a_duplicate_writes_nothing_but_the_mark() {
        TestAgent agent = newAgent("twice");
        String[] outcomes = everyday(system.clock().instant(), 1);
        report(agent, "b-1", outcomes);
        system.meter().reset();
        assertAccepted(door.report(agent, "b-1", outcomes), 500, true);
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "Query", "UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(1);
    }

    private void report(TestAgent agent, String batchId, String... outcomes) {
        system.meter().reset();
        assertAccepted(door.report(agent, batchId, outcomes), outcomes.length, false);
    }

    private List<Call> updates() {
        return system.meter().calls().stream()
                .filter(call -> call.operation().equals("UpdateItem"))
                .toList();
    }

    /** 500 executions of an agent that mostly takes around 400 ms and sometimes much longer. */
    private static String[] everyday(Instant at, int seed) {
        Random random = new Random(seed);
        return IntStream.range(0, Outcome.MAX_BATCH)
                .mapToObj(i -> successAt(at, Math.round(400 * Math.exp(random.nextGaussian()))))
                .toArray(String[]::new);
    }

    /** 500 outcomes with everything that can be counted. */
    private static String[] everythingThereIs(Instant at) {
        return IntStream.range(0, Outcome.MAX_BATCH)
                .mapToObj(i -> {
                    double latency = Math.min(Outcome.MAX_LATENCY_MS, LatencyBuckets.value(i % LatencyBuckets.COUNT));
                    return i == 499
                            ? "{\"result\":\"trigger_failure\",\"occurred_at\":\"" + at + "\"}"
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

    /** An agent whose key is known already. */
    private TestAgent newAgent(String id) {
        TestAgent agent = door.newAgent(id, "\"runtime_ms\":1,\"baseline_latency_ms\":1");
        door.send(TestSystem.AGENT_KEY, id, "{}");
        return agent;
    }
}
