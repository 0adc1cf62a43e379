package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The next measurement completes a measurement that failed at any of its writes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
@Tag("AHS-13")
@Tag("exhaustive")
class CrashedMeasurementTest {

    /** More writes than a run of this test has. */
    private static final int MANY = 30;

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    void after_any_failed_write_every_outcome_counts_once_and_every_change_is_published_once(WriteFailure way) {
        int k = 1;
        while (k < MANY && wentWrong(k, way)) {
            k++;
        }
        assertThat(k - 1)
                .as("writes: closed slices, history, health summary, health with its events, mark, marks of two slices")
                .isEqualTo(7);
    }

    /** Runs one run that fails at its k-th write, and the next run; returns whether there was a k-th write. */
    private boolean wentWrong(int k, WriteFailure way) {
        String run = way + " at write " + k;
        // Start at half past, so that the failing run is the first of its hour.
        harness.system()
                .clock()
                .advance(Duration.between(
                        harness.now(),
                        harness.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofMinutes(90))));
        TestAgent agent = harness.agent("agent-" + way + k, MeasurementHarness.ONE_HOUR);
        harness.report(agent, 30, 0, 100);
        harness.measure();
        Instant first = harness.now();
        harness.system().clock().advanceSeconds(1_000);
        agent.sendHeartbeat();
        harness.measure();
        harness.system().clock().advanceSeconds(2_000);
        agent.sendHeartbeat();
        harness.report(agent, 0, 1, 100, first);
        harness.report(agent, 10, 9, 100);
        TestDynamoDb crashing = new TestDynamoDb(harness.system().dynamoDb()).failAt(k, way);
        try {
            harness.through(crashing).get();
        } catch (Crash | CompletionException e) {
            assertThat(way).as(run + ": " + e).isIn(WriteFailure.CRASHES_BEFORE, WriteFailure.CRASHES_AFTER);
        }
        crashing.settle();
        harness.measure();

        assertThat(harness.health(agent).measurement().counts().successes())
                .as(run)
                .isEqualTo(40);
        assertThat(harness.health(agent).measurement().counts().failures())
                .as(run)
                .isEqualTo(10);
        assertThat(harness.statusChanges(agent)).as(run).containsExactly("unknown->healthy", "healthy->degraded");
        agent.assertHistoryIsWhole(run);
        harness.system().clock().advanceSeconds(3_800);
        harness.measure();
        assertThat(harness.health(agent).measurement().sampleCount()).as(run).isZero();
        assertThat(harness.health(agent).measurement().previousSamples())
                .as(run)
                .isEqualTo(50);
        harness.system().clock().advanceSeconds(10_000);
        harness.measure();
        return crashing.hasFailed();
    }
}
