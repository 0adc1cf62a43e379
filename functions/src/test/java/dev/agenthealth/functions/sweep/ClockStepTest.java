package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lifecycle.AheadRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock that the sweep and heartbeats have in common steps: what it wrote ahead delays no detection. */
@Tag("R16-15")
@Tag("SYS-02")
class ClockStepTest {

    private static final String STEPPED = "registry.clock_stepped";
    private static final String STEADY = "registry.clock_steady";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final AtomicLong nanos = new AtomicLong();
    private Sweep sweep = measured();

    private Sweep measured() {
        Wiring wiring = harness.wiring(
                harness.system().dynamoDb(),
                Map.of(
                        FunctionSettings.START_FOLLOWS_OUTAGE.name(),
                        "true",
                        FunctionSettings.MEASURED_CLOCK.name(),
                        "true"));
        return new Sweep(wiring, nanos::get, harness.publicApi());
    }

    /** Lets time pass on both clocks, with a pass at its end. */
    private void pass(int seconds) {
        harness.system().clock().advanceSeconds(seconds);
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
        SweepHarness.run(sweep);
    }

    private void step(Duration step) {
        harness.system().clock().advance(step);
    }

    private TestAgent agent(String id) {
        TestAgent agent = new TestAgent(harness.system(), id);
        assertThat(agent.register(SweepHarness.SHORT_LIVED).status()).isEqualTo(201);
        agent.sendHeartbeat();
        return agent;
    }

    private static LifecycleStatus status(TestAgent agent) {
        return agent.pulse().status();
    }

    private List<Long> steps(String measuredBy) {
        return harness.registryEvents(STEPPED).stream()
                .filter(event -> event.path("measured_by").asText().equals(measuredBy))
                .map(event -> event.path("step_ms").asLong())
                .toList();
    }

