package dev.agenthealth.functions.health.trust;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.assertAccepted;
import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.successAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.storage.trust.RecordedInvocations;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.trust.EvidenceSums;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.health.trust.TrackRecord;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** After a failure of any write a retry completes the work, and nothing counts twice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrustRetryTest {

    /** More writes than any of these operations has. */
    private static final int MANY = 100;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);
    private int number;

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("SN-02")
    @Tag("SN-08")
    void a_retried_report_counts_once_for_agent_and_provider(WriteFailure way) {
        assertThat(writes(way, this::report))
                .as("the arrival, two slices with their marks, the evidence")
                .isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("SN-03")
    void a_block_and_its_event_are_stored_together(WriteFailure way) {
        assertThat(writes(way, this::block)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("SN-05")
    @Tag("SN-08")
    void an_invocation_is_stored_in_all_records_or_in_none(WriteFailure way) {
        assertThat(writes(way, this::invoke)).isEqualTo(1);
    }

    @Test
    @Tag("SN-03")
    void a_block_whose_transaction_is_cancelled_by_another_is_retried() {
        TestAgent agent = newAgent();
        system.faults().cancelByConflict(TransactWriteItemsRequest.class);
        assertThat(client.block("agents/" + agent.id(), "why").status()).isEqualTo(200);
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        assertThat(client.unblock("agents/" + agent.id()).status()).isEqualTo(200);
        assertThat(eventsOf(agent)).containsExactly("blocked", "unblocked");
    }

    /** An operation that runs first through a client that fails at one write, and then again without failures. */
    private interface Operation {
        void tryOut(TestDynamoDb crashing, String run);
    }

    /** Makes an operation fail at each of its writes; returns their number. */
    private int writes(WriteFailure way, Operation operation) {
        for (int k = 1; k < MANY; k++) {
            TestDynamoDb crashing = new TestDynamoDb(system.dynamoDb()).failAt(k, way);
            operation.tryOut(crashing, way + " at write " + k);
            if (!crashing.hasFailed()) {
                return k - 1;
            }
        }
        throw new AssertionError("it does not stop writing");
    }

    private void report(TestDynamoDb crashing, String run) {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        String[] outcomes = {SUCCESS, "{\"result\":\"failure\"}", successAt(now.minusSeconds(40_000))};
        try {
            OutcomeClient broken = new OutcomeClient(system, system.apiThrough(crashing));
            assertThat(broken.report(TestSystem.COORDINATOR_KEY, agent, "b-1", outcomes)
                            .status())
                    .as(run)
                    .isIn(202, 500);
        } catch (Crash e) {
            assertThat(crashing.hasFailed()).as(run).isTrue();
        }
        OutcomeClient whole = new OutcomeClient(system);
        EvidenceSums once = EvidenceSums.of(true, now)
                .plus(EvidenceSums.of(false, now))
                .plus(EvidenceSums.of(true, now.minusSeconds(40_000)));
        // The slices are written last.
        boolean allCounted = whole.stored(agent).total().executions() == 3;
        assertAccepted(whole.report(TestSystem.COORDINATOR_KEY, agent, "b-1", outcomes), 3, allCounted);
        assertAccepted(whole.report(TestSystem.COORDINATOR_KEY, agent, "b-1", outcomes), 3, true);
        for (TrackRecord record : records(agent)) {
            assertThat(record.evidence()).as(run).isEqualTo(once);
            assertThat(record.latest()).as(run).isEmpty();
        }
        assertThat(whole.stored(agent).total().executions()).as(run).isEqualTo(3);
    }

    private void block(TestDynamoDb crashing, String run) {
        TestAgent agent = newAgent();
        String whom = "agents/" + agent.id();
        TrustClient broken = new TrustClient(system, system.apiThrough(crashing));
        try {
            assertThat(broken.block(whom, "why").status()).as(run).isIn(200, 500);
        } catch (Crash e) {
            assertThat(crashing.hasFailed()).as(run).isTrue();
        }
        boolean blocked = client.trustOfAgent(agent.id()).path("blocked").booleanValue();
        assertThat(eventsOf(agent)).as(run).hasSize(blocked ? 1 : 0);
        assertThat(client.block(whom, "why").status()).as(run).isEqualTo(200);
        assertThat(eventsOf(agent)).as(run).containsExactly("blocked");
    }

    private void invoke(TestDynamoDb crashing, String run) {
        TestAgent agent = newAgent();
        Invocation invocation = client.invocation(agent.id(), provider(agent), true, 7);
        try {
            new RecordedInvocations(system, crashing).record(invocation);
        } catch (Crash | SdkException e) {
            assertThat(crashing.hasFailed()).as(run).isTrue();
        }
        List<TrackRecord> records = records(agent);
        assertThat(records.get(0)).as(run).isEqualTo(records.get(1));
        client.recorded().record(invocation);
        for (TrackRecord record : records(agent)) {
            assertThat(record.successes()).as(run).isEqualTo(1);
            assertThat(record.evidence()).as(run).isEqualTo(EvidenceSums.of(true, invocation.at()));
            assertThat(record.latest()).as(run).hasSize(1);
        }
    }

    private List<TrackRecord> records(TestAgent agent) {
        return List.of(
                client.recorded().of(new OfAgent(agent.id())), client.recorded().of(new OfProvider(provider(agent))));
    }

    private List<String> eventsOf(TestAgent agent) {
        return client.events().stream()
                .filter(event -> event.path("agent_id").asText().equals(agent.id()))
                .map(event -> event.path("action").asText())
                .toList();
    }

    private TestAgent newAgent() {
        String id = "agent-" + number++;
        return client.newAgent(id, "of-" + id);
    }

    private static String provider(TestAgent agent) {
        return "of-" + agent.id();
    }
}
