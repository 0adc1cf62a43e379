package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.Tries;
import dev.agenthealth.functions.testing.Troubles;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** After any sequence of blackouts and failed passes, silent agents are marked as dead and agents that send heartbeats are not. */
@Tag("R16-15")
@Tag("SYS-02")
class EverySilentAgentIsMarkedDeadPropertyTest {

    private static SweepHarness harness;

    /** An agent's behaviour: its dead threshold in seconds, whether it sends heartbeats, whether it drains with work left. */
    record Behavior(int deadAfter, boolean sendsHeartbeats, boolean drains) {}

    /** What happens in a tick: the registry receives no heartbeats, no pass starts, or the pass fails. */
    enum Tick {
        USUAL,
        BLACKOUT,
        NO_PASS,
        BROKEN_PASS
    }

    @BeforeContainer
    static void open() {
        harness = new SweepHarness();
    }

    @AfterContainer
    static void close() {
        harness.close();
    }

    @Tries(72)
    @Property(shrinking = ShrinkingMode.OFF)
    void every_silent_agent_is_marked_as_dead(
            @ForAll("fleets") List<Behavior> behaviors,
            @ForAll("ticks") List<Tick> ticks,
            @ForAll("rules") MassSilenceRule rule) {
        check(behaviors, ticks, rule, Troubles.NONE);
    }

    @Tries(72)
    @Property(shrinking = ShrinkingMode.OFF)
    void every_silent_agent_is_marked_as_dead_whatever_troubles_the_database_has(
            @ForAll("fleets") List<Behavior> behaviors,
            @ForAll("ticks") List<Tick> ticks,
            @ForAll("rules") MassSilenceRule rule,
            @ForAll(supplier = Troubles.Every.class) Troubles troubles) {
        check(behaviors, ticks, rule, troubles);
    }

    private static void check(List<Behavior> behaviors, List<Tick> ticks, MassSilenceRule rule, Troubles troubles) {
        harness.startAfresh();
        harness.configure(1, 200_000, rule);
        List<TestAgent> agents = new ArrayList<>();
        for (int i = 0; i < behaviors.size(); i++) {
            agents.add(registered("agent-" + i, behaviors.get(i)));
        }
        int step = 0;
        for (Tick tick : ticks) {
            pass(tick, behaviors, agents, troubles, step++);
        }
        // Below ten missing heartbeats, blackouts make an agent unhealthy; its next heartbeat makes it active.
        pass(Tick.USUAL, behaviors, agents, troubles, step++);
        // The longest threshold, up to two grace periods, and at least one agent marked as dead per minute. An outage
        // in
        // every other pass would start a new grace period each time, so outages end here; another pass may still fail.
        Troubles passing = troubles.withoutOutages();
        int maxPasses = (2 * (240 / SweepHarness.TICK) + behaviors.size() * (60 / SweepHarness.TICK) + 4)
                * (passing.rates().isEmpty() ? 1 : 4);
        for (int i = 0; i < maxPasses && !allSilentAreDead(behaviors, agents); i++) {
            pass(Tick.USUAL, behaviors, agents, passing, step++);
        }
        assertThat(allSilentAreDead(behaviors, agents)).isTrue();
        for (int i = 0; i < agents.size(); i++) {
            Behavior behavior = behaviors.get(i);
            agents.get(i).assertHistoryIsWhole(behavior.toString());
            if (behavior.sendsHeartbeats() && !behavior.drains()) {
                assertThat(agents.get(i).pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
            }
        }
        // Rows of dead agents are archived after an hour. Canaries of a failed pass remain until a pass five minutes
        // later.
        assertThat(harness.rows())
                .extracting(row -> SweepHarness.text(row, "id"))
                .filteredOn(id -> !id.startsWith("canary-"))
                .isSubsetOf(ids(agents, status -> true))
                .containsAll(ids(agents, status -> !status.hasEnded()));
    }

    private static List<String> ids(List<TestAgent> agents, Predicate<LifecycleStatus> included) {
        return agents.stream()
                .filter(agent -> included.test(agent.pulse().status()))
                .map(TestAgent::id)
                .toList();
    }

    private static void pass(Tick tick, List<Behavior> behaviors, List<TestAgent> agents, Troubles troubles, int step) {
        harness.system().clock().advanceSeconds(SweepHarness.TICK);
        troubles.during(harness.system(), step, () -> pass(tick, behaviors, agents));
    }

    private static void pass(Tick tick, List<Behavior> behaviors, List<TestAgent> agents) {
        for (int i = 0; i < agents.size(); i++) {
            if (behaviors.get(i).sendsHeartbeats() && tick != Tick.BLACKOUT) {
                send(agents.get(i), behaviors.get(i));
            }
        }
        switch (tick) {
            case USUAL -> {
                harness.publicApi().acceptHeartbeats();
                sweep();
            }
            case BLACKOUT -> {
                harness.publicApi().dropHeartbeats();
                sweep();
            }
            case NO_PASS -> {}
            case BROKEN_PASS -> {
                harness.publicApi().delegateTo((agentId, apiKey) -> {
                    throw new IllegalStateException("broken");
                });
                try {
                    sweep();
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("broken");
                }
            }
        }
    }

    /** As the clients do: repeats a heartbeat while the storage is busy. */
    private static void send(TestAgent agent, Behavior behavior) {
        int status = 503;
        for (int i = 0; i < 5 && status == 503; i++) {
            status = agent.sendHeartbeat(behavior.drains() ? "draining" : "active", ",\"current_load\":1")
                    .status();
        }
    }

    private static void sweep() {
        try {
            harness.sweep();
        } catch (StorageBusyException e) {
            // The next pass does what is left.
        }
    }

    private static boolean allSilentAreDead(List<Behavior> behaviors, List<TestAgent> agents) {
        for (int i = 0; i < agents.size(); i++) {
            if (!behaviors.get(i).sendsHeartbeats() && agents.get(i).pulse().status() != LifecycleStatus.DEAD) {
                return false;
            }
        }
        return true;
    }

    private static TestAgent registered(String id, Behavior behavior) {
        TestAgent agent = new TestAgent(harness.system(), id);
        int unhealthyAfter = behavior.deadAfter() / 2;
        agent.register(
                ",\"heartbeat_config\":{\"interval_seconds\":" + unhealthyAfter / 2 + ",\"unhealthy_after_seconds\":"
                        + unhealthyAfter + ",\"dead_after_seconds\":" + behavior.deadAfter() + "}");
        agent.sendHeartbeat(behavior.drains() ? "draining" : "active", ",\"current_load\":1");
        return agent;
    }

    @Provide
    Arbitrary<List<Behavior>> fleets() {
        return Combinators.combine(
                        Arbitraries.of(130, 180, 240),
                        Arbitraries.frequencyOf(
                                Tuple.of(3, Arbitraries.just(false)), Tuple.of(1, Arbitraries.just(true))),
                        Arbitraries.frequencyOf(
                                Tuple.of(4, Arbitraries.just(false)), Tuple.of(1, Arbitraries.just(true))))
                .as(Behavior::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(12);
    }

    @Provide
    Arbitrary<List<Tick>> ticks() {
        return Arbitraries.of(Tick.class).list().ofMaxSize(12);
    }

    @Provide
    Arbitrary<MassSilenceRule> rules() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 14),
                        Arbitraries.integers().between(1, 100),
                        Arbitraries.integers().between(1, 100))
                .as(MassSilenceRule::new);
    }
}
