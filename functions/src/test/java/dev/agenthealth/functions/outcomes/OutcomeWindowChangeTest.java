package dev.agenthealth.functions.outcomes;

import static dev.agenthealth.functions.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.outcomes.OutcomeClient.successAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeResult;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.window.Slice;
import dev.agenthealth.testkit.CrashingDynamoDb;
import dev.agenthealth.testkit.CrashingDynamoDb.Crash;
import dev.agenthealth.testkit.CrashingDynamoDb.Way;
import dev.agenthealth.testkit.Interleavings;
import dev.agenthealth.testkit.TestTables;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch is counted once although the agent's measurement window, and with it the width of its slices, changes between two tries. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
@Tag("AHM-07")
class OutcomeWindowChangeTest {

    private static final int SHORT = 300;
    private static final int LONG = 3_600;

    /** Slices keep their width for so long after a change. */
    private static final Duration IN_FORCE_AFTER = Duration.ofMinutes(2);

    private final TestSystem system = new TestSystem();
    private final OutcomeClient door = new OutcomeClient(system);
    private int agents;

    @BeforeEach
    void startAtTheBeginningOfASlice() {
        system.clock().advanceSeconds(120 - system.clock().instant().getEpochSecond() % 120);
    }

    @AfterAll
    void close() {
        system.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 119, 120, 400})
    void a_batch_that_was_counted_before_the_change_is_a_duplicate_after_it(int seconds) {
        Instant now = system.clock().instant();
        for (String[] outcomes :
                new String[][] {{SUCCESS}, {successAt(now)}, {SUCCESS, successAt(now.minusSeconds(30))}}) {
            TestAgent agent = newAgent();
            assertAccepted(door.report(agent, "b-1", outcomes), outcomes.length, false);
            changeWindow(agent, LONG);
            system.clock().advanceSeconds(seconds);
            assertAccepted(door.report(agent, "b-1", outcomes), outcomes.length, true);
            changeWindow(agent, SHORT);
            assertAccepted(door.report(agent, "b-1", outcomes), outcomes.length, true);
            system.clock().advanceSeconds(150);
            assertAccepted(door.report(agent, "b-1", outcomes), outcomes.length, true);
            assertThat(door.stored(agent).total().successes()).isEqualTo(outcomes.length);
            system.clock().advance(Duration.between(system.clock().instant(), now));
        }
    }

    @Test
    void a_batch_that_was_left_half_counted_is_finished_where_it_was_begun() {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        String[] outcomes = {successAt(now), successAt(now.minusSeconds(60)), successAt(now.minusSeconds(200))};
        CrashingDynamoDb crashing = new CrashingDynamoDb(system.dynamoDb(), 2, Way.DIES_BEFORE);
        OutcomeClient broken = new OutcomeClient(system, system.apiThrough(crashing));
        assertThatThrownBy(() -> broken.report(agent, "b-1", outcomes)).isInstanceOf(Crash.class);
        assertThat(door.stored(agent).total().successes()).isEqualTo(1);
        changeWindow(agent, LONG);
        system.clock().advanceSeconds(150);
        assertAccepted(door.report(agent, "b-1", outcomes), 3, false);
        assertAccepted(door.report(agent, "b-1", outcomes), 3, true);
        assertThat(door.stored(agent).bySlice().keySet()).hasSize(3).allMatch(slice -> slice.width() == 10);
        assertThat(door.stored(agent).total().successes()).isEqualTo(3);
    }

    @Test
    void new_batches_follow_the_change_after_two_minutes_and_cost_one_unit_more_while_former_slices_are_there() {
        TestAgent agent = newAgent();
        changeWindow(agent, LONG);
        Instant changed = system.clock().instant();
        system.clock().advance(IN_FORCE_AFTER.minusMillis(1));
        assertAccepted(door.report(agent, "b-1", successAt(changed)), 1, false);
        system.clock().advance(Duration.ofMillis(1));
        system.meter().reset();
        assertAccepted(door.report(agent, "b-2", successAt(changed)), 1, false);
        assertThat(system.meter().operations())
                .as("the former slice is asked, and it is written down which one was chosen")
                .containsExactly("BatchGetItem", "Query", "PutItem", "Query", "UpdateItem");
        assertThat(door.stored(agent).bySlice()).containsOnlyKeys(Slice.at(changed, 10), Slice.at(changed, 120));
        system.clock().advance(Duration.ofHours(3));
        door.send(TestSystem.AGENT_KEY, agent.id(), "{}");
        system.meter().reset();
        assertAccepted(door.report(agent, "b-3", successAt(system.clock().instant())), 1, false);
        assertThat(system.meter().operations())
                .as("all is as it was")
                .containsExactly("BatchGetItem", "Query", "UpdateItem");
    }

    /** Two who try the same batch: what each knows of the agent, and how long after the change each believes to be. */
    static Stream<Arguments> duplicates() {
        return Stream.of(
                Arguments.of(false, 0, true, 0),
                Arguments.of(true, 0, true, 0),
                Arguments.of(true, 119, true, 121),
                Arguments.of(true, 300, true, 300));
    }

    @ParameterizedTest
    @MethodSource("duplicates")
    void of_two_at_once_one_counts(boolean firstKnows, int firstAfter, boolean secondKnows, int secondAfter) {
        Instant changed = system.clock().instant();
        try (Interleavings interleavings = new Interleavings(system.dynamoDb(), request -> true)) {
            TestAgent agent = newAgent();
            AgentProfile before = profile(agent);
            changeWindow(agent, LONG);
            AgentProfile after = profile(agent);
            Stores first = stores(interleavings, changed.plusSeconds(firstAfter));
            Stores second = stores(interleavings, changed.plusSeconds(secondAfter));
            int orders = interleavings.explore(() -> {
                String agentId = "race_" + agents++;
                OutcomeBatch batch = batch(agentId, changed);
                return new Interleavings.Scenario() {
                    @Override
                    public List<Runnable> operations() {
                        return List.of(
                                () -> first.outcomes().count(batch, firstKnows ? after : before),
                                () -> second.outcomes().count(batch, secondKnows ? after : before));
                    }

                    @Override
                    public void check(List<Integer> order) {
                        long counted =
                                new StoredOutcomes(system, agentId).total().successes();
                        assertThat(counted).as("order %s", order).isEqualTo(1);
                    }
                };
            });
            assertThat(orders).isGreaterThanOrEqualTo(10);
        }
    }

    private static OutcomeBatch batch(String agentId, Instant at) {
        return new OutcomeBatch(
                agentId,
                OutcomeSource.SELF,
                "",
                "twice",
                List.of(new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, 5, at, false)));
    }

    private Stores stores(Interleavings interleavings, Instant now) {
        return new Stores(
                interleavings.client(),
                new Tables(TestTables.PULSES, TestTables.REGISTRY),
                Clock.fixed(now, system.clock().getZone()),
                system.pause());
    }

    private AgentProfile profile(TestAgent agent) {
        return system.stores().agents().profile(agent.id()).orElseThrow();
    }

    private void changeWindow(TestAgent agent, int seconds) {
        assertThat(system.api()
                        .patch("/api/v1/agents/" + agent.id())
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{\"expectations\":{\"window_seconds\":" + seconds + "}}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private TestAgent newAgent() {
        return door.newAgent("agent_" + agents++, SHORT);
    }
}
