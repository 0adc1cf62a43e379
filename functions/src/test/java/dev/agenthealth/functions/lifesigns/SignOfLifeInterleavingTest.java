package dev.agenthealth.functions.lifesigns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.testing.InterleavedSystem;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.SeenBy;
import dev.agenthealth.testkit.Interleavings;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** A sign of life concurrent with other changes of its agent, in every interleaving of their requests of the storage. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-02")
@Tag("R16-03")
class SignOfLifeInterleavingTest {

    @AutoClose
    private final InterleavedSystem interleaved =
            new InterleavedSystem(request -> !(request instanceof GetItemRequest get
                    && get.key().containsKey("pk")
                    && get.key().get("pk").s().startsWith("K#")));

    private final SignsOfLife signs =
            SignsOfLife.in(interleaved.database(), interleaved.system().clock());
    private int agents;

    @Test
    @Tag("R16-30")
    void a_sign_and_a_deregistration() {
        explore(agent -> advance(30), agent -> agent.deregister(interleaved.api()), (agent, result) -> {
            assertThat(result).isIn(SignResult.RECORDED, SignResult.GONE);
            assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        });
    }

    @Test
    @Tag("R16-19")
    void a_sign_and_a_drain() {
        explore(agent -> advance(30), agent -> agent.drain(interleaved.api()), (agent, result) -> {
            assertThat(result).isEqualTo(SignResult.RECORDED);
            Pulse pulse = agent.pulse();
            assertThat(pulse.status()).isEqualTo(LifecycleStatus.DRAINING);
            assertThat(pulse.heartbeatCount()).isEqualTo(1);
        });
    }

    @Test
    void a_sign_and_a_heartbeat() {
        explore(agent -> advance(30), agent -> agent.sendHeartbeat(interleaved.api()), (agent, result) -> {
            Pulse pulse = agent.pulse();
            assertThat(pulse.heartbeatCount()).isEqualTo(result == SignResult.RECORDED ? 2 : 1);
            assertThat(pulse.seenBy()).isEqualTo(SeenBy.HEARTBEAT);
        });
    }

    @Test
    @Tag("exhaustive")
    void two_signs() {
        explore(
                agent -> advance(30),
                agent -> signs.record(agent.id(), SeenBy.PROBE, true),
                (agent, result) -> assertThat(agent.pulse().heartbeatCount()).isEqualTo(1));
    }

    @Test
    @Tag("R16-12")
    void a_sign_and_the_sweep_that_is_about_to_mark_the_agent_dead() {
        explore(
                agent -> {
                    agent.becomeUnhealthy();
                    advance(300);
                },
                agent -> agent.sweep(interleaved.database()),
                (agent, result) -> {
                    assertThat(result).isEqualTo(SignResult.RECORDED);
                    assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
                    assertThat(agent.changes().get(2))
                            .isIn("unhealthy->active heartbeat_resumed", "unhealthy->dead heartbeat_timeout");
                });
    }

    @Test
    @Tag("exhaustive")
    void a_sign_and_archiving() {
        explore(
                agent -> {
                    agent.becomeDead();
                    agent.finishCleanUp();
                },
                agent -> agent.archive(new AgentStore(interleaved.database())),
                (agent, result) -> assertThat(agent.stored().archived()).isFalse());
    }

    @Test
    @Tag("R16-06")
    @Tag("exhaustive")
    void a_sign_and_a_registration_of_a_dead_agent() {
        explore(TestAgent::becomeDead, agent -> agent.register(interleaved.api(), ""), (agent, result) -> assertThat(
                        agent.pulse().status())
                .isEqualTo(LifecycleStatus.ACTIVE));
    }

    private void advance(int seconds) {
        interleaved.system().clock().advanceSeconds(seconds);
    }

    private void explore(
            Consumer<TestAgent> given, Consumer<TestAgent> other, BiConsumer<TestAgent, SignResult> expected) {
        int explored = interleaved.interleavings().explore(() -> {
            TestAgent agent = TestAgent.registered(interleaved.system(), "agent_" + agents++);
            given.accept(agent);
            SignResult[] result = new SignResult[1];
            return new Interleavings.Scenario() {
                @Override
                public List<Runnable> operations() {
                    return List.of(
                            () -> result[0] = signs.record(agent.id(), SeenBy.PING, true), () -> other.accept(agent));
                }

                @Override
                public void check(List<Integer> order) {
                    agent.assertHistoryIsWhole("order " + order + ", result " + result[0]);
                    expected.accept(agent, result[0]);
                }
            };
        });
        assertThat(explored).isGreaterThan(2);
    }
}
