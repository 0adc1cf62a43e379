package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import dev.agenthealth.testkit.Interleavings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Sweeps concurrent with sweeps, heartbeats, deregistration and registration: one outcome, one event per transition. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-02")
@Tag("R16-03")
@Tag("SYS-02")
class RacingSweepTest {

    private final SweepHarness harness = new SweepHarness();
    private final Interleavings interleavings =
            new Interleavings(harness.system().dynamoDb(), RacingSweepTest::isStep);
    private final Database racing = harness.databaseThrough(interleavings.client());
    private final TestApi api = harness.apiThrough(interleavings.client());
    private int agents;

    @BeforeAll
    void start() {
        harness.startAfresh();
    }

    @AfterAll
    void close() {
        interleavings.close();
        harness.close();
    }

    /** Writes to a pulse, and the read of the profile between them. */
    private static boolean isStep(DynamoDbRequest request) {
        return request instanceof TransactWriteItemsRequest
                || request instanceof UpdateItemRequest
                || request instanceof GetItemRequest;
    }

    @Test
    @Tag("R16-06")
    void a_registration_concurrent_with_archiving_continues_the_counters() {
        int interleavingCount = explore(
                () -> {
                    TestAgent agent = newAgent();
                    agent.deregister();
                    agent.finishCleanUp();
                    harness.system().clock().advanceSeconds(3_601);
                    return agent;
                },
                agent -> {
                    Pulse seen = agent.pulse();
                    return List.of(
                            () -> reconciler(Instant.EPOCH).reconcile(row(seen)),
                            () -> assertThat(register(agent)).isEqualTo(201));
                },
                agent -> {
                    assertThat(agent.stored().archived()).isFalse();
                    assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
                    assertThat(agent.pulse().incarnation()).isEqualTo(2);
                    assertThat(agent.events()).hasSize(3);
                    assertThat(listed("test")).contains(agent.id());
                });
        assertThat(interleavingCount).isGreaterThan(2);
    }

    @Test
    @Tag("R16-06")
    void a_registration_concurrent_with_the_clean_up_keeps_its_own_tasks() {
        explore(
                () -> {
                    TestAgent agent = newAgent();
                    agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"old\"]");
                    agent.deregister();
                    return agent;
                },
                agent -> {
                    Pulse seen = agent.pulse();
                    return List.of(() -> reconciler(Instant.EPOCH).reconcile(row(seen)), () -> {
                        assertThat(register(agent)).isEqualTo(201);
                        agent.sendHeartbeat(api, "active", ",\"tasks_in_progress\":[\"new\"]");
                    });
                },
                agent -> assertThat(agent.stored().tasks()).containsExactly("new"));
    }

    @Test
    void an_outdated_scan_result_changes_nothing() {
        TestAgent agent = newAgent();
        Pulse first = agent.pulse();
        agent.sendHeartbeat();
        Pulse second = agent.pulse();
        agent.deregister();
        agent.register("");
        Pulse third = agent.pulse();
        agent.sendHeartbeat();
        harness.system().clock().advanceSeconds(301);
        ActionCounts.Tally tally = new ActionCounts.Tally();
        for (Pulse old : List.of(first, second, third)) {
            reconciler(Instant.EPOCH, tally).reconcile(row(old));
        }
        assertThat(tally.sum().get(Action.OVERTAKEN)).isEqualTo(3);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(agent.events()).hasSize(3);
    }

    @Test
    void a_scan_result_with_outdated_thresholds_changes_nothing() {
        TestAgent agent = newAgent();
        Pulse before = agent.pulse();
        harness.system()
                .api()
                .patch("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"heartbeat_config\":{\"interval_seconds\":300,\"unhealthy_after_seconds\":600,"
                        + "\"dead_after_seconds\":1200}}")
                .send();
        harness.system().clock().advanceSeconds(301);
        reconciler(Instant.EPOCH).reconcile(row(before));
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    @Tag("exhaustive")
    void concurrent_sweeps_change_each_agent_of_a_fleet_once() {
        harness.startAfresh();
        List<TestAgent> fleet = harness.fleet("crowd-", 40, "");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Sweep> sweeps = List.of(
                harness.sweepThrough(harness.system().dynamoDb()),
                harness.sweepThrough(harness.system().dynamoDb()),
                harness.sweepThrough(harness.system().dynamoDb()));
        long unhealthy = 0;
        long dead = 0;
        for (int i = 0; i < 11; i++) {
            harness.system().clock().advanceSeconds(SweepHarness.TICK);
            List<CompletableFuture<Map<String, Object>>> passes = sweeps.stream()
                    .map(sweep -> CompletableFuture.supplyAsync(() -> SweepHarness.run(sweep), threads))
                    .toList();
            for (CompletableFuture<Map<String, Object>> pass : passes) {
                unhealthy += (Long) pass.join().get("unhealthy");
                dead += (Long) pass.join().get("dead");
                assertThat(pass.join()).containsEntry("failed", 0L);
            }
        }
        threads.shutdown();
        assertThat(unhealthy).isEqualTo(40);
        assertThat(dead).isEqualTo(40);
        fleet.forEach(agent -> {
            assertThat(agent.events()).hasSize(3);
            agent.assertHistoryIsWhole("three sweeps");
        });
    }

    private int explore(
            Supplier<TestAgent> setting, Function<TestAgent, List<Runnable>> operations, Consumer<TestAgent> check) {
        return interleavings.explore(() -> {
            TestAgent agent = setting.get();
            List<Runnable> running = operations.apply(agent);
            return new Interleavings.Scenario() {
                @Override
                public List<Runnable> operations() {
                    return running;
                }

                @Override
                public void check(List<Integer> order) {
                    // Another inspection completes what the race left unfinished.
                    reconciler(Instant.EPOCH).reconcile(row(agent.pulse()));
                    check.accept(agent);
                    agent.assertHistoryIsWhole("order " + order);
                }
            };
        });
    }

    private static FleetRow row(Pulse pulse) {
        return new FleetRow(pulse, HealthSummary.NONE, Watch.NOT_WATCHED);
    }

    private RowReconciler reconciler(Instant graceFrom) {
        return reconciler(graceFrom, new ActionCounts.Tally());
    }

    private RowReconciler reconciler(Instant graceFrom, ActionCounts.Tally tally) {
        return new RowReconciler(
                racing,
                new LeaseCleanUp(new LeaseStore(racing)),
                new DueRows(
                        graceFrom,
                        ProbeTimeoutRules.ofAll(new ProbeTimeoutRule(graceFrom, false)),
                        harness.now(),
                        ClockRule.MAX_PASS,
                        new Inspection.After(
                                Inspection.NO_MARKS, Inspection.NO_DAYS, Inspection.NO_PROBES, Duration.ofMinutes(1)),
                        BlockStore.InForce.NOTHING,
                        Map.of()),
                SweepDecision.ALL,
                tally);
    }

    private TestAgent newAgent() {
        return harness.agent("racer-" + agents++);
    }

    private int register(TestAgent agent) {
        return api.post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agent.id() + "\",\"role_id\":\"worker\",\"capabilities\":[\"test\"]}")
                .send()
                .status();
    }

    private String listed(String capability) {
        return harness.system()
                .api()
                .get("/api/v1/agents")
                .query("capabilities", capability)
                .query("limit", "1000")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .text();
    }
}
