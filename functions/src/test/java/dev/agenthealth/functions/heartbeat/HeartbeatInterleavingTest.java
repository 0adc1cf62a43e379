package dev.agenthealth.functions.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.lifecycle.DrainRule;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.testkit.Interleavings;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/**
 * Heartbeats concurrent with every other change of an agent, in every interleaving of their storage requests. Each interleaving has
 * events without gaps, connected changes of status, no heartbeat acknowledged but not counted, and no heartbeat refused wrongly.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-02")
@Tag("R16-03")
@Tag("R16-12")
class HeartbeatInterleavingTest {

    private static final int NOTHING_TO_DO = 0;
    private static final int DONE = 200;

    private TestSystem system;
    private Interleavings interleavings;
    private TestApi api;
    private Stores stores;
    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
        interleavings = new Interleavings(system.dynamoDb(), HeartbeatInterleavingTest::isStep);
        api = system.apiThrough(interleavings.client());
        stores = system.storesThrough(interleavings.client());
    }

    @AfterAll
    void close() {
        interleavings.close();
        system.close();
    }

    /** Reads of keys are no steps: keys are cached and do not change here. */
    private static boolean isStep(DynamoDbRequest request) {
        return !(request instanceof GetItemRequest get
                && get.key().containsKey("pk")
                && get.key().get("pk").s().startsWith("K#"));
    }

    @Test
    @Tag("exhaustive")
    void a_heartbeat_and_the_sweep_that_is_about_to_mark_the_agent_unhealthy() {
        int interleavingCount = explore(
                agent -> system.clock().advanceSeconds(91),
                race -> {
                    // Marked before its heartbeat or not at all, the agent is active after it.
                    assertThat(race.code(0)).as(race.about()).isEqualTo(200);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.ACTIVE);
                },
                heartbeat(this::sendHeartbeat),
                other(this::sweep));
        assertThat(interleavingCount).isGreaterThan(2);
    }

    @Test
    @Tag("exhaustive")
    void a_heartbeat_and_the_sweep_that_is_about_to_mark_the_agent_dead() {
        explore(
                agent -> {
                    agent.becomeUnhealthy();
                    system.clock().advanceSeconds(300);
                },
                race -> {
                    boolean dead = race.agent().pulse().status() == LifecycleStatus.DEAD;
                    assertThat(race.code(0)).as(race.about()).isEqualTo(dead ? 410 : 200);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(dead ? DONE : NOTHING_TO_DO);
                },
                heartbeat(this::sendHeartbeat),
                other(this::sweep));
    }

    @Test
    @Tag("exhaustive")
    void two_heartbeats_that_both_recover_the_agent() {
        explore(
                TestAgent::becomeUnhealthy,
                race -> {
                    assertThat(race.codes()).as(race.about()).containsOnly(200);
                    assertThat(race.agent().changes())
                            .as(race.about())
                            .containsExactly(
                                    "registering->active registered",
                                    "active->unhealthy heartbeat_timeout",
                                    "unhealthy->active heartbeat_resumed");
                },
                heartbeat(this::sendHeartbeat),
                heartbeat(this::sendHeartbeat));
    }

    @Test
    @Tag("R16-19")
    void a_heartbeat_and_a_drain_request() {
        explore(
                TestAgent::becomeUnhealthy,
                race -> {
                    assertThat(race.codes()).as(race.about()).containsOnly(200);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DRAINING);
                },
                heartbeat(agent -> agent.sendHeartbeat(api, "active", ",\"current_load\":1")
                        .status()),
                other(this::drain));
    }

    @Test
    @Tag("R16-19")
    @Tag("exhaustive")
    void two_heartbeats_that_both_begin_a_drain() {
        explore(
                TestAgent::becomeUnhealthy,
                race -> {
                    assertThat(race.codes()).as(race.about()).containsOnly(200);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DRAINING);
                    assertThat(race.agent().changes())
                            .as(race.about())
                            .filteredOn(change -> change.endsWith("drain_initiated"))
                            .hasSize(1);
                },
                heartbeat(this::beatDraining),
                heartbeat(this::beatDraining));
    }

    @Test
    @Tag("R16-19")
    @Tag("exhaustive")
    void a_heartbeat_that_begins_a_drain_and_the_sweep_that_is_about_to_mark_the_agent_unhealthy() {
        explore(
                agent -> system.clock().advanceSeconds(91),
                race -> {
                    assertThat(race.code(0)).as(race.about()).isEqualTo(200);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DRAINING);
                },
                heartbeat(this::beatDraining),
                other(this::sweep));
    }

    @Test
    @Tag("R16-19")
    @Tag("exhaustive")
    void two_heartbeats_that_both_end_a_drain() {
        explore(
                agent -> agent.sendHeartbeat("draining", ",\"current_load\":1"),
                race -> {
                    assertThat(race.codes()).as(race.about()).contains(200).isSubsetOf(200, 410);
                    assertThat(race.agent().changes())
                            .as(race.about())
                            .filteredOn(change -> change.endsWith("drain_completed"))
                            .hasSize(1);
                },
                heartbeat(this::beatIdle),
                heartbeat(this::beatIdle));
    }

    @Test
    @Tag("R16-19")
    @Tag("R16-29")
    void a_heartbeat_and_the_release_of_the_last_lease() {
        explore(
                this::drainWithLease,
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(204);
                    assertDrained(race);
                },
                heartbeat(this::beatDraining),
                other(this::release));
    }

    @Test
    @Tag("R16-19")
    @Tag("R16-29")
    @Tag("exhaustive")
    void the_release_of_the_last_lease_and_a_sweep() {
        explore(
                agent -> {
                    drainWithLease(agent);
                    agent.sendHeartbeat("draining", ",\"current_load\":0");
                },
                race -> {
                    assertThat(race.code(0)).as(race.about()).isEqualTo(204);
                    assertDrained(race);
                },
                other(this::release),
                other(this::sweepDrain));
    }

    @Test
    @Tag("R16-19")
    @Tag("R16-30")
    @Tag("exhaustive")
    void a_release_and_a_deregistration_of_a_draining_agent() {
        explore(
                this::drainWithLease,
                race -> {
                    assertThat(race.codes()).as(race.about()).containsOnly(204);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DEREGISTERED);
                },
                other(this::release),
                other(this::deregister));
    }

    @Test
    @Tag("R16-19")
    @Tag("exhaustive")
    void the_first_heartbeat_since_another_requested_the_drain_and_the_sweep() {
        explore(
                agent -> assertThat(api.patch("/api/v1/agents/" + agent.id() + "/status")
                                .key(TestSystem.ADMINISTRATOR_KEY)
                                .header("if-match", "*")
                                .body("{\"status\":\"draining\"}")
                                .send()
                                .status())
                        .isEqualTo(200),
                race -> {
                    assertThat(race.code(0))
                            .as("the agent learns of the drain, %s", race.about())
                            .isEqualTo(200);
                    boolean gone = race.agent().pulse().status() == LifecycleStatus.DEREGISTERED;
                    assertThat(race.code(1)).as(race.about()).isEqualTo(gone ? DONE : NOTHING_TO_DO);
                },
                heartbeat(this::beatIdle),
                other(this::sweepDrain));
    }

    @Test
    @Tag("R16-20")
    @Tag("exhaustive")
    void a_moved_deadline_and_the_sweep_that_is_about_to_mark_the_agent_dead() {
        interleavings.explore(() -> {
            TestAgent agent = TestAgent.registered(system, "agent_" + agents++);
            agent.sendHeartbeat("draining", ",\"current_load\":1");
            system.clock().advanceSeconds(121);
            int[] codes = new int[2];
            return new Interleavings.Scenario() {
                @Override
                public List<Runnable> operations() {
                    return List.of(() -> codes[0] = drain(agent), () -> codes[1] = sweepDrain(agent));
                }

                @Override
                public void check(List<Integer> order) {
                    boolean dead = codes[1] == DONE;
                    assertThat(agent.pulse().status())
                            .isEqualTo(dead ? LifecycleStatus.DEAD : LifecycleStatus.DRAINING);
                    assertThat(codes[0]).isEqualTo(dead ? 409 : 200);
                }
            };
        });
    }

    @Test
    @Tag("R16-30")
    void a_heartbeat_and_a_deregistration() {
        explore(
                TestAgent::becomeUnhealthy,
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(204);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.DEREGISTERED);
                },
                heartbeat(this::sendHeartbeat),
                other(this::deregister));
    }

    @Test
    @Tag("R16-06")
    @Tag("exhaustive")
    void a_late_heartbeat_and_a_registration_after_death() {
        explore(
                TestAgent::becomeDead,
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(201);
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.ACTIVE);
                },
                heartbeat(this::beatWithTasks),
                other(this::register));
    }

    @Test
    @Tag("R16-13")
    @Tag("exhaustive")
    void a_late_heartbeat_archiving_and_a_registration() {
        int interleavingCount = explore(
                agent -> {
                    agent.deregister();
                    agent.finishCleanUp();
                },
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(2)).as(race.about()).isEqualTo(201);
                    assertThat(race.agent().stored().archived())
                            .as(race.about())
                            .isFalse();
                    assertThat(race.agent().pulse().status()).as(race.about()).isEqualTo(LifecycleStatus.ACTIVE);
                },
                heartbeat(this::sendHeartbeat),
                other(this::archive),
                other(this::register));
        assertThat(interleavingCount).isGreaterThan(20);
    }

    @Test
    @Tag("R16-06")
    @Tag("exhaustive")
    void a_late_heartbeat_and_a_registration_of_an_archived_agent() {
        explore(
                agent -> {
                    agent.deregister();
                    agent.finishCleanUp();
                    assertThat(agent.archive()).isTrue();
                },
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(201);
                },
                heartbeat(this::sendHeartbeat),
                other(this::register));
    }

    @Test
    @Tag("exhaustive")
    void two_sweeps_and_a_heartbeat() {
        explore(
                agent -> system.clock().advanceSeconds(301),
                race -> {
                    assertThat(race.code(0)).as(race.about()).isIn(200, 410);
                    assertThat(race.agent().changes()).as(race.about()).doesNotHaveDuplicates();
                },
                heartbeat(this::sendHeartbeat),
                other(this::sweep),
                other(this::sweep));
    }

    @Test
    @Tag("R16-16")
    @Tag("exhaustive")
    void drifting_heartbeats_and_a_sweep() {
        explore(
                agent -> system.clock().advanceSeconds(91),
                race -> {
                    assertThat(race.code(0)).as(race.about()).isEqualTo(200);
                    assertThat(race.code(1)).as(race.about()).isEqualTo(200);
                    assertThat(race.agent().events().stream()
                                    .filter(e -> e.get("type").textValue().equals("agent.clock_drift")))
                            .as(race.about())
                            .hasSize(1);
                },
                heartbeat(this::beatDrifting),
                heartbeat(this::beatDrifting),
                other(this::sweep));
    }

    @Test
    @Tag("R16-10")
    @Tag("exhaustive")
    void two_heartbeats_with_different_tasks() {
        explore(
                agent -> {},
                race -> {
                    List<String> stored = race.agent().stored().tasks();
                    assertThat(stored).as(race.about()).isIn(List.of("a"), List.of("b"));
                    assertThat(race.agent().pulse().workload().taskDigest())
                            .as("the digest is that of the list, %s", race.about())
                            .isEqualTo(TaskDigest.of(stored));
                },
                heartbeat(agent -> agent.sendHeartbeat(api, "active", ",\"tasks_in_progress\":[\"a\"]")
                        .status()),
                heartbeat(agent -> agent.sendHeartbeat(api, "active", ",\"tasks_in_progress\":[\"b\"]")
                        .status()));
    }

    private int sendHeartbeat(TestAgent agent) {
        return agent.sendHeartbeat(api).status();
    }

    private int beatWithTasks(TestAgent agent) {
        return agent.sendHeartbeat(api, "active", ",\"tasks_in_progress\":[\"t\"]")
                .status();
    }

    private int beatDraining(TestAgent agent) {
        return agent.sendHeartbeat(api, "draining", ",\"current_load\":1").status();
    }

    private int beatIdle(TestAgent agent) {
        return agent.sendHeartbeat(api, "draining", ",\"current_load\":0").status();
    }

    private int beatDrifting(TestAgent agent) {
        return agent.send(api, TestAgent.HEARTBEAT_BODY.formatted("2001-01-01T00:00:00Z"))
                .status();
    }

    private int sweep(TestAgent agent) {
        return agent.sweep(stores) ? DONE : NOTHING_TO_DO;
    }

    /** Ends the drain if it is due, as the sweep does. */
    private int sweepDrain(TestAgent agent) {
        Instant now = system.clock().instant();
        Pulse pulse = stores.pulses().find(agent.id()).orElseThrow();
        return DrainRule.mayEnd(pulse, Instant.EPOCH, now)
                        && DrainRule.end(pulse, stores.leases().holdsAny(pulse, now), Instant.EPOCH, now)
                                .filter(end -> stores.agents()
                                        .change(end, agent.stored().profile()))
                                .isPresent()
                ? DONE
                : NOTHING_TO_DO;
    }

    /** Starts a drain with load while the agent holds one lease. */
    private void drainWithLease(TestAgent agent) {
        Response granted = system.api()
                .post("/api/v1/intents/" + agent.id() + "/leases")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"s\"}")
                .send();
        assertThat(granted.status()).isEqualTo(201);
        agent.sendHeartbeat("draining", ",\"current_load\":1");
    }

    private int release(TestAgent agent) {
        String intent = "/api/v1/intents/" + agent.id() + "/leases";
        String lease = system.api()
                .get(intent)
                .query("status", "active,released")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .at("/leases/0/id")
                .textValue();
        return api.delete(intent + "/" + lease).key(TestSystem.AGENT_KEY).send().status();
    }

    private static void assertDrained(Race race) {
        assertThat(race.agent().changes())
                .as(race.about())
                .endsWith("active->draining drain_initiated", "draining->deregistered drain_completed");
    }

    private int drain(TestAgent agent) {
        return agent.drain(api).status();
    }

    private int deregister(TestAgent agent) {
        return agent.deregister(api).status();
    }

    private int register(TestAgent agent) {
        return agent.register(api, "").status();
    }

    private int archive(TestAgent agent) {
        return agent.archive(stores.agents()) ? DONE : NOTHING_TO_DO;
    }

    /**
     * An operation that runs concurrently with others.
     *
     * @param isHeartbeat whether a response of 200 means that one more heartbeat was counted
     */
    private record Operation(boolean isHeartbeat, ToIntFunction<TestAgent> run) {}

    private static Operation heartbeat(ToIntFunction<TestAgent> run) {
        return new Operation(true, run);
    }

    private static Operation other(ToIntFunction<TestAgent> run) {
        return new Operation(false, run);
    }

    /** The result of one interleaving. */
    private record Race(TestAgent agent, List<Integer> codes, String about) {

        int code(int operation) {
            return codes.get(operation);
        }
    }

    private int explore(Consumer<TestAgent> given, Consumer<Race> expected, Operation... operations) {
        return interleavings.explore(() -> {
            TestAgent agent = TestAgent.registered(system, "agent_" + agents++);
            given.accept(agent);
            Pulse before = agent.pulse();
            Integer[] codes = new Integer[operations.length];
            return new Interleavings.Scenario() {
                @Override
                public List<Runnable> operations() {
                    return IntStream.range(0, operations.length)
                            .<Runnable>mapToObj(
                                    i -> () -> codes[i] = operations[i].run().applyAsInt(agent))
                            .toList();
                }

                @Override
                public void check(List<Integer> order) {
                    String about = "order " + order + ", answers " + List.of(codes) + ", changes " + agent.changes();
                    agent.assertHistoryIsWhole(about);
                    assertCounted(agent.pulse(), before, codes, about, operations);
                    expected.accept(new Race(agent, List.of(codes), about));
                }
            };
        });
    }

    /** Every acknowledged heartbeat was counted, and no other. */
    private static void assertCounted(
            Pulse after, Pulse before, Integer[] codes, String about, Operation... operations) {
        long acknowledged = IntStream.range(0, codes.length)
                .filter(i -> operations[i].isHeartbeat() && codes[i] == 200)
                .count();
        long counted = after.incarnation() == before.incarnation()
                ? after.heartbeatCount() - before.heartbeatCount()
                : after.heartbeatCount();
        assertThat(counted).as("counted heartbeats, %s", about).isEqualTo(acknowledged);
    }
}
