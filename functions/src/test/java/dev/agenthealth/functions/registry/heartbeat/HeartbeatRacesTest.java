package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Heartbeats from several threads concurrent with other changes of the agent: one outcome, one event per change. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-02")
@Tag("R16-03")
class HeartbeatRacesTest {

    private static final int ROUNDS = 8;
    private static final int THREADS = 4;
    private static final int BEATS_EACH = 5;
    private static final int STUCK_AFTER_SECONDS = 60;

    private TestSystem system;
    private ExecutorService threads;
    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
        threads = Executors.newFixedThreadPool(THREADS + 1);
    }

    @AfterAll
    void close() {
        threads.shutdownNow();
        system.close();
    }

    /** Such as one whose process was stopped for a while before it wrote. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("R16-15")
    void a_heartbeat_that_another_one_overtook_takes_nothing_back(boolean unhealthy) {
        TestAgent agent = newAgent();
        if (unhealthy) {
            agent.becomeUnhealthy();
        }
        AtomicBoolean overtaken = new AtomicBoolean();
        TestApi slow = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof UpdateItemRequest && overtaken.compareAndSet(false, true)) {
                system.clock().advanceSeconds(20);
                assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
            }
        }));
        assertThat(agent.sendHeartbeat(slow).status()).isEqualTo(200);
        assertThat(overtaken).isTrue();
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
        assertThat(agent.pulse().lastHeartbeatAt()).isEqualTo(system.clock().instant());
        system.clock().advanceSeconds(80);
        assertThat(agent.sweep()).as("changed by a sweep").isFalse();
    }

    @RepeatedTest(ROUNDS)
    @Tag("R16-12")
    void heartbeats_concurrent_with_the_sweep_that_marks_the_agent_unhealthy() throws Exception {
        TestAgent agent = newAgent();
        system.clock().advanceSeconds(91);
        List<Integer> codes = race(agent, "", agent::sweep);
        assertThat(codes).containsOnly(200);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertWhole(agent, codes);
    }

    @RepeatedTest(ROUNDS)
    @Tag("R16-12")
    void heartbeats_concurrent_with_the_sweep_that_marks_the_agent_dead() throws Exception {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        system.clock().advanceSeconds(301);
        List<Integer> codes = race(agent, "", agent::sweep);
        boolean dead = agent.pulse().status() == LifecycleStatus.DEAD;
        assertThat(codes).containsOnly(dead ? 410 : 200);
        assertThat(agent.events()).hasSize(3);
        assertWhole(agent, codes);
    }

    @RepeatedTest(ROUNDS)
    @Tag("R16-19")
    void heartbeats_concurrent_with_a_drain_request() throws Exception {
        TestAgent agent = newAgent();
        agent.becomeUnhealthy();
        List<Integer> codes = race(
                agent,
                ",\"current_load\":1",
                () -> untilNotBusy(() -> agent.drain(system.api()).status()));
        assertThat(codes).containsOnly(200);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        assertWhole(agent, codes);
    }

    @RepeatedTest(ROUNDS)
    @Tag("R16-19")
    void concurrent_heartbeats_that_all_end_a_drain() throws Exception {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        long before = agent.pulse().heartbeatCount();
        List<Integer> codes = race(agent, ",\"current_load\":0", () -> 0);
        assertThat(codes).isSubsetOf(200, 410).contains(200);
        assertThat(agent.changes()).hasSize(3).last().isEqualTo("draining->deregistered drain_completed");
        assertThat(agent.pulse().heartbeatCount() - before).isEqualTo(acknowledged(codes));
        agent.assertHistoryIsWhole("all end a drain");
    }

    @RepeatedTest(ROUNDS)
    @Tag("R16-30")
    void heartbeats_concurrent_with_a_deregistration() throws Exception {
        TestAgent agent = newAgent();
        List<Integer> codes =
                race(agent, "", () -> untilNotBusy(() -> agent.deregister().status()));
        assertThat(codes).isSubsetOf(200, 410);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertWhole(agent, codes);
    }

    @RepeatedTest(ROUNDS)
    @Tag("R16-13")
    void heartbeats_concurrent_with_archiving() throws Exception {
        TestAgent agent = newAgent();
        agent.deregister();
        agent.finishCleanUp();
        List<Integer> codes = race(agent, "", agent::archive);
        assertThat(codes).as("gone before, during and after archiving").containsOnly(410);
        assertThat(agent.stored().archived()).isTrue();
        assertWhole(agent, codes);
    }

    @RepeatedTest(ROUNDS)
    @Tag("R16-06")
    void heartbeats_concurrent_with_a_registration_of_an_archived_agent() throws Exception {
        TestAgent agent = newAgent();
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        List<Integer> codes = race(
                agent,
                ",\"tasks_in_progress\":[\"t\"]",
                () -> untilNotBusy(() -> agent.register("").status()));
        assertThat(codes).isSubsetOf(200, 410);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertWhole(agent, codes);
    }

    @RepeatedTest(ROUNDS)
    @Tag("R16-16")
    void concurrent_heartbeats_with_clock_drift() throws Exception {
        TestAgent agent = newAgent();
        List<Integer> codes =
                race(agent, "", () -> agent.send(TestAgent.HEARTBEAT_BODY.formatted("2001-01-01T00:00:00Z")));
        assertThat(codes).containsOnly(200);
        assertThat(agent.events()).hasSize(2);
        agent.assertHistoryIsWhole("drift");
    }

    /** Sends heartbeats from all threads while {@code other} runs; returns the status codes of the heartbeats. */
    private List<Integer> race(TestAgent agent, String more, Callable<?> other) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<List<Integer>>> senders = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            senders.add(threads.submit(() -> {
                start.await();
                List<Integer> codes = new ArrayList<>();
                for (int j = 0; j < BEATS_EACH; j++) {
                    codes.add(agent.sendHeartbeat("active", more).status());
                }
                return codes;
            }));
        }
        Future<?> otherDone = threads.submit(() -> {
            start.await();
            return other.call();
        });
        start.countDown();
        List<Integer> codes = new ArrayList<>();
        for (Future<List<Integer>> one : senders) {
            codes.addAll(one.get(STUCK_AFTER_SECONDS, TimeUnit.SECONDS));
        }
        otherDone.get(STUCK_AFTER_SECONDS, TimeUnit.SECONDS);
        return codes;
    }

    /** Repeats a request until its status is not 503. */
    private static int untilNotBusy(Callable<Integer> request) throws Exception {
        int status = request.call();
        while (status == 503) {
            status = request.call();
        }
        assertThat(status).isLessThan(300);
        return status;
    }

    private static void assertWhole(TestAgent agent, List<Integer> codes) {
        agent.assertHistoryIsWhole("answers " + codes + ", changes " + agent.changes());
        assertThat(agent.pulse().heartbeatCount()).as("counted as acknowledged").isEqualTo(acknowledged(codes));
    }

    private static long acknowledged(List<Integer> codes) {
        return codes.stream().filter(code -> code == 200).count();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
