package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.testing.InterleavedSystem;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.testkit.Interleavings;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * A replacement concurrent with everything else that changes an agent, in every order of their storage requests: one history without gaps, and
 * a successor that nothing meant for its predecessor can change.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-02")
@Tag("R16-03")
@Tag("R16-06")
class ReplacementRaceTest {

    private static final String REPLACE = ",\"replace\":true";

    @AutoClose
    private final InterleavedSystem interleaved = new InterleavedSystem(ReplacementRaceTest::isStep);

    private final TestSystem system = interleaved.system();
    private final Interleavings interleavings = interleaved.interleavings();
    private final TestApi api = interleaved.api();
    private final Database database = interleaved.database();
    private int agents;

    /** Reads of single items, such as keys and the configuration, and of leases, of which there are none, commute with everything. */
    private static boolean isStep(DynamoDbRequest request) {
        return !(request instanceof GetItemRequest) && !(request instanceof QueryRequest);
    }

    @Test
    @Tag("R16-10")
    void a_heartbeat_of_the_old_process_that_names_its_incarnation() {
        explore(
                agent -> {},
                (agent, codes) -> {
                    assertThat(codes.get(0)).isEqualTo(201);
                    assertThat(codes.get(1)).isIn(200, 410);
                    assertThat(agent.pulse().incarnation()).isEqualTo(2);
                    assertThat(agent.pulse().heartbeatCount())
                            .as("heartbeats of the successor")
                            .isZero();
                },
                this::replace,
                agent -> agent.sendHeartbeat(api, "active", ",\"incarnation\":1,\"current_load\":3")
                        .status());
    }

    @Test
    @Tag("R16-12")
    void a_heartbeat_of_the_old_process_that_would_recover() {
        explore(
                TestAgent::becomeUnhealthy,
                (agent, codes) -> {
                    assertThat(codes.get(0)).isEqualTo(201);
                    assertThat(codes.get(1)).isIn(200, 410);
                    assertThat(agent.pulse().heartbeatCount()).isZero();
                },
                this::replace,
                agent ->
                        agent.sendHeartbeat(api, "active", ",\"incarnation\":1").status());
    }

    @Test
    @Tag("R16-14")
    void the_sweep_that_is_about_to_mark_the_old_process_as_dead() {
        explore(
                agent -> {
                    agent.becomeUnhealthy();
                    system.clock().advanceSeconds(300);
                },
                (agent, codes) -> {
                    assertThat(codes.get(0)).isEqualTo(201);
                    assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
                    assertThat(agent.pulse().incarnation()).isEqualTo(2);
                    assertThat(agent.changes()).last().asString().endsWith("->active re_registered");
                },
                this::replace,
                agent -> agent.sweep(database) ? 1 : 0);
    }

    @Test
    @Tag("R16-30")
    void a_deregistration() {
        explore(
                agent -> {},
                (agent, codes) -> {
                    assertThat(codes).containsEntry(0, 201).containsEntry(1, 204);
                    Pulse pulse = agent.pulse();
                    assertThat(pulse.incarnation()).isEqualTo(2);
                    // Whichever came last holds.
                    assertThat(pulse.status()).isIn(LifecycleStatus.ACTIVE, LifecycleStatus.DEREGISTERED);
                },
                this::replace,
                agent -> agent.deregister(api).status());
    }

    @Test
    void a_second_replacement() {
        explore(
                agent -> {},
                (agent, codes) -> {
                    assertThat(codes).containsEntry(0, 201).containsEntry(1, 201);
                    assertThat(agent.pulse().incarnation())
                            .as("one after the other")
                            .isEqualTo(3);
                    assertThat(agent.stored().profile().history().restarts().moments())
                            .hasSize(2);
                },
                this::replace,
                this::replace);
    }

    private int replace(TestAgent agent) {
        return agent.register(api, REPLACE).status();
    }

    private void explore(
            Consumer<TestAgent> prepare,
            BiConsumer<TestAgent, Map<Integer, Integer>> check,
            Function<TestAgent, Integer> first,
            Function<TestAgent, Integer> second) {
        int orders = interleavings.explore(() -> {
            TestAgent agent = TestAgent.registered(system, "agent_" + agents++);
            prepare.accept(agent);
            Map<Integer, Integer> codes = Collections.synchronizedMap(new HashMap<>());
            return new Interleavings.Scenario() {
                @Override
                public List<Runnable> operations() {
                    return List.of(() -> codes.put(0, first.apply(agent)), () -> codes.put(1, second.apply(agent)));
                }

                @Override
                public void check(List<Integer> order) {
                    check.accept(agent, codes);
                    agent.assertHistoryIsWhole("in the order " + order);
                }
            };
        });
        assertThat(orders).isGreaterThan(2);
    }
}
