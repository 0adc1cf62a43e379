package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Interaction of leases and drains (RFC-0016 §5.2, §9.3). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-19")
@Tag("R16-29")
class DrainWithLeasesTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final TestApi api = harness.system().api();
    private final LeaseClient leases = new LeaseClient(api);
    private TestAgent agent;

    @BeforeEach
    void start() {
        harness.startAfresh();
        agent = harness.agent("agent");
        // The sweep just started: the grace period of its first pass must end.
        harness.passTime(91, agent::sendHeartbeat);
    }

    @Test
    void the_last_release_completes_the_drain_despite_a_reported_load() {
        agent.sendHeartbeat("active", ",\"current_load\":2");
        JsonNode one = leases.granted("agent", "one", 600);
        JsonNode two = leases.granted("agent", "two", 600);
        assertThat(agent.drain(api).status()).isEqualTo(200);
        agent.sendHeartbeat("draining", ",\"current_load\":0");
        leases.release(one);
        harness.sweep();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        assertThat(leases.release(two).status()).isEqualTo(204);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->draining drain_initiated",
                        "draining->deregistered drain_completed");
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
        agent.assertHistoryIsWhole("drain with leases");
    }

    @Test
    void the_revocation_of_the_last_lease_completes_the_drain() {
        JsonNode lease = leases.granted("agent", "one", 600);
        agent.drain(api);
        leases.revoke(TestSystem.COORDINATOR_KEY, lease);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    @Tag("R16-26")
    void a_lease_that_times_out_does_not_end_the_drain_of_an_agent_that_reports_work() {
        JsonNode lease = leases.granted("agent", "one", 40);
        agent.sendHeartbeat("draining", ",\"current_load\":3");
        harness.passTime(60, () -> agent.sendHeartbeat("draining", ",\"current_load\":3"));
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired timeout");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        assertThat(leases.release(lease).status()).isEqualTo(204);
        assertThat(agent.pulse().status())
                .as("the lease was not given back in time")
                .isEqualTo(LifecycleStatus.DRAINING);
        agent.sendHeartbeat("draining", ",\"current_load\":0");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    void a_lease_that_times_out_ends_the_drain_of_an_agent_that_reports_no_work() {
        leases.granted("agent", "one", 40);
        agent.sendHeartbeat("draining", "");
        harness.passTime(39);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        harness.passTime(1);
        assertThat(agent.pulse().status()).as("by the sweep").isEqualTo(LifecycleStatus.DEREGISTERED);

        TestAgent other = harness.agent("other");
        leases.granted("other", "two", 40);
        other.sendHeartbeat("draining", "");
        harness.system().clock().advanceSeconds(40);
        other.sendHeartbeat("draining", "");
        assertThat(other.pulse().status()).as("by a heartbeat").isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    void the_last_release_completes_a_drain_that_the_agent_does_not_know_of() {
        agent.sendHeartbeat("active", ",\"current_load\":1,\"tasks_in_progress\":[\"a\"]");
        JsonNode lease = leases.granted("agent", "one", 600);
        assertThat(drainBy(TestSystem.COORDINATOR_KEY)).isEqualTo(200);
        leases.release(lease);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    void the_last_release_completes_the_drain_despite_a_heartbeat_in_between() {
        JsonNode lease = leases.granted("agent", "one", 600);
        agent.sendHeartbeat("draining", ",\"current_load\":2");
        AtomicInteger heartbeats = new AtomicInteger();
        TestApi slow = harness.system()
                .apiThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
                    if (completesDrain(request) && heartbeats.incrementAndGet() <= 2) {
                        agent.sendHeartbeat("draining", ",\"current_load\":2");
                    }
                }));
        assertThat(new LeaseClient(slow).release(lease).status()).isEqualTo(204);
        assertThat(heartbeats).hasValue(3);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        agent.assertHistoryIsWhole("release and heartbeats");
    }

    private static boolean completesDrain(DynamoDbRequest request) {
        return request instanceof TransactWriteItemsRequest write
                && write.transactItems().stream()
                        .anyMatch(item -> item.update() != null
                                && item.update().tableName().equals(TestTables.PULSES));
    }

    @Test
    void a_release_that_failed_after_the_end_of_the_lease_completes_the_drain_when_it_is_retried() {
        JsonNode lease = leases.granted("agent", "one", 600);
        agent.sendHeartbeat("draining", ",\"current_load\":2");
        TestApi failing = harness.system()
                .apiThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
                    if (completesDrain(request)) {
                        throw new IllegalStateException("the function is stopped");
                    }
                }));
        assertThat(new LeaseClient(failing).release(lease).status()).isEqualTo(500);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        harness.system().clock().advanceSeconds(10);
        assertThat(leases.release(lease).status()).isEqualTo(204);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    void a_release_of_before_the_drain_does_not_complete_it_when_it_is_repeated() {
        JsonNode lease = leases.granted("agent", "one", 600);
        leases.release(lease);
        harness.system().clock().advanceSeconds(10);
        agent.sendHeartbeat("draining", ",\"current_load\":2");
        assertThat(leases.release(lease).status()).isEqualTo(204);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
    }

    @Test
    void a_lease_expired_before_the_drain_is_not_held() {
        leases.granted("agent", "one", 10);
        agent.sendHeartbeat("active", ",\"current_load\":1");
        harness.system().clock().advanceSeconds(10);
        agent.drain(api);
        harness.sweep();
        assertThat(agent.pulse().status()).as("its task is not finished").isEqualTo(LifecycleStatus.DRAINING);
    }

    @Test
    void without_leases_the_load_determines_the_end_of_the_drain() {
        agent.sendHeartbeat("active", ",\"current_load\":2");
        agent.drain(api);
        harness.sweep();
        agent.sendHeartbeat("draining", "");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        agent.sendHeartbeat("draining", ",\"current_load\":0");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    void a_heartbeat_with_active_never_ends_a_drain_and_a_draining_agent_is_not_discovered() {
        leases.granted("agent", "one", 600);
        assertThat(listed()).contains("\"agent\"");
        agent.drain(api);
        assertThat(listed()).doesNotContain("\"agent\"");
        for (int i = 0; i < 3; i++) {
            assertThat(agent.sendHeartbeat().json().get("agent_status").textValue())
                    .isEqualTo("draining");
        }
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        assertThat(listed()).doesNotContain("\"agent\"");
    }

    @Test
    @Tag("R16-20")
    @Tag("R16-26")
    void at_the_deadline_remaining_leases_expire_with_their_holder() {
        JsonNode lease = leases.granted("agent", "one", 6_000);
        assertThat(patch("{\"status\":\"draining\",\"drain_timeout_seconds\":60}"))
                .isEqualTo(200);
        harness.passTime(60, agent::sendHeartbeat);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DRAINING);
        assertThat(leases.verify(lease).status()).isEqualTo(200);
        harness.system().clock().advance(Duration.ofMillis(1));
        harness.sweep();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(agent.events().stream().map(e -> e.get("type").textValue()).toList())
                .endsWith("agent.drain_timeout", "agent.lifecycle");
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired agent_dead");
        assertThat(leases.verify(lease).status()).isEqualTo(412);
        harness.agent("successor");
        leases.granted("successor", "one", 60);
    }

    @Test
    @Tag("R16-20")
    void at_the_deadline_an_agent_without_leases_or_load_is_deregistered() {
        JsonNode lease = leases.granted("agent", "one", 30);
        assertThat(patch("{\"status\":\"draining\",\"drain_timeout_seconds\":30}"))
                .isEqualTo(200);
        harness.system().clock().advanceSeconds(31);
        harness.sweep();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired timeout");
    }

    @Test
    @Tag("R16-14")
    void a_command_is_delivered_until_the_drain_starts_and_sets_its_timeout() {
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).isEmpty();
        TestApi.Response first =
                command(TestSystem.COORDINATOR_KEY, "\"reason\":\"first\",\"drain_timeout_seconds\":9");
        assertThat(first.status()).as(first.text()).isEqualTo(202);
        assertThat(command(
                                TestSystem.ADMINISTRATOR_KEY,
                                "\"reason\":\"maintenance_window\",\"drain_timeout_seconds\":77")
                        .status())
                .isEqualTo(202);
        for (int i = 0; i < 3; i++) {
            JsonNode commands = agent.sendHeartbeat().json().get("pending_commands");
            assertThat(commands.toString())
                    .isEqualTo(
                            """
                            [{"command":"drain","reason":"maintenance_window","drain_timeout_seconds":77}]\
                            """);
        }
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        agent.becomeUnhealthy();
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).hasSize(1);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        JsonNode draining =
                agent.sendHeartbeat("draining", ",\"current_load\":1").json();
        assertThat(draining.get("pending_commands")).isEmpty();
        assertThat(agent.pulse().drain().timeout()).isEqualTo(Duration.ofSeconds(77));
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).isEmpty();
        assertThat(agent.pulse().drain().timeout()).isEqualTo(Duration.ofSeconds(77));
    }

    @Test
    @Tag("R16-14")
    @Tag("R16-18")
    void the_timeout_of_a_request_overrides_that_of_the_command() {
        command(TestSystem.COORDINATOR_KEY, "\"drain_timeout_seconds\":77");
        leases.granted("agent", "one", 600);
        assertThat(patch("{\"status\":\"draining\",\"drain_timeout_seconds\":33}"))
                .isEqualTo(200);
        assertThat(agent.pulse().drain().timeout()).isEqualTo(Duration.ofSeconds(33));
        TestAgent other = harness.agent("other");
        assertThat(api.post("/api/v1/agents/other/commands")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"command\":\"drain\",\"drain_timeout_seconds\":44}")
                        .send()
                        .status())
                .as("the agent may send the command itself")
                .isEqualTo(202);
        other.drain(api);
        assertThat(other.pulse().drain().timeout()).isEqualTo(Duration.ofSeconds(44));
    }

    @Test
    @Tag("R16-14")
    @Tag("R16-35")
    void invalid_commands_are_refused() {
        for (String body : List.of(
                "{}",
                "{\"command\":\"dance\"}",
                "{\"command\":\"drain\",\"drain_timeout_seconds\":0}",
                "{\"command\":\"drain\",\"drain_timeout_seconds\":86401}",
                "{\"command\":\"drain\",\"reason\":\"" + "r".repeat(65) + "\"}",
                "{\"command\":\"drain\",\"more\":1}")) {
            assertThat(api.post("/api/v1/agents/agent/commands")
                            .key(TestSystem.COORDINATOR_KEY)
                            .body(body)
                            .send()
                            .status())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(command(TestSystem.OTHER_AGENT_KEY, "\"reason\":\"test\"").status())
                .isEqualTo(403);
        assertThat(command("unknown-key", "\"reason\":\"test\"").status()).isEqualTo(401);
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).isEmpty();
        leases.granted("agent", "one", 600);
        agent.drain(api);
        assertThat(command(TestSystem.COORDINATOR_KEY, "\"reason\":\"r\"").status())
                .isEqualTo(409);
        agent.deregister();
        assertThat(command(TestSystem.COORDINATOR_KEY, "\"reason\":\"r\"").status())
                .isEqualTo(409);
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).isEmpty();
    }

    @Test
    @Tag("R16-14")
    @Tag("R16-17")
    @Tag("R16-20")
    @Tag("R16-26")
    void a_rolling_restart_and_a_crash() {
        TestAgent killed = harness.agent("killed");
        TestAgent successor = harness.agent("successor");
        JsonNode work = leases.granted("agent", "work", 3_600);
        JsonNode lost = leases.granted("killed", "lost", 3_600);

        // The first agent gets a drain command, finishes its work and is deregistered with its last lease.
        command(TestSystem.COORDINATOR_KEY, "\"reason\":\"rolling_restart\",\"drain_timeout_seconds\":300");
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).hasSize(1);
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        assertThat(leases.acquire("agent", "more", 60).status()).isEqualTo(409);
        assertThat(leases.verify(work).status()).isEqualTo(200);
        leases.release(work);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(leases.history(work)).containsExactly("lease.acquired", "lease.released");

        // The second agent becomes silent: its lease survives unhealthy and expires when it is marked as dead.
        harness.passTime(120, successor::sendHeartbeat);
        assertThat(killed.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(leases.verify(lost).status()).isEqualTo(200);
        assertThat(leases.acquire("successor", "lost", 60).status()).isEqualTo(409);
        harness.passTime(210, successor::sendHeartbeat);
        assertThat(killed.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(leases.history(lost)).containsExactly("lease.acquired", "lease.expired agent_dead");

        // Another member of the pool takes over, and late writes of the first one are refused.
        JsonNode again = leases.granted("successor", "lost", 60);
        assertThat(again.get("fencing_token").longValue())
                .isGreaterThan(lost.get("fencing_token").longValue());
        assertThat(leases.verify(lost).status()).isEqualTo(412);
        assertThat(leases.renew(lost, 60).status()).isEqualTo(412);
        assertThat(killed.sendHeartbeat().status()).isEqualTo(410);
        assertThat(killed.register("").status()).isEqualTo(201);
        assertThat(leases.verify(lost).status()).isEqualTo(412);
        assertThat(leases.acquire("killed", "lost", 60).status()).isEqualTo(409);
        assertThat(leases.verify(again).status()).isEqualTo(200);
    }

    private TestApi.Response command(String key, String fields) {
        return api.post("/api/v1/agents/agent/commands")
                .key(key)
                .body("{\"command\":\"drain\"," + fields + "}")
                .send();
    }

    private int drainBy(String key) {
        return api.patch("/api/v1/agents/agent/status")
                .key(key)
                .header("if-match", "*")
                .body("{\"status\":\"draining\"}")
                .send()
                .status();
    }

    private int patch(String body) {
        return api.patch("/api/v1/agents/agent/status")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body)
                .send()
                .status();
    }

    private String listed() {
        return api.get("/api/v1/agents")
                .query("capabilities", "test")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .text();
    }
}
