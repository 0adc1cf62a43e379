package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import java.util.ArrayList;
import java.util.List;
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

/**
 * Whatever the fleet, and whatever happened to the registry's hearing and its sweeps before: when it hears, whoever stays silent is dead
 * in the end, and whoever beats is not.
 */
@Tag("R16-15")
@Tag("SYS-02")
class EverySilentAgentIsMarkedDeadPropertyTest {

    private static SweepHarness harness;

    /** How an agent lives: its dead threshold in seconds, whether it beats, whether it drains with work left. */
    record Fate(int deadAfter, boolean beats, boolean drains) {}

    /** What happens in a tick: is the door closed, is there a pass, does it break off. */
    enum Tick {
        USUAL,
        DEAF,
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

    @Property(tries = 8, shrinking = ShrinkingMode.OFF)
    void every_silent_agent_is_dead_in_the_end(
            @ForAll("fleets") List<Fate> fates,
            @ForAll("troubles") List<Tick> troubles,
            @ForAll("rules") MassSilenceRule rule) {
        harness.startAfresh();
        harness.configure(1, 200_000, rule);
        List<TestAgent> agents = new ArrayList<>();
        for (int i = 0; i < fates.size(); i++) {
            agents.add(registered("agent-" + i, fates.get(i)));
        }
        for (Tick tick : troubles) {
            pass(tick, fates, agents);
        }
        harness.door().hear();
        // The longest threshold, an amnesty or two, and a death a minute at least.
        int most = 2 * (240 / SweepHarness.TICK) + fates.size() * (60 / SweepHarness.TICK) + 4;
        for (int i = 0; i < most && !allSilentAreDead(fates, agents); i++) {
            pass(Tick.USUAL, fates, agents);
        }
        assertThat(allSilentAreDead(fates, agents)).isTrue();
        for (int i = 0; i < agents.size(); i++) {
            Fate fate = fates.get(i);
            agents.get(i).assertHistoryIsWhole(fate.toString());
            if (fate.beats() && !fate.drains()) {
                assertThat(agents.get(i).pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
            }
        }
        // Canaries of a broken pass stay until a pass five minutes later.
        assertThat(harness.rows())
                .extracting(row -> SweepHarness.text(row, "id"))
                .filteredOn(id -> !id.startsWith("canary-"))
                .hasSize(fates.size());
    }

    private static void pass(Tick tick, List<Fate> fates, List<TestAgent> agents) {
        harness.system().clock().advanceSeconds(SweepHarness.TICK);
        for (int i = 0; i < agents.size(); i++) {
            if (fates.get(i).beats() && tick != Tick.DEAF) {
                agents.get(i).beat(fates.get(i).drains() ? "draining" : "active", ",\"current_load\":1");
            }
        }
        switch (tick) {
            case USUAL -> {
                harness.door().hear();
                harness.sweep();
            }
            case DEAF -> {
                harness.door().goDeaf();
                harness.sweep();
            }
            case NO_PASS -> {}
            case BROKEN_PASS -> {
                harness.door().lead((agentId, apiKey) -> {
                    throw new IllegalStateException("broken");
                });
                try {
                    harness.sweep();
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("broken");
                }
            }
        }
    }

    private static boolean allSilentAreDead(List<Fate> fates, List<TestAgent> agents) {
        for (int i = 0; i < agents.size(); i++) {
            if (!fates.get(i).beats() && agents.get(i).pulse().status() != LifecycleStatus.DEAD) {
                return false;
            }
        }
        return true;
    }

    private static TestAgent registered(String id, Fate fate) {
        TestAgent agent = new TestAgent(harness.system(), id);
        int unhealthyAfter = fate.deadAfter() / 2;
        agent.register(
                ",\"heartbeat_config\":{\"interval_seconds\":" + unhealthyAfter / 2 + ",\"unhealthy_after_seconds\":"
                        + unhealthyAfter + ",\"dead_after_seconds\":" + fate.deadAfter() + "}");
        agent.beat(fate.drains() ? "draining" : "active", ",\"current_load\":1");
        return agent;
    }

    @Provide
    Arbitrary<List<Fate>> fleets() {
        return Combinators.combine(
                        Arbitraries.of(130, 180, 240),
                        Arbitraries.frequencyOf(
                                Tuple.of(3, Arbitraries.just(false)), Tuple.of(1, Arbitraries.just(true))),
                        Arbitraries.frequencyOf(
                                Tuple.of(4, Arbitraries.just(false)), Tuple.of(1, Arbitraries.just(true))))
                .as(Fate::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(12);
    }

    @Provide
    Arbitrary<List<Tick>> troubles() {
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
