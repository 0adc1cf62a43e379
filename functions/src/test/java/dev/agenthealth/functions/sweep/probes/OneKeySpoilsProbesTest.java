package dev.agenthealth.functions.sweep.probes;

import static dev.agenthealth.functions.sweep.probes.WatchedFleet.in;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.ProbeSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One key lets many watched agents answer and fail as it likes. Watched agents of other keys are marked as dead in time, and not before. */
@Tag("SYS-02")
@Tag("R16-15")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OneKeySpoilsProbesTest {

    private static final String ATTACKER = "attacker-key";
    private static final int AGENTS = 30;
    private static final int FEW = 7;

    private final WatchedFleet fleet = new WatchedFleet();

    @BeforeEach
    void addKey() {
        fleet.system.addKey(ATTACKER, Role.AGENT, Set.of());
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private List<TestAgent> attacker(int agents) {
        return fleet.watched(ATTACKER, "x", agents, agents);
    }

    private void stop(String prefix, int agents) {
        IntStream.range(0, agents).forEach(i -> fleet.stopped.add("/" + prefix + i));
    }

    private void start(String prefix, int agents) {
        IntStream.range(0, agents).forEach(i -> fleet.stopped.remove("/" + prefix + i));
    }

    /** Registers some agents of several owners. Returns the agents by owner. */
    private List<List<TestAgent>> others(int owners, int agents) {
        List<List<TestAgent>> others = new ArrayList<>();
        for (int i = 0; i < owners; i++) {
            fleet.system.addKey("other-key-" + i, Role.AGENT, Set.of());
            others.add(fleet.watched("other-key-" + i, "o" + i + "x", agents, agents));
        }
        return others;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    @Tag("slow")
    void agents_that_fail_together_do_not_delay_the_death_of_an_agent_of_another_key(int others) {
        attacker(AGENTS);
        others(others, FEW);
        TestAgent victim = fleet.watched(1, 1).get(0);
        fleet.minutes(2);
        stop("x", AGENTS);
        fleet.stopped.add("/w0");
        fleet.minutes(6);
        assertThat(victim.pulse().status()).isEqualTo(DEAD);
    }

    @Test
    void agents_that_fail_and_answer_in_turns_do_not_delay_the_death_of_an_agent_of_another_key() {
        attacker(AGENTS);
        List<TestAgent> victims = fleet.watched(ProbeSample.MIN_AGENTS, ProbeSample.MIN_AGENTS);
        others(1, 1);
        fleet.minutes(2);
        fleet.stopped.add("/w0");
        fleet.stopped.add("/o0x0");
        for (int i = 0; i < 3; i++) {
            stop("x", AGENTS);
            fleet.minutes(1);
            start("x", AGENTS);
            fleet.minutes(1);
        }
        assertThat(victims.get(0).pulse().status()).isEqualTo(DEAD);
        assertThat(new TestAgent(fleet.system, "o0x0").pulse().status()).isEqualTo(DEAD);
        assertThat(in(ACTIVE, victims)).isEqualTo(victims.size() - 1);
    }

    @Test
    @Tag("slow")
    void agents_that_answer_do_not_take_the_protection_from_agents_of_other_keys_while_the_network_fails() {
        List<TestAgent> reachable = attacker(2 * AGENTS);
        List<List<TestAgent>> others = others(ProbeSample.MIN_OWNERS, FEW);
        fleet.pass();
        fleet.minutes(2);
        fleet.reachable = "xhost";
        fleet.networkFails = true;
        fleet.minutes(12);
        others.forEach(agents -> assertThat(in(ACTIVE, agents)).isEqualTo(FEW));
        assertThat(in(ACTIVE, reachable)).isEqualTo(reachable.size());
        assertThat(fleet.registryEvents()).containsExactly("registry.probes_inconclusive");
        fleet.networkFails = false;
        fleet.minutes(2);
        assertThat(fleet.registryEvents())
                .containsExactly("registry.probes_inconclusive", "registry.probes_inconclusive_over");
    }

    @Test
    @Tag("slow")
    void many_agents_of_a_key_take_no_places_of_other_keys_in_the_sample() {
        List<TestAgent> victims = fleet.watched(AGENTS, AGENTS);
        attacker(2 * AGENTS);
        fleet.pass();
        fleet.minutes(2);
        int victim = ProbeSample.numberOf(new Owner(TestSystem.keyId(TestSystem.AGENT_KEY), KeyHash.NONE));
        ProbeSample sample =
                new SweepStateStore(fleet.system.database()).current().probes().sample();
        assertThat(sample.byOwner().get(victim).results()).hasSize(AGENTS);
        fleet.reachable = "xhost";
        fleet.networkFails = true;
        fleet.minutes(7);
        assertThat(in(ACTIVE, victims)).isEqualTo(AGENTS);
    }

    @Test
    void agents_of_a_fourth_key_that_answer_end_no_protection_of_three_large_keys() {
        List<TestAgent> victims = fleet.watched(ProbeSample.MIN_AGENTS, ProbeSample.MIN_AGENTS);
        List<List<TestAgent>> others = others(2, ProbeSample.MIN_AGENTS);
        fleet.pass();
        fleet.minutes(2);
        stop("w", ProbeSample.MIN_AGENTS);
        fleet.minutes(2);
        List<TestAgent> reachable = attacker(AGENTS);
        fleet.pass();
        fleet.minutes(10);
        assertThat(in(ACTIVE, victims)).isEqualTo(victims.size());
        others.forEach(agents -> assertThat(in(ACTIVE, agents)).isEqualTo(agents.size()));
        assertThat(in(ACTIVE, reachable)).isEqualTo(AGENTS);
        assertThat(fleet.registryEvents()).containsExactly("registry.probes_inconclusive");
        start("w", ProbeSample.MIN_AGENTS);
        fleet.minutes(2);
        assertThat(fleet.registryEvents())
                .containsExactly("registry.probes_inconclusive", "registry.probes_inconclusive_over");
    }

    @Test
    void owners_take_turns_in_the_queue_of_probes() {
        attacker(2 * AGENTS);
        fleet.watched(TestSystem.AGENT_KEY, "w", 2, 2);
        fleet.pass();
        // The messages are sent at the same time.
        List<List<ProbeQueue.Agent>> queued = fleet.queued();
        assertThat(queued).extracting(List::size).containsExactlyInAnyOrder(50, 12);
        List<ProbeQueue.Agent> first = queued.stream()
                .filter(agents -> agents.size() == 50)
                .findFirst()
                .orElseThrow();
        assertThat(first.subList(0, 4)).extracting(ProbeQueue.Agent::agentId).contains("w0", "w1");
    }

    private static ProbeQueue.Agent due(TestAgent agent) {
        return new ProbeQueue.Agent(
                agent.pulse().agentId(), OwnerCounts.numberOf(agent.pulse().owner()));
    }

    private ProbeState state(String agentId) {
        return new ProbeStore(fleet.system.database()).find(agentId);
    }

    @Test
    @Tag("slow")
    void agents_that_hang_at_the_host_of_another_key_leave_no_failed_probe_to_agents_of_this_key() {
        fleet.delay = path -> {
            if (path.startsWith("/x")) {
                fleet.hang();
            }
        };
        List<ProbeQueue.Agent> due = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            fleet.register(ATTACKER, "x" + i, "whost0", ",\"watch\":{\"interval_seconds\":60,\"timeout_seconds\":1}");
            due.add(due(new TestAgent(fleet.system, "x" + i)));
        }
        List<TestAgent> victims = fleet.watched(TestSystem.AGENT_KEY, "w", 3, 1);
        victims.forEach(victim -> due.add(due(victim)));
        fleet.send(due);
        assertThat(fleet.probe()).isEqualTo(11);
        assertThat(state("x0").failure()).isEqualTo("no answer within 1 s");
        assertThat(state("x7").failure()).isEqualTo("no answer of its host");
        for (int i = 0; i < 3; i++) {
            assertThat(state("w" + i).isKnown()).isTrue();
            assertThat(state("w" + i).failure()).isEmpty();
        }
    }

    @Test
    void many_agents_that_hang_do_not_delay_a_probe_of_another_key_that_is_due_later() throws Exception {
        CountDownLatch hanging = new CountDownLatch(HostLanes.PER_OWNER);
        CountDownLatch asked = new CountDownLatch(1);
        fleet.delay = path -> {
            if (path.startsWith("/x")) {
                hanging.countDown();
                await(asked);
            } else {
                asked.countDown();
            }
        };
        List<ProbeQueue.Agent> due = new ArrayList<>();
        for (int i = 0; i < HostLanes.AT_ONCE + 10; i++) {
            fleet.register(
                    ATTACKER, "x" + i, "xhost" + i, ",\"watch\":{\"interval_seconds\":60,\"timeout_seconds\":20}");
            due.add(due(new TestAgent(fleet.system, "x" + i)));
        }
        TestAgent victim = fleet.watched(TestSystem.AGENT_KEY, "w", 1, 1).get(0);
        fleet.send(due);
        CompletableFuture<Integer> run = CompletableFuture.supplyAsync(fleet::probe);
        assertThat(hanging.await(15, TimeUnit.SECONDS)).isTrue();
        fleet.send(List.of(due(victim)));
        assertThat(asked.await(15, TimeUnit.SECONDS)).isTrue();
        assertThat(run.get()).isEqualTo(due.size() + 1);
        assertThat(state("w0").failure()).isEmpty();
        assertThat(state("x0").failure()).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
