package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** The next sweep completes a sweep that failed at any of its writes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-03")
@Tag("R16-15")
@Tag("R16-20")
@Tag("SYS-02")
class CrashedSweepTest {

    /** More writes than a pass of this test has. */
    private static final int MANY = 100;

    private static final int FIRST_CANARY = 2;
    private static final int LAST_CANARY = 5;

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void a_sweep_that_crashes_before_a_write_is_completed_by_the_next_sweep(int write) {
        assertThat(wentWrong(write, WriteFailure.CRASHES_BEFORE)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = "CRASHES_AFTER") // crashing after a write equals crashing before the next one
    @Tag("exhaustive")
    void any_failed_write_leads_to_one_outcome_and_one_event_per_transition(WriteFailure way) {
        int k = 1;
        while (k < MANY && wentWrong(k, way)) {
            // The canary writes are equivalent: test the first and the last.
            k = k == FIRST_CANARY ? LAST_CANARY : k + 1;
        }
        assertThat(k - 1)
                .as("writes of a pass: its start, 2 canaries put and removed, 5 changes of status, 4 clean-ups,"
                        + " an archival, a left canary, a credential, 3 marks of agents that changed before and 4 of those"
                        + " that it changed, a note how far agents are marked, the figures of the fleet,"
                        + " its counts of the minute, the counts of leases")
                .isEqualTo(1 + 4 + 5 + 4 + 1 + 1 + 1 + 3 + 4 + 1 + 1 + 1 + 1);
    }

    /** Runs one pass that fails at its k-th write, and the next pass; returns whether there was a k-th write. */
    private boolean wentWrong(int k, WriteFailure way) {
        harness.startAfresh();
        String run = way + " at write " + k;
        TestSystem system = harness.system();
        String suffix = "-" + way + k;
        TestAgent gone = harness.agent("gone" + suffix);
        gone.deregister();
        system.clock().advanceSeconds(3_580);
        harness.sweep();
        new CanaryStore(system.database())
                .place("canary-left", KeyHash.ofKey("left"), harness.now().minusSeconds(280));
        TestAgent ailing = registered("ailing" + suffix, 25);
        TestAgent loaded = registered("loaded" + suffix, 25);
        loaded.sendHeartbeat("active", ",\"current_load\":1");
        drain(loaded);
        TestAgent orphan = orphan("orphan" + suffix, "key " + run);
        system.clock().advanceSeconds(10);
        harness.sweep();
        new KeyStore(system.database()).revoke("key-key " + run);
        TestAgent hasty = registered("hasty" + suffix, 4);
        TestAgent done = harness.agent("done" + suffix);
        drain(done);
        system.clock().advanceSeconds(25);

        TestDynamoDb crashing = new TestDynamoDb(system.dynamoDb()).failAt(k, way);
        try {
            harness.sweepThrough(crashing).passes(null);
        } catch (Crash | CompletionException | DynamoDbException e) {
            assertThat(way).as(run + ": " + e).isNotEqualTo(WriteFailure.LOSES_RESPONSE);
        }
        crashing.settle();
        // The pass may have ended before it set marks; the next pass sets them all.
        harness.settleMarks();
        system.clock().advanceSeconds(10);
        harness.sweep();
        assertThat(harness.marked()).as(run).contains(hasty.id(), ailing.id(), loaded.id(), done.id());

        assertThat(hasty.changes())
                .as(run)
                .containsExactly(
                        "registering->active registered",
                        "active->unhealthy heartbeat_timeout",
                        "unhealthy->dead heartbeat_timeout");
        assertThat(ailing.changes()).as(run).isEqualTo(hasty.changes());
        assertThat(loaded.changes())
                .as(run)
                .containsExactly(
                        "registering->active registered",
                        "active->draining drain_initiated",
                        "draining->dead drain_timeout");
        assertThat(done.changes())
                .as(run)
                .containsExactly(
                        "registering->active registered",
                        "active->draining drain_initiated",
                        "draining->deregistered drain_completed");
        assertThat(gone.stored().archived()).as(run).isTrue();
        assertThat(orphan.pulse().owner().credential().isNone()).as(run).isTrue();
        for (TestAgent agent : List.of(hasty, ailing, loaded, done, gone, orphan)) {
            agent.assertHistoryIsWhole(run);
            assertThat(harness.row(agent.id()))
                    .as("nothing of %s is left to clean up, %s", agent.id(), run)
                    .doesNotContainKey("z");
        }
        system.clock().advanceSeconds(301);
        harness.sweep();
        assertThat(harness.rows())
                .as("rows, %s", run)
                .extracting(row -> SweepHarness.text(row, "id"))
                .noneMatch(id -> id.startsWith("canary-"));
        return crashing.hasFailed();
    }

    private TestAgent registered(String id, int deadAfterSeconds) {
        TestAgent agent = new TestAgent(harness.system(), id);
        agent.register(",\"heartbeat_config\":{\"interval_seconds\":1,\"unhealthy_after_seconds\":2,"
                + "\"dead_after_seconds\":" + deadAfterSeconds + "}");
        return agent;
    }

    /** An agent whose key will be revoked. */
    private TestAgent orphan(String id, String key) {
        harness.system().addKey(key, Role.AGENT, Set.of());
        harness.system()
                .api()
                .post("/api/v1/agents")
                .key(key)
                .body("{\"agent_id\":\"" + id + "\"}")
                .send();
        return new TestAgent(harness.system(), id);
    }

    private void drain(TestAgent agent) {
        assertThat(harness.system()
                        .api()
                        .patch("/api/v1/agents/" + agent.id() + "/status")
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{\"status\":\"draining\",\"drain_timeout_seconds\":20}")
                        .send()
                        .status())
                .isEqualTo(200);
    }
}
