package dev.agenthealth.functions.sweep.probes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.invocations.CallPermitStore;
import dev.agenthealth.functions.storage.invocations.CallPermitStore.Permit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** How many probes are under way at once, over all runs of the function. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProbeLimitsTest {

    private final WatchedFleet fleet = new WatchedFleet();

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void at_most_four_probes_ask_one_host_at_once_and_200_all_hosts() {
        assertThat(Probes.MAX_RUNS * HostLanes.PER_HOST).isEqualTo(4);
        assertThat(Probes.MAX_RUNS * HostLanes.AT_ONCE).isEqualTo(200);
    }

    @Test
    void a_run_beside_two_others_asks_no_agent_and_leaves_the_queue_to_them() {
        fleet.watched(3, 3);
        fleet.minuteWithoutProbes();
        CallPermitStore permits = new CallPermitStore(fleet.system.database());
        Permit first = permits.take(Probes.PERMITS, "a", Probes.MAX_RUNS, Duration.ofSeconds(60))
                .orElseThrow();
        assertThat(permits.take(Probes.PERMITS, "b", Probes.MAX_RUNS, Duration.ofSeconds(60)))
                .isPresent();
        assertThat(fleet.probe()).isZero();
        permits.giveBack(first);
        assertThat(fleet.probe()).isEqualTo(3);
        fleet.minuteWithoutProbes();
        assertThat(fleet.probe()).as("a run gives its permit back").isEqualTo(3);
    }

    @Test
    void agents_for_which_a_run_had_no_time_are_probed_by_the_next_run() {
        List<ProbeQueue.Agent> due = fleet.watched(10, 1).stream()
                .map(agent -> new ProbeQueue.Agent(agent.pulse().agentId(), 1))
                .toList();
        AtomicInteger asked = new AtomicInteger();
        fleet.delay = path -> {
            if (asked.incrementAndGet() == 3) {
                fleet.system.clock().advanceSeconds(40);
            }
        };
        fleet.send(due);
        assertThat(fleet.probe()).isEqualTo(10);
        // The step of the clock may end a probe that has begun before it asks.
        int left = fleet.probe();
        assertThat(left).isBetween(4, 7);
        assertThat(asked.get()).isBetween(3 + left, 10);
        assertThat(fleet.probe()).isZero();
    }

    @Test
    void agents_for_which_a_run_had_no_time_are_sent_again_although_the_run_fails() {
        List<ProbeQueue.Agent> due = fleet.watched(10, 1).stream()
                .map(agent -> new ProbeQueue.Agent(agent.pulse().agentId(), 1))
                .toList();
        fleet.minutes(1);
        AtomicInteger asked = new AtomicInteger();
        fleet.delay = path -> {
            if (asked.incrementAndGet() == 3) {
                fleet.system.clock().advanceSeconds(40);
                // More requests than one read is tried again.
                for (int i = 0; i < 100; i++) {
                    fleet.system.faults().throttleOn(GetItemRequest.class);
                }
            }
        };
        fleet.send(due);
        assertThatThrownBy(fleet::probe).isInstanceOf(StorageBusyException.class);
        int begun = asked.get();
        assertThat(begun).isBetween(3, 6);
        List<String> left = fleet.queued().get(fleet.queued().size() - 1).stream()
                .map(ProbeQueue.Agent::agentId)
                .toList();
        // A probe that began while storage failed may have asked nobody.
        assertThat(left).hasSizeBetween(4, 10 - begun);
    }

    @Test
    void runs_that_crashed_hold_up_the_next_one_for_a_minute_at_most() {
        fleet.watched(3, 3);
        CallPermitStore permits = new CallPermitStore(fleet.system.database());
        for (int i = 0; i < Probes.MAX_RUNS; i++) {
            assertThat(permits.take(Probes.PERMITS, "crashed", Probes.MAX_RUNS, Duration.ofSeconds(60)))
                    .isPresent();
        }
        fleet.minuteWithoutProbes();
        assertThat(fleet.probe()).isEqualTo(3);
    }
}
