package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.successAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.Interleavings;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A changed measurement window restarts the measurement; a batch retried across the change counts at most once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
@Tag("AHM-07")
class OutcomeWindowChangeTest {

    private static final int SHORT = 300;
    private static final int LONG = 3_600;

    /** A window with slices of the same width as the short one, but of another length. */
    private static final int SAME_SLICES = 301;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final OutcomeClient client = new OutcomeClient(system);
    private int agents;

    @BeforeEach
    void startAtTheBeginningOfASlice() {
        system.clock().advanceSeconds(120 - system.clock().instant().getEpochSecond() % 120);
    }

    @ParameterizedTest
    @ValueSource(ints = {LONG, SAME_SLICES})
    void a_batch_retried_after_the_change_counts_at_most_once(int window) {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        assertReported(agent, "on_arrival", false, SUCCESS);
        assertReported(agent, "past", false, successAt(now.minusSeconds(30)));
        assertReported(agent, "ahead", false, successAt(now.plusSeconds(200)));
        assertThat(counted(agent)).isEqualTo(3);
        system.clock().advanceSeconds(7);
        changeWindow(agent, window);
        assertThat(counted(agent)).isZero();
        for (boolean again : new boolean[] {false, true}) {
            assertReported(agent, "on_arrival", again, SUCCESS);
            assertReported(agent, "past", again, successAt(now.minusSeconds(30)));
            assertThat(counted(agent)).isEqualTo(again ? 1 : 0);
            assertReported(agent, "ahead", again, successAt(now.plusSeconds(200)));
            assertThat(counted(agent)).isEqualTo(1);
            system.clock().advanceSeconds(150);
        }
    }

    @Test
    void a_batch_partly_counted_before_the_change_does_not_count_after_it() {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        String[] outcomes = {successAt(now), successAt(now.minusSeconds(60)), successAt(now.minusSeconds(200))};
        TestDynamoDb crashing = new TestDynamoDb(system.dynamoDb()).failAt(2, WriteFailure.CRASHES_BEFORE);
        OutcomeClient broken = new OutcomeClient(system, system.apiThrough(crashing));
        assertThatThrownBy(() -> broken.report(agent, "b-1", outcomes)).isInstanceOf(Crash.class);
        assertThat(counted(agent)).isEqualTo(1);
        system.clock().advanceSeconds(1);
        changeWindow(agent, LONG);
        assertReported(agent, "b-1", false, outcomes);
        assertReported(agent, "b-1", true, outcomes);
        assertThat(counted(agent)).isZero();
    }

    @Test
    void a_restored_earlier_window_does_not_continue_the_old_measurement() {
        TestAgent agent = newAgent();
        assertReported(agent, "b-1", false, SUCCESS);
        for (int seconds : new int[] {LONG, SHORT}) {
            system.clock().advanceSeconds(1);
            changeWindow(agent, seconds);
        }
        assertThat(counted(agent)).isZero();
        assertReported(agent, "b-2", false, SUCCESS);
        assertThat(counted(agent)).isEqualTo(1);
    }

    @Test
    void a_report_after_the_change_costs_the_same_as_before() {
        TestAgent agent = newAgent();
        system.clock().advanceSeconds(7);
        changeWindow(agent, LONG);
        client.send(TestSystem.AGENT_KEY, agent.id(), "{}");
        system.meter().reset();
        assertReported(agent, "b-1", false, successAt(system.clock().instant()));
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "Query", "UpdateItem");
        assertThat(counted(agent)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"3600, false", "3600, true", "301, false", "301, true"})
    void of_two_concurrent_reports_of_a_batch_one_counts(int window, boolean bothKnow) {
        Instant changed = system.clock().instant();
        try (Interleavings interleavings = new Interleavings(system.dynamoDb(), request -> true)) {
            TestAgent agent = newAgent();
            AgentProfile before = profile(agent);
            changeWindow(agent, window);
            AgentProfile after = profile(agent);
            Database first = database(interleavings, changed);
            Database second = database(interleavings, changed);
            int orders = interleavings.explore(() -> {
                String agentId = "race_" + agents++;
                OutcomeBatch batch = batch(agentId, changed);
                return new Interleavings.Scenario() {
                    @Override
                    public List<Runnable> operations() {
                        return List.of(
                                () -> new OutcomeStore(first).count(batch, bothKnow ? after : before),
                                () -> new OutcomeStore(second).count(batch, after));
                    }

                    @Override
                    public void check(List<Integer> order) {
                        assertThat(counted(agentId, after))
                                .as("order %s", order)
                                .isEqualTo(1);
                    }
                };
            });
            assertThat(orders).isGreaterThanOrEqualTo(6);
        }
    }

    private void assertReported(TestAgent agent, String batchId, boolean duplicate, String... outcomes) {
        assertAccepted(client.report(agent, batchId, outcomes), outcomes.length, duplicate);
    }

    /** The outcomes of the agent's current measurement. */
    private long counted(TestAgent agent) {
        return counted(agent.id(), profile(agent));
    }

    private long counted(String agentId, AgentProfile profile) {
        return ClosedSlices.current(
                        profile.basis().window(),
                        new StoredOutcomes(system, agentId).bySlice(),
                        system.clock().instant())
                .successes();
    }

    private static OutcomeBatch batch(String agentId, Instant at) {
        return new OutcomeBatch(
                agentId,
                OutcomeSource.SELF,
                "",
                "twice",
                List.of(new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, 5, at, false)));
    }

    private Database database(Interleavings interleavings, Instant now) {
        return new Database(
                interleavings.client(),
                new Tables(TestTables.PULSES, TestTables.REGISTRY),
                Clock.fixed(now, system.clock().getZone()),
                system.pause(),
                new StorageMeter());
    }

    private AgentProfile profile(TestAgent agent) {
        return new AgentStore(system.database()).profile(agent.id()).orElseThrow();
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
        return client.newAgent("agent_" + agents++, SHORT);
    }
}