    private SweepState state() {
        return new SweepStateStore(harness.system().database()).current();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"PT3S", "PT2H", "P365D"})
    void a_clock_that_ran_ahead_delays_no_death(Duration ahead) {
        TestAgent alive = agent("alive");
        TestAgent before = agent("before");
        pass(5);
        step(ahead);
        alive.sendHeartbeat();
        before.sendHeartbeat();
        TestAgent during = agent("during");
        pass(5);
        assertThat(steps("monotonic_clock")).containsExactly(ahead.toMillis());
        step(ahead.negated());
        TestAgent after = agent("after");
        alive.sendHeartbeat();
        // Thresholds of 40 s, and three passes.
        for (int second = 0; second < 55; second += 5) {
            pass(5);
            alive.sendHeartbeat();
            assertThat(status(alive)).isEqualTo(LifecycleStatus.ACTIVE);
        }
        assertThat(List.of(before, during, after)).allMatch(agent -> status(agent) == LifecycleStatus.DEAD);
        assertThat(steps("monotonic_clock")).containsExactly(ahead.toMillis(), -ahead.toMillis());
        assertThat(steps("stored_times")).isEmpty();
        assertThat(state().graceFrom()).isBefore(harness.now());
    }

    @Test
    void a_clock_that_is_set_back_for_good_delays_no_death() {
        TestAgent alive = agent("alive");
        TestAgent silent = agent("silent");
        pass(5);
        step(Duration.ofHours(-1));
        for (int second = 0; second < 55; second += 5) {
            alive.sendHeartbeat();
            pass(5);
            assertThat(status(alive)).isEqualTo(LifecycleStatus.ACTIVE);
        }
        assertThat(status(silent)).isEqualTo(LifecycleStatus.DEAD);
        assertThat(steps("monotonic_clock")).containsExactly(-3_600_000L);
        assertThat(AheadRule.isAhead(alive.pulse(), Duration.ZERO, harness.now()))
                .isFalse();
    }

    @Test
    void a_step_ahead_that_is_shorter_than_a_gap_in_sweeping_makes_no_agent_dead() {
        TestAgent alive = agent("alive");
        pass(5);
        pass(5);
        alive.sendHeartbeat();
        // A gap in sweeping begins after 60 s: twice the tick.
        step(Duration.ofSeconds(50));
        pass(5);
        assertThat(status(alive)).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void a_drain_that_began_while_the_clock_was_ahead_has_its_time_from_now_on() {
        TestAgent agent = agent("draining");
        pass(5);
        step(Duration.ofHours(2));
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        step(Duration.ofHours(-2));
        pass(5);
        Pulse pulse = agent.pulse();
        assertThat(pulse.drain().deadline())
                .isEqualTo(harness.now().plus(pulse.drain().timeout()));
    }

    @Test
    void a_restart_finds_what_a_clock_ahead_has_stored() {
        TestAgent silent = agent("silent");
        pass(5);
        step(Duration.ofHours(2));
        silent.sendHeartbeat();
        pass(5);
        step(Duration.ofHours(-2));
        sweep = measured();
        for (int second = 0; second < 55; second += 5) {
            pass(5);
        }
        assertThat(status(silent)).isEqualTo(LifecycleStatus.DEAD);
    }

    @Test
    void servers_with_clocks_of_their_own_find_a_step_by_stored_times() {
        sweep = new Sweep(harness.wiring(harness.system().dynamoDb(), Map.of()), harness.publicApi());
        TestAgent silent = agent("silent");
        pass(5);
        step(Duration.ofHours(2));
        silent.sendHeartbeat();
        step(Duration.ofHours(-2));
        for (int second = 0; second < 55; second += 5) {
            pass(5);
        }
        assertThat(status(silent)).isEqualTo(LifecycleStatus.DEAD);
        assertThat(steps("monotonic_clock")).isEmpty();
        assertThat(steps("stored_times")).singleElement().satisfies(step -> assertThat(step)
                .isBetween(-7_200_000L, -7_190_000L));
        assertThat(harness.registryEvents(STEPPED)
                        .get(0)
                        .path("corrected_agents")
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void times_within_the_difference_of_servers_are_left_alone() {
        sweep = new Sweep(harness.wiring(harness.system().dynamoDb(), Map.of()), harness.publicApi());
        TestAgent agent = agent("agent");
        step(Duration.ofSeconds(100));
        agent.sendHeartbeat();
        step(Duration.ofSeconds(-100));
        Pulse before = agent.pulse();
        pass(5);
        assertThat(agent.pulse()).isEqualTo(before);
        assertThat(harness.registryEvents(STEPPED)).isEmpty();
    }

    @Test
    void the_effects_end_five_minutes_after_the_last_step() {
        pass(5);
        step(Duration.ofHours(2));
        pass(5);
        step(Duration.ofHours(-2));
        pass(5);
        for (int second = 0; second < 295; second += 5) {
            pass(5);
        }
        assertThat(harness.registryEvents(STEADY)).isEmpty();
        pass(5);
        pass(5);
        JsonNode steady = harness.registryEvents(STEADY).get(0);
        assertThat(steady.path("since").asText())
                .isEqualTo(
                        harness.registryEvents(STEPPED).get(1).path("timestamp").asText());
        assertThat(state().clock().isOpen()).isFalse();
        assertThat(harness.registryEvents(STEADY)).hasSize(1);
    }

    @Test
    void a_reader_of_the_feed_whose_position_lies_ahead_goes_back() {
        EventStore events = new EventStore(harness.system().database());
        step(Duration.ofHours(2));
        String ahead = events.ofSystem("", harness.now(), 10, event -> true, event -> true)
                .position();
        step(Duration.ofHours(-2));
        agent("late");
        harness.system().clock().advanceSeconds(10);
        EventStore.FeedPage page = events.ofSystem(ahead, harness.now(), 10, event -> true, event -> true);
        assertThat(page.details())
                .anyMatch(event -> event.path("agent_id").asText().equals("late"));
        assertThat(page.position()).isLessThan(ahead);
    }
}
