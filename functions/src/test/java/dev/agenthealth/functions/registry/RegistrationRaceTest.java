package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Interleavings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Concurrent requests for the same id or agent: one succeeds, the others get an error. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistrationRaceTest {

    private static final int THREADS = 16;

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @Test
    @Tag("R16-03")
    @Tag("R16-07")
    void one_of_sixteen_concurrent_registrations_succeeds() throws Exception {
        String id = client.newId();
        assertThat(atOnce(() -> client.register("{\"agent_id\":\"" + id + "\"}").status()))
                .containsOnlyOnce(201)
                .containsOnly(201, 409);
        TestAgent agent = new TestAgent(system, id);
        assertThat(agent.changes()).containsExactly("registering->active registered");
        agent.assertHistoryIsWhole("after a race");
    }

    @Test
    @Tag("R16-03")
    @Tag("R16-06")
    void one_of_sixteen_concurrent_re_registrations_succeeds() throws Exception {
        TestAgent agent = client.newAgent("");
        agent.becomeDead();
        assertThat(atOnce(() ->
                        client.register("{\"agent_id\":\"" + agent.id() + "\"}").status()))
                .containsOnlyOnce(201)
                .containsOnly(201, 409);
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
        agent.assertHistoryIsWhole("after a race");
    }

    @Test
    @Tag("R16-18")
    void one_of_sixteen_concurrent_drains_of_one_version_succeeds() throws Exception {
        TestAgent agent = client.newAgent("");
        assertThat(atOnce(() -> client.patchStatus(agent.id(), "\"1\"", "{\"status\":\"draining\"}")
                        .status()))
                .containsOnlyOnce(200)
                .containsOnly(200, 412);
        assertThat(agent.changes()).last().isEqualTo("active->draining drain_initiated");
        agent.assertHistoryIsWhole("after a race");
    }

    @Test
    @Tag("R16-30")
    void sixteen_concurrent_deregistrations_publish_one_event() throws Exception {
        TestAgent agent = client.newAgent("");
        assertThat(atOnce(() -> client.delete(TestSystem.AGENT_KEY, agent.id()).status()))
                .containsOnly(204);
        assertThat(agent.changes()).last().isEqualTo("active->deregistered deregistered");
        agent.assertHistoryIsWhole("after a race");
    }

    @Test
    @Tag("R16-02")
    @Tag("R16-03")
    @Tag("R16-06")
    @Tag("slow")
    void a_re_registration_archiving_and_a_deregistration_have_one_history_in_every_order() {
        try (Interleavings orders = new Interleavings(system.dynamoDb(), request -> true)) {
            TestApi api = system.apiThrough(orders.client());
            int runs = orders.explore(() -> {
                TestAgent agent = client.newAgent(",\"capabilities\":[\"race\"]");
                agent.becomeDead();
                agent.finishCleanUp();
                List<Integer> answers = Collections.synchronizedList(new ArrayList<>());
                return scenario(
                        agent,
                        List.of(
                                () -> answers.add(new RegistryClient(system, api)
                                        .register("{\"agent_id\":\"" + agent.id() + "\",\"capabilities\":[\"race\"]}")
                                        .status()),
                                () -> agent.archive(new AgentStore(system.databaseThrough(orders.client())))),
                        () -> assertThat(answers).containsExactly(201));
            });
            assertThat(runs).isGreaterThan(3);
            runs = orders.explore(() -> {
                TestAgent agent = client.newAgent("");
                agent.becomeDead();
                agent.finishCleanUp();
                return scenario(
                        agent,
                        List.of(
                                () -> assertThat(agent.deregister(api).status()).isEqualTo(204),
                                () -> agent.archive(new AgentStore(system.databaseThrough(orders.client())))),
                        () -> assertThat(agent.pulse().status().wireName()).isEqualTo("deregistered"));
            });
            assertThat(runs).isGreaterThan(3);
        }
    }

    @Test
    @Tag("R16-18")
    void if_match_detects_a_concurrent_profile_change_in_every_order() {
        try (Interleavings orders = new Interleavings(system.dynamoDb(), request -> true)) {
            RegistryClient racing = new RegistryClient(system, system.apiThrough(orders.client()));
            int runs = orders.explore(() -> {
                TestAgent agent = client.newAgent("");
                List<Integer> answers = Collections.synchronizedList(new ArrayList<>());
                return scenario(
                        agent,
                        List.of(
                                () -> answers.add(racing.patchStatus(agent.id(), "\"1\"", "{\"status\":\"draining\"}")
                                        .status()),
                                () -> answers.add(racing.patchProfile(agent.id(), "\"1\"", "{\"name\":\"n\"}")
                                        .status())),
                        () -> {
                            assertThat(answers).containsExactlyInAnyOrder(200, 412);
                            assertThat(agent.pulse().version()).isEqualTo(2);
                        });
            });
            assertThat(runs).isGreaterThan(3);
        }
    }

    private static Interleavings.Scenario scenario(TestAgent agent, List<Runnable> operations, Runnable check) {
        return new Interleavings.Scenario() {
            @Override
            public List<Runnable> operations() {
                return operations;
            }

            @Override
            public void check(List<Integer> order) {
                check.run();
                if (agent.pulse().version() == agent.changes().size()
                        || agent.pulse().incarnation() > 1) {
                    agent.assertHistoryIsWhole("in the order " + order);
                }
            }
        };
    }

    private static <T> List<T> atOnce(Callable<T> operation) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(
                    IntStream.range(0, THREADS).mapToObj(i -> operation).toList())) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
