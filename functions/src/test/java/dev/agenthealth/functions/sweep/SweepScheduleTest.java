package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** Start times of passes, results of an invocation, and the end of its time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
class SweepScheduleTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final List<Instant> scans = Collections.synchronizedList(new ArrayList<>());
    private volatile Runnable atScan = () -> {};
    private Sweep sweep;

    @BeforeEach
    void start() {
        harness.startAfresh();
        scans.clear();
        atScan = () -> {};
        TestDynamoDb watched = new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            if (request instanceof ScanRequest) {
                scans.add(harness.now());
                atScan.run();
            }
        });
        sweep = new Sweep(harness.wiring(watched, Map.of("SWEEP_PERIOD_SECONDS", "60")), harness.publicApi());
    }

    @Test
    void the_passes_of_a_minute_are_spread_evenly_and_each_is_reported() {
        harness.configure(4, 200_000, MassSilenceRule.DEFAULT);
        TestAgent agent = new TestAgent(harness.system(), "quick");
        agent.register(",\"heartbeat_config\":{\"interval_seconds\":5,\"unhealthy_after_seconds\":10,"
                + "\"dead_after_seconds\":40}");
        Instant begun = harness.now();
        List<Map<String, Object>> results = sweep.passes(null);
        assertThat(scans).containsExactly(begun, begun.plusSeconds(15), begun.plusSeconds(30), begun.plusSeconds(45));
        assertThat(results).extracting(pass -> pass.get("unhealthy")).containsExactly(0L, 1L, 0L, 0L);
        assertThat(results).extracting(pass -> pass.get("dead")).containsExactly(0L, 0L, 0L, 1L);
        assertThat(results).extracting(pass -> pass.get("longest_lag_ms")).containsExactly(0L, 5_000L, 0L, 5_000L);
    }

    @Test
    void one_pass_a_minute_does_not_wait() {
        Instant begun = harness.now();
        assertThat(sweep.passes(null)).hasSize(1);
        assertThat(harness.now()).isEqualTo(begun);
    }

    @Test
    void passes_are_skipped_when_earlier_passes_overrun_their_start() {
        harness.configure(12, 200_000, MassSilenceRule.DEFAULT);
        atScan = () -> harness.system().clock().advanceSeconds(12);
        Instant begun = harness.now();
        List<Map<String, Object>> results = sweep.passes(null);
        assertThat(scans)
                .containsExactly(
                        begun,
                        begun.plusSeconds(12),
                        begun.plusSeconds(24),
                        begun.plusSeconds(36),
                        begun.plusSeconds(48));
        assertThat(results).hasSize(5).allMatch(pass -> pass.get("duration_ms").equals(12_000L));
        assertThat(harness.now()).as("the next invocation is not run into").isEqualTo(begun.plusSeconds(60));
    }

    @Test
    void a_failed_pass_does_not_stop_later_passes_and_fails_the_invocation() {
        harness.configure(4, 200_000, MassSilenceRule.DEFAULT);
        AtomicInteger number = new AtomicInteger();
        atScan = () -> {
            if (number.incrementAndGet() == 2) {
                throw new IllegalStateException("the second scan fails");
            }
        };
        assertThatThrownBy(() -> sweep.passes(null)).hasMessage("the second scan fails");
        assertThat(scans).hasSize(4);
    }

    @Test
    void a_configuration_changed_during_an_invocation_applies_to_its_next_pass() {
        harness.passToTheNextMinute();
        List<TestAgent> fleet = harness.fleet("a-", 60, "");
        harness.passTime(300);
        harness.system().clock().advanceSeconds(1);
        harness.configure(2, 200_000, MassSilenceRule.DEFAULT);
        AtomicInteger number = new AtomicInteger();
        atScan = () -> {
            if (number.incrementAndGet() == 1) {
                harness.configure(2, 200_000, new MassSilenceRule(1_000, 55, 10));
            }
        };
        List<Map<String, Object>> results = sweep.passes(null);
        assertThat(results).extracting(pass -> pass.get("dead")).containsExactly(6L, 54L);
        assertThat(SweepHarness.in(LifecycleStatus.DEAD, fleet)).isEqualTo(60);
    }

    @Test
    void when_time_runs_out_the_remaining_agents_are_left_to_the_next_pass() {
        List<TestAgent> fleet = harness.fleet("a-", 30, "");
        harness.system().clock().advanceSeconds(60);
        harness.sweep();
        harness.system().clock().advanceSeconds(31);
        AtomicInteger timeChecks = new AtomicInteger();
        List<Map<String, Object>> results =
                // One check per row.
                sweep.passes(TestContext.withTimeLeft(() -> timeChecks.incrementAndGet() <= 10 ? 60_000 : 11_999));
        assertThat(results.get(0)).containsEntry("unhealthy", 10L).containsEntry("postponed", 20L);
        assertThat(SweepHarness.in(LifecycleStatus.UNHEALTHY, fleet)).isEqualTo(10);
        assertThat(harness.sweep()).containsEntry("unhealthy", 20L).containsEntry("postponed", 0L);
        fleet.forEach(agent -> agent.assertHistoryIsWhole("time ran out"));
    }

    @Test
    void the_schedule_s_event_and_the_environment_are_the_only_input() {
        Sweep deployed = new Sweep(harness.wiring(
                harness.system().dynamoDb(), Map.of("PUBLIC_URL", "http://127.0.0.1:1", "SWEEP_PERIOD_SECONDS", "60")));
        harness.agent("agent");
        assertThat(deployed.passes(null).get(0)).containsEntry("monitored", 1L);
        harness.system().clock().advance(Duration.ofSeconds(60));
        assertThat(deployed.passes(null)).hasSize(1);
    }
}
