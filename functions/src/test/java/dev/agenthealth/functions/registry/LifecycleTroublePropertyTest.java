package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.Tries;
import dev.agenthealth.functions.testing.Troubles;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Registrations, deregistrations, drains and heartbeats of a client that repeats what gets 503: whatever the database does, each answer
 * is true of what is stored, and the history is whole.
 */
@Tag("R16-02")
@Tag("R16-06")
@Tag("R16-30")
class LifecycleTroublePropertyTest {

    /** Agents of a system. Stale reads copy all tables at each step, which takes longer with each agent. */
    private static final int MAX_AGENTS = 20;

    private static TestSystem system = new TestSystem();
    private static int agents;

    /** A request of the client. */
    enum Act {
        REGISTER,
        REPLACE,
        DEREGISTER,
        DRAIN,
        HEARTBEAT
    }

    @AfterContainer
    static void close() {
        system.close();
    }

    @Tries(265)
    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void answers_are_true_and_the_history_is_whole(
            @ForAll @Size(min = 3, max = 10) List<Act> acts,
            @ForAll(supplier = Troubles.Every.class) Troubles troubles) {
        check(acts, troubles);
    }

    private static void check(List<Act> acts, Troubles troubles) {
        if (++agents % MAX_AGENTS == 0) {
            system.close();
            system = new TestSystem();
        }
        TestAgent agent = TestAgent.registered(system, "agent-" + agents);
        for (int i = 0; i < acts.size(); i++) {
            Act act = acts.get(i);
            LifecycleStatus before = agent.pulse().status();
            long incarnation = agent.pulse().incarnation();
            troubles.during(system, i, () -> step(agent, act, before, incarnation));
            agent.assertHistoryIsWhole(acts.subList(0, i + 1).toString());
        }
    }

    private static void step(TestAgent agent, Act act, LifecycleStatus before, long incarnation) {
        boolean alive = before == LifecycleStatus.ACTIVE || before == LifecycleStatus.DRAINING;
        switch (act) {
            case REGISTER -> {
                Answer answer = repeated(() -> agent.register(""));
                // A repeated request may find the agent that the first one registered.
                assertThat(answer.status())
                        .isIn(alive ? List.of(409) : answer.repeated() ? List.of(201, 409) : List.of(201));
                system.troubles().stop();
                assertThat(agent.pulse().incarnation()).isEqualTo(alive ? incarnation : incarnation + 1);
            }
            case REPLACE -> {
                Answer answer = repeated(() -> agent.register(",\"replace\":true"));
                assertThat(answer.status()).isEqualTo(201);
                system.troubles().stop();
                long grown = agent.pulse().incarnation() - incarnation;
                assertThat(grown).isBetween(1L, answer.repeated() ? 20L : 1L);
            }
            case DEREGISTER -> {
                assertThat(repeated(agent::deregister).status()).isEqualTo(204);
                system.troubles().stop();
                assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
            }
            case DRAIN -> {
                int status = repeated(() -> agent.sendHeartbeat("draining", ",\"current_load\":1"))
                        .status();
                system.troubles().stop();
                assertThat(status).isEqualTo(alive ? 200 : 410);
                assertThat(agent.pulse().status()).isEqualTo(alive ? LifecycleStatus.DRAINING : before);
            }
            case HEARTBEAT -> {
                int status = repeated(() -> agent.sendHeartbeat("active", ",\"current_load\":1"))
                        .status();
                system.troubles().stop();
                assertThat(status).isEqualTo(alive ? 200 : 410);
                assertThat(agent.pulse().status()).isEqualTo(before);
            }
        }
    }

    /** The answer that is not 503, and whether one of those before it was. */
    private record Answer(int status, boolean repeated) {}

    private static Answer repeated(Supplier<Response> request) {
        for (int i = 0; i < 20; i++) {
            int status = request.get().status();
            if (status != 503) {
                return new Answer(status, i > 0);
            }
        }
        throw new AssertionError("20 requests got 503");
    }
}
