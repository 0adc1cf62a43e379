package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sweep ends expired leases and leases of dead or deregistered holders. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaseSweepTest {

    private static final String SHORT =
            ",\"heartbeat_config\":{\"interval_seconds\":1,\"unhealthy_after_seconds\":2,\"dead_after_seconds\":4}";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final LeaseClient leases = new LeaseClient(harness.system().api());

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    @Tag("R16-27")
    void an_expired_lease_is_ended_once_and_its_holder_is_not_changed() {
        TestAgent agent = harness.agent("slow");
        JsonNode lease = leases.granted("slow", "scope", 10);
        harness.passTime(9);
        assertThat(leases.history(lease)).containsExactly("lease.acquired");
        harness.passTime(1);
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired timeout");
        harness.sweep();
        harness.passTime(30);
        assertThat(leases.history(lease)).hasSize(2);
        assertThat(agent.changes()).containsExactly("registering->active registered");
        assertThat(agent.pulse().version()).isEqualTo(1);
        leases.granted("slow", "scope", 10);
    }

    @Test
    @Tag("R16-27")
    void a_renewed_lease_is_ended_after_its_new_expiry() {
        harness.agent("slow");
        JsonNode lease = leases.granted("slow", "scope", 10);
        leases.renew(lease, 40);
        harness.passTime(30);
        assertThat(leases.history(lease)).containsExactly("lease.acquired");
        harness.passTime(10);
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired timeout");
    }

    @Test
    @Tag("R16-27")
    void a_takeover_two_seconds_after_expiry_ends_the_lease_and_the_sweep_does_not_repeat_it() {
        harness.agent("slow");
        harness.agent("quick");
        JsonNode lease = leases.granted("slow", "scope", 10);
        harness.system().clock().advanceSeconds(11);
        assertThat(leases.acquire("quick", "scope", 10).status()).isEqualTo(409);
        harness.system().clock().advance(Duration.ofMillis(999));
        assertThat(leases.acquire("quick", "scope", 10).status()).isEqualTo(409);
        harness.system().clock().advance(Duration.ofMillis(1));
        JsonNode next = leases.granted("quick", "scope", 60);
        assertThat(next.get("fencing_token").longValue())
                .isGreaterThan(lease.get("fencing_token").longValue());
        harness.sweep();
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired timeout");
        assertThat(leases.history(next)).containsExactly("lease.acquired");
        assertThat(leases.verify(next).status()).isEqualTo(200);
    }

    @Test
    @Tag("R16-26")
    void marking_as_dead_expires_all_leases_of_the_agent_and_no_others() {
        registerWithShortThresholds("victim");
        harness.agent("other");
        JsonNode one = leases.granted("victim", "one", 600);
        JsonNode two = leases.granted("victim", "two", 600);
        JsonNode released = leases.granted("victim", "three", 600);
        leases.release(released);
        JsonNode ranOut = leases.granted("victim", "four", 1);
        JsonNode others = leases.granted("other", "five", 600);
        harness.passTime(5);
        assertThat(new TestAgent(harness.system(), "victim").pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        for (JsonNode lease : List.of(one, two)) {
            assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired agent_dead");
            assertThat(leases.shown(lease).get("reason").textValue()).isEqualTo("agent_dead");
            assertThat(leases.verify(lease).status()).isEqualTo(412);
        }
        assertThat(leases.history(released)).containsExactly("lease.acquired", "lease.released");
        assertThat(leases.history(ranOut)).containsExactly("lease.acquired", "lease.expired timeout");
        assertThat(leases.history(others)).containsExactly("lease.acquired");
        leases.granted("other", "one", 60);
    }

    @Test
    @Tag("R16-26")
    void leases_that_a_death_ended_are_counted_as_expired() {
        registerWithShortThresholds("victim");
        leases.granted("victim", "one", 3_600);
        leases.granted("victim", "two", 3_600);
        leases.granted("victim", "three", 2);
        long expired = 0;
        for (int second = 0; second < 6; second++) {
            harness.system().clock().advanceSeconds(1);
            expired += ((Number) harness.sweep().get("leases_expired")).longValue();
        }
        assertThat(eventItems("lease.expired")).isEqualTo(3);
        assertThat(expired).isEqualTo(3);
    }

    @Test
    @Tag("R16-26")
    @Tag("exhaustive")
    void all_of_three_hundred_leases_of_a_dead_agent_end() {
        registerWithShortThresholds("hoarder");
        for (int i = 0; i < 300; i++) {
            leases.granted("hoarder", "scope-" + i, 3_600);
        }
        harness.passTime(5);
        assertThat(leases.ids("active")).isEmpty();
        assertThat(leases.ids("expired")).hasSize(300);
        assertThat(eventItems("lease.expired")).isEqualTo(300);
        assertThat(pointers()).isZero();
        assertThat(harness.items(TestTables.PULSES, row -> row.containsKey("z")))
                .isEmpty();
    }

    @Test
    @Tag("R16-30")
    void a_deregistration_releases_some_leases_and_the_sweep_the_others() {
        TestAgent agent = harness.agent("leaver");
        List<JsonNode> held = IntStream.range(0, 60)
                .mapToObj(i -> leases.granted("leaver", "scope-" + i, 600))
                .toList();
        assertThat(agent.deregister().status()).isEqualTo(204);
        assertThat(leases.ids("released")).hasSizeBetween(1, 59);
        held.forEach(lease -> assertThat(leases.verify(lease).status()).isEqualTo(412));
        harness.sweep();
        assertThat(leases.ids("released")).hasSize(60);
        held.forEach(lease -> assertThat(leases.history(lease))
                .containsExactly("lease.acquired", "lease.released agent_deregistered"));
    }

    @Test
    @Tag("R16-26")
    @Tag("R16-06")
    void a_new_incarnation_s_leases_survive_the_unfinished_clean_up_of_the_old_one() {
        TestAgent agent = harness.agent("phoenix");
        List<JsonNode> old = IntStream.range(0, 60)
                .mapToObj(i -> leases.granted("phoenix", "scope-" + i, 600))
                .toList();
        agent.deregister();
        assertThat(agent.register("").status()).isEqualTo(201);
        JsonNode fresh = leases.granted("phoenix", "fresh", 600);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        harness.sweep();
        List<JsonNode> events = leases.events();
        old.forEach(lease -> {
            assertThat(leases.verify(lease).status()).isEqualTo(412);
            assertThat(LeaseClient.history(events, lease)).hasSize(2);
        });
        assertThat(leases.verify(fresh).status()).isEqualTo(200);
        assertThat(leases.history(fresh)).containsExactly("lease.acquired");
        assertThat(leases.ids("active")).containsExactly(fresh.get("id").textValue());
        assertThat(pointers()).isEqualTo(1);
    }

    @Test
    @Tag("R16-29")
    void leases_of_an_earlier_incarnation_do_not_count_for_a_drain() {
        TestAgent agent = harness.agent("phoenix");
        IntStream.range(0, 60).forEach(i -> leases.granted("phoenix", "scope-" + i, 600));
        agent.deregister();
        assertThat(agent.register("").status()).isEqualTo(201);
        agent.sendHeartbeat("active", ",\"current_load\":1");
        assertThat(agent.drain(harness.system().api()).status()).isEqualTo(200);
        harness.sweep();
        assertThat(agent.pulse().status()).as("its task is not finished").isEqualTo(LifecycleStatus.DRAINING);
        agent.sendHeartbeat("draining", ",\"current_load\":0");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    @Tag("R16-26")
    @Tag("R16-27")
    @Tag("exhaustive")
    void after_a_crash_at_any_write_the_next_sweep_completes_with_one_event_per_lease() {
        int k = 1;
        while (failsAt(k, k % 2 == 0 ? WriteFailure.LOSES_RESPONSE : WriteFailure.CRASHES_BEFORE)) {
            k++;
        }
        assertThat(k)
                .as("start, canaries, time-outs, changes, rounds of clean-up")
                .isGreaterThan(15);
    }

    private boolean failsAt(int k, WriteFailure way) {
        harness.startAfresh();
        registerWithShortThresholds("victim");
        harness.agent("slow");
        List<JsonNode> lost = IntStream.range(0, LeaseStore.MAX_ENDED_AT_ONCE + 1)
                .mapToObj(i -> leases.granted("victim", "lost-" + i, 600))
                .toList();
        List<JsonNode> ranOut = IntStream.range(0, 2)
                .mapToObj(i -> leases.granted("slow", "ran-out-" + i, 2))
                .toList();
        harness.system().clock().advanceSeconds(5);
        TestDynamoDb crashing = new TestDynamoDb(harness.system().dynamoDb()).failAt(k, way);
        try {
            SweepHarness.run(harness.sweepThrough(crashing));
        } catch (Crash | CompletionException e) {
            assertThat(way).as("%s at write %s: %s", way, k, e).isEqualTo(WriteFailure.CRASHES_BEFORE);
        }
        harness.system().clock().advanceSeconds(5);
        harness.sweep();
        List<JsonNode> events = leases.events();
        lost.forEach(lease -> assertThat(LeaseClient.history(events, lease))
                .as("%s at write %s", way, k)
                .containsExactly("lease.acquired", "lease.expired agent_dead"));
        ranOut.forEach(lease -> assertThat(LeaseClient.history(events, lease))
                .as("%s at write %s", way, k)
                .containsExactly("lease.acquired", "lease.expired timeout"));
        assertThat(pointers()).isZero();
        return crashing.hasFailed();
    }

    private void registerWithShortThresholds(String id) {
        assertThat(new TestAgent(harness.system(), id).register(SHORT).status()).isEqualTo(201);
    }

    private int pointers() {
        return harness.items(
                        TestTables.REGISTRY,
                        item -> SweepHarness.text(item, "pk").startsWith("A#")
                                && SweepHarness.text(item, "sk").startsWith("L#"))
                .size();
    }

    private int eventItems(String type) {
        return harness.items(
                        TestTables.REGISTRY,
                        item -> SweepHarness.text(item, "pk").startsWith("I#")
                                && SweepHarness.text(item, "type").equals(type))
                .size();
    }
}
