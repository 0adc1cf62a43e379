package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** A grace period covers silence during gaps between passes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
@Tag("R16-15")
class GracePeriodTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void the_first_pass_ever_starts_no_grace_period() {
        assertThat(graceFrom()).isEqualTo(Instant.EPOCH);
        harness.passTime(100);
        assertThat(graceFrom()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void a_gap_of_two_ticks_starts_no_grace_period() {
        harness.agent("silent");
        for (int i = 0; i < 5; i++) {
            harness.system().clock().advanceSeconds(2 * SweepHarness.TICK);
            harness.sweep();
        }
        assertThat(graceFrom()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void a_longer_gap_starts_a_grace_period_at_its_end() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(100);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.system()
                .clock()
                .advance(Duration.ofSeconds(2 * SweepHarness.TICK).plusMillis(1));
        harness.sweep();
        Instant end = harness.now();
        assertThat(graceFrom()).isEqualTo(end);
        harness.passTime(300);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.passTime(10);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(agent.events().get(2).get("deadline_at").textValue())
                .isEqualTo(end.plusSeconds(300).toString());
    }

    @Test
    void a_pass_that_crashes_right_after_its_start_keeps_the_grace_period() {
        TestAgent agent = harness.agent("silent");
        harness.passTime(100);
        harness.system().clock().advanceSeconds(3_600);
        Sweep crashing = harness.sweepThrough(
                new TestDynamoDb(harness.system().dynamoDb()).failAt(1, WriteFailure.CRASHES_AFTER));
        assertThatThrownBy(() -> SweepHarness.run(crashing)).isNotNull();
        harness.passTime(10);
        assertThat(agent.pulse().status())
                .as("the hour without a sweep does not count as silence")
                .isEqualTo(LifecycleStatus.UNHEALTHY);
        harness.passTime(310);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    @Test
    void failed_passes_start_no_grace_period() {
        TestAgent agent = harness.agent("silent");
        Instant before = graceFrom();
        AtomicBoolean failing = new AtomicBoolean(true);
        Sweep sweep = harness.sweepThrough(failingScans(failing));
        for (int i = 0; i < 40; i++) {
            harness.system().clock().advanceSeconds(SweepHarness.TICK);
            assertThatThrownBy(() -> SweepHarness.run(sweep)).hasMessage("no scan today");
        }
        assertThat(graceFrom()).isEqualTo(before);
        failing.set(false);
        SweepHarness.run(sweep);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    @Test
    void a_failed_pass_among_several_per_minute_starts_no_grace_period() {
        TestAgent agent = harness.agent("silent");
        Instant before = graceFrom();
        AtomicBoolean failing = new AtomicBoolean(true);
        Sweep sweep = new Sweep(
                harness.wiring(failingScans(failing), Map.of("SWEEP_PERIOD_SECONDS", "60")), harness.publicApi());
        harness.configure(12, 200_000, MassSilenceRule.DEFAULT);
        harness.system().clock().advanceSeconds(5);
        for (int minute = 0; minute < 6; minute++) {
            Instant begun = harness.now();
            assertThatThrownBy(() -> sweep.passes(null)).hasMessage("no scan today");
            harness.system().clock().advance(Duration.between(harness.now(), begun.plusSeconds(60)));
        }
        assertThat(graceFrom()).isEqualTo(before);
        failing.set(false);
        sweep.passes(null);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    @ParameterizedTest(name = "invocations that start {0} s after each other")
    @CsvSource({"66, false", "120, false", "121, true"})
    void a_schedule_late_by_up_to_its_period_starts_no_grace_period(int apart, boolean startsGracePeriod) {
        TestAgent agent = harness.agent("silent");
        Sweep sweep = new Sweep(
                harness.wiring(harness.system().dynamoDb(), Map.of("SWEEP_PERIOD_SECONDS", "60")), harness.publicApi());
        harness.configure(12, 200_000, MassSilenceRule.DEFAULT);
        Instant registered = harness.now();
        Instant before = graceFrom();
        for (Instant start = harness.now();
                start.isBefore(registered.plusSeconds(400));
                start = start.plusSeconds(apart)) {
            harness.system().clock().advance(Duration.between(harness.now(), start));
            sweep.passes(null);
        }
        assertThat(graceFrom().isAfter(before)).isEqualTo(startsGracePeriod);
        assertThat(agent.pulse().status()).isEqualTo(startsGracePeriod ? LifecycleStatus.ACTIVE : LifecycleStatus.DEAD);
    }

    @Test
    void a_pause_within_an_invocation_is_a_gap() {
        Instant begun = harness.now();
        Sweep sweep = new Sweep(
                harness.wiring(
                        new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
                            long into = Duration.between(begun, harness.now()).toSeconds();
                            if (request instanceof GetItemRequest && into >= 10 && into < 30) {
                                throw new IllegalStateException("no configuration now");
                            }
                        }),
                        Map.of("SWEEP_PERIOD_SECONDS", "60")),
                harness.publicApi());
        harness.configure(12, 200_000, MassSilenceRule.DEFAULT);
        assertThatThrownBy(() -> sweep.passes(null)).hasMessage("no configuration now");
        assertThat(graceFrom()).as("no pass started between 5 and 30").isEqualTo(begun.plusSeconds(30));
    }

    @Test
    void passes_longer_than_two_ticks_start_no_grace_period() {
        TestAgent agent = harness.agent("silent");
        Instant before = graceFrom();
        Sweep slow = harness.sweepThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            if (request instanceof ScanRequest) {
                harness.system().clock().advanceSeconds(3 * SweepHarness.TICK);
            }
        }));
        for (int i = 0; i < 12; i++) {
            SweepHarness.run(slow);
        }
        assertThat(graceFrom()).isEqualTo(before);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    @Test
    void the_start_of_a_grace_period_never_moves_back() {
        SweepStateStore states = new SweepStateStore(harness.system().database());
        Instant since = harness.now();
        states.beginBlackout(since, at -> RegistryEvents.blackout(5, 0, at));
        harness.system().clock().advanceSeconds(3_600);
        harness.sweep();
        Instant first = graceFrom();
        assertThat(first).isAfterOrEqualTo(since.plusSeconds(3_600));
        // A slow sweep ends the blackout with its own, older time.
        Instant again = first.plusSeconds(1);
        states.beginBlackout(again, at -> RegistryEvents.blackout(5, 0, at));
        Instant older = first.minusSeconds(600);
        assertThat(states.endBlackout(again, older, RegistryEvents.blackoutOver(again, older)))
                .isTrue();
        assertThat(graceFrom()).isEqualTo(first);
        assertThat(harness.state()).doesNotContainKey("blackout");
    }

    private TestDynamoDb failingScans(AtomicBoolean failing) {
        return new TestDynamoDb(harness.system().dynamoDb()).before((DynamoDbRequest request) -> {
            if (request instanceof ScanRequest && failing.get()) {
                throw new IllegalStateException("no scan today");
            }
        });
    }

    private Instant graceFrom() {
        AttributeValue grace = harness.state().get("grace");
        return grace == null ? Instant.EPOCH : Instant.ofEpochMilli(Long.parseLong(grace.n()));
    }
}
