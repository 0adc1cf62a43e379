package dev.agenthealth.functions.registry.leases;

import static dev.agenthealth.functions.registry.leases.LeaseClient.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Renewing, releasing, revoking and verifying leases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-17")
class HeldLeaseTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final LeaseClient leases = new LeaseClient(system.api());
    private int number;
    private TestAgent agent;
    private JsonNode lease;

    @BeforeEach
    void acquire() {
        number++;
        agent = TestAgent.registered(system, "agent-" + number);
        lease = leases.granted(agent.id(), "scope-" + number, 60);
    }

    @Test
    void a_renewal_extends_from_now_and_keeps_token_and_id() {
        system.clock().advanceSeconds(59);
        TestApi.Response renewed = leases.renew(lease, 100);
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.json().get("expires_at").textValue())
                .isEqualTo(Timestamps.text(system.clock().instant().plusSeconds(100)));
        for (String same : List.of("id", "fencing_token", "acquired_at", "status", "agent_id", "scope")) {
            assertThat(renewed.json().get(same)).as(same).isEqualTo(lease.get(same));
        }
        system.clock().advance(Duration.ofMillis(99_999));
        TestApi.Response verified = leases.verify(lease);
        assertThat(verified.status()).isEqualTo(200);
        assertThat(verified.json().get("valid").booleanValue()).isTrue();
        assertThat(verified.json().get("expires_at")).isEqualTo(renewed.json().get("expires_at"));
        system.clock().advance(Duration.ofMillis(1));
        assertStale();
        assertThat(leases.history(lease)).as("a renewal publishes no event").containsExactly("lease.acquired");
    }

    @Test
    void a_renewal_may_shorten_a_lease() {
        assertThat(leases.renew(lease, 1).status()).isEqualTo(200);
        system.clock().advanceSeconds(1);
        assertStale();
    }

    @Test
    @Tag("R16-27")
    void an_expired_lease_is_refused_immediately_before_any_sweep() {
        system.clock().advance(Duration.ofMillis(59_999));
        assertThat(leases.verify(lease).status()).isEqualTo(200);
        system.clock().advance(Duration.ofMillis(1));
        assertStale();
        assertThat(leases.shown(lease).get("status").textValue()).isEqualTo("expired");
        assertThat(leases.shown(lease).get("reason").textValue()).isEqualTo("timeout");
        assertThat(agent.pulse().status().wireName()).isEqualTo("active");
    }

    @Test
    void a_superseded_lease_is_refused() {
        system.clock().advanceSeconds(62);
        JsonNode next = leases.granted(agent.id(), "scope-" + number, 60);
        assertStale();
        assertThat(leases.verify(next).status()).isEqualTo(200);
        assertError(leases.verify(next, lease.get("fencing_token").longValue()), 412, "fencing_token_stale");
    }

    @Test
    void a_released_lease_is_refused_and_a_second_release_changes_nothing() {
        system.clock().advanceSeconds(3);
        assertThat(leases.release(lease).status()).isEqualTo(204);
        String releasedAt = Timestamps.text(system.clock().instant());
        system.clock().advanceSeconds(3);
        assertThat(leases.release(lease).status()).isEqualTo(204);
        assertStale();
        assertThat(leases.shown(lease).get("released_at").textValue()).isEqualTo(releasedAt);
        assertThat(leases.shown(lease).get("status").textValue()).isEqualTo("released");
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.released");
        leases.granted(agent.id(), "scope-" + number, 60);
    }

    @Test
    void releasing_an_expired_lease_marks_it_as_expired() {
        system.clock().advanceSeconds(60);
        assertThat(leases.release(lease).status()).isEqualTo(204);
        assertThat(leases.release(lease).status()).isEqualTo(204);
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired timeout");
    }

    @Test
    void a_lease_is_shown_to_its_holder_coordinators_and_administrators_also_after_its_end() {
        for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.COORDINATOR_KEY, TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(leases.get(key, lease).json()).isEqualTo(lease);
        }
        assertThat(leases.get(TestSystem.OTHER_AGENT_KEY, lease).status()).isEqualTo(403);
        assertError(
                system.api()
                        .get(LeaseClient.path(lease) + "X")
                        .key(TestSystem.AGENT_KEY)
                        .send(),
                404,
                "lease_not_found");
        system.clock().advanceSeconds(3);
        leases.release(lease);
        String releasedAt = Timestamps.text(system.clock().instant());
        system.clock().advanceSeconds(3);
        JsonNode ended = leases.get(TestSystem.AGENT_KEY, lease).json();
        assertThat(ended).isEqualTo(leases.shown(lease));
        assertThat(ended.get("ended_at").textValue()).isEqualTo(releasedAt);
        assertThat(ended.get("released_at").textValue()).isEqualTo(releasedAt);
    }

    @Test
    void a_lease_that_timed_out_ended_at_its_expiry_whether_marked_or_not() {
        system.clock().advanceSeconds(100);
        JsonNode before = leases.get(TestSystem.AGENT_KEY, lease).json();
        assertThat(before.get("ended_at")).isEqualTo(lease.get("expires_at"));
        new LeaseExpiry(new LeaseStore(system.database())).note(system.clock().instant(), () -> true);
        assertThat(leases.get(TestSystem.AGENT_KEY, lease).json()).isEqualTo(before);
    }

    @Test
    @Tag("R16-26")
    void the_lease_of_a_dead_agent_is_shown_as_expired_before_the_clean_up() {
        assertThat(leases.renew(lease, 10_000).status()).isEqualTo(200);
        assertThat(leases.get(TestSystem.AGENT_KEY, lease).json().has("ended_at"))
                .isFalse();
        agent.becomeDead();
        JsonNode shown = leases.get(TestSystem.AGENT_KEY, lease).json();
        assertThat(shown.get("status").textValue()).isEqualTo("expired");
        assertThat(shown.get("reason").textValue()).isEqualTo("agent_dead");
        assertThat(shown.get("ended_at").textValue())
                .isEqualTo(Timestamps.text(agent.pulse().statusSince()));
    }

    @Test
    @Tag("R16-10")
    void the_record_of_an_agent_names_the_tasks_for_which_it_holds_no_lease() {
        String scope = "scope-" + number;
        String id = lease.get("id").textValue();
        agent.sendHeartbeat(
                "active", ",\"tasks_in_progress\":[\"" + scope + "\",\"" + id + "\",\"intent-1\",\"elsewhere\"]");
        assertThat(unleasedTasks()).containsExactly("elsewhere");
        assertThat(leases.release(lease).status()).isEqualTo(204);
        assertThat(unleasedTasks()).containsExactly(scope, id, "intent-1", "elsewhere");
        agent.sendHeartbeat("active", ",\"tasks_in_progress\":[]");
        assertThat(unleasedTasks()).isEmpty();
    }

    private List<String> unleasedTasks() {
        List<String> tasks = new ArrayList<>();
        system.api()
                .get("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .get("unleased_tasks")
                .forEach(task -> tasks.add(task.textValue()));
        return tasks;
    }

    @Test
    void coordinators_and_administrators_may_revoke() {
        TestApi.Response refused = leases.revoke(TestSystem.AGENT_KEY, lease);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().get("detail").textValue())
                .as("viewers may not revoke either")
                .isEqualTo("Only coordinators and administrators may do this.");
        assertThat(leases.revoke(TestSystem.OTHER_AGENT_KEY, lease).status()).isEqualTo(403);
        assertThat(leases.verify(lease).status()).isEqualTo(200);
        TestApi.Response revoked = leases.revoke(TestSystem.COORDINATOR_KEY, lease);
        assertThat(revoked.status()).isEqualTo(200);
        assertThat(revoked.json().get("status").textValue()).isEqualTo("revoked");
        assertThat(leases.revoke(TestSystem.ADMINISTRATOR_KEY, lease).status()).isEqualTo(200);
        assertStale();
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.revoked revoked");
    }

    @Test
    void writes_of_a_dead_holder_are_refused_before_the_clean_up() {
        assertThat(leases.renew(lease, 10_000).status()).isEqualTo(200);
        agent.becomeDead();
        assertThat(leases.history(lease)).as("not cleaned up yet").containsExactly("lease.acquired");
        assertStale();
        assertThat(agent.register("").status()).isEqualTo(201);
        assertStale();
        assertThat(listOfAgent()).as("a new incarnation has no leases").isEmpty();
    }

    @Test
    void a_deregistered_holder_s_lease_is_released_and_refused() {
        agent.deregister();
        assertStale();
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.released agent_deregistered");
        assertThat(listOfAgent()).isEmpty();
    }

    @Test
    void a_wrong_token_an_unknown_lease_and_a_bad_body_are_refused() {
        long token = lease.get("fencing_token").longValue();
        assertError(leases.verify(lease, token + 1), 412, "fencing_token_stale");
        assertError(leases.verify(lease, token - 1), 412, "fencing_token_stale");
        for (String body : List.of("{}", "{\"fencing_token\":\"1\"}", "{\"fencing_token\":1,\"x\":1}")) {
            assertThat(system.api()
                            .post(LeaseClient.path(lease) + "/verify")
                            .key(TestSystem.AGENT_KEY)
                            .body(body)
                            .send()
                            .status())
                    .as(body)
                    .isEqualTo(400);
        }
        for (String body : List.of(
                "{}",
                "{\"duration_seconds\":0}",
                "{\"duration_seconds\":86401}",
                "{\"duration_seconds\":60,\"x\":1}")) {
            assertThat(system.api()
                            .patch(LeaseClient.path(lease))
                            .key(TestSystem.AGENT_KEY)
                            .body(body)
                            .send()
                            .status())
                    .as(body)
                    .isEqualTo(400);
        }
        String elsewhere = LeaseClient.path(lease).replace("intent-1", "intent-2");
        assertError(system.api().delete(elsewhere).key(TestSystem.AGENT_KEY).send(), 404, "lease_not_found");
    }

    @Test
    @Tag("R16-31")
    void the_key_of_another_agent_may_neither_renew_nor_release() {
        assertThat(leases.release(TestSystem.OTHER_AGENT_KEY, lease).status()).isEqualTo(403);
        assertThat(leases.release("unknown-key", lease).status()).isEqualTo(401);
        assertThat(system.api()
                        .patch(LeaseClient.path(lease))
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .body("{\"duration_seconds\":60}")
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(leases.verify(lease).status()).isEqualTo(200);
    }

    private void assertStale() {
        assertError(leases.verify(lease), 412, "lease_not_in_force");
        assertError(leases.renew(lease, 60), 412, "lease_not_in_force");
    }

    private JsonNode listOfAgent() {
        return system.api()
                .get("/api/v1/agents/" + agent.id() + "/leases")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .get("leases");
    }
}
