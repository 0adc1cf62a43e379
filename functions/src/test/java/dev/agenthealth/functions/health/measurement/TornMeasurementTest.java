package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change between the reads of a measurement is in the next measurement, whichever items were read before it. */
@Tag("AHS-08")
@Tag("AHM-07")
class TornMeasurementTest {

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    @ParameterizedTest
    @ValueSource(strings = {"P", "H", "P R pulse"})
    @Tag("AHS-16")
    void a_profile_change_counts_with_the_next_measurement(String readFirst) {
        TestAgent agent = harness.agent("changing", "");
        new DueStore(harness.system().database()).markDue(agent.id());
        measureWithChange(
                readFirst, () -> patch(agent, "{\"personal\":true,\"expectations\":{\"window_seconds\":600}}"));
        harness.measure();
        assertThat(harness.health(agent).subject().personal()).isTrue();
        assertThat(harness.health(agent).measurement().expectations().window().seconds())
                .isEqualTo(600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"R", "H", "P R pulse"})
    void a_late_outcome_counted_by_another_measurement_is_not_lost(String readFirst) {
        TestAgent agent = harness.agent("late", MeasurementHarness.ONE_HOUR);
        Instant early = harness.now();
        harness.report(agent, 20, 0, 10);
        harness.measure();
        for (int i = 0; i < 2; i++) {
            harness.system().clock().advance(Duration.ofMinutes(10));
            new DueStore(harness.system().database()).markDue(agent.id());
            assertThat(harness.measure()).containsEntry("computed", 1L);
        }
        new DueStore(harness.system().database()).markDue(agent.id());
        measureWithChange(readFirst, () -> {
            harness.report(agent, 0, 5, 10, early);
            harness.measure();
        });
        harness.measure();
        assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(25);
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.DEGRADED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"P", "pulse", "P R pulse"})
    @Tag("AHS-07")
    void an_agent_that_registers_again_is_measured_as_its_new_incarnation(String readFirst) {
        TestAgent agent = harness.agent("back", "");
        harness.report(agent, 20, 0, 10);
        harness.measure();
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        harness.system().clock().advanceSeconds(60);
        new DueStore(harness.system().database()).markDue(agent.id());
        measureWithChange(
                readFirst, () -> assertThat(agent.register("").status()).isEqualTo(201));
        harness.measure();
        assertThat(harness.health(agent).subject().startedAt()).isEqualTo(harness.now());
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.HEALTHY);
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy");
    }

    /** Measures and runs {@code between} after some of the items were read and before the others are. */
    private void measureWithChange(String readFirst, Runnable between) {
        List<String> first = List.of(readFirst.split(" "));
        TestDynamoDb torn = new TestDynamoDb(harness.system().dynamoDb())
                .tearFirstBatchRead(
                        key -> first.contains(
                                key.containsKey("sk") ? key.get("sk").s() : "pulse"),
                        between);
        assertThat(harness.through(torn).get()).containsEntry("failed", 0L);
    }

    private static void patch(TestAgent agent, String body) {
        assertThat(agent.change(body).status()).isEqualTo(200);
    }
}
