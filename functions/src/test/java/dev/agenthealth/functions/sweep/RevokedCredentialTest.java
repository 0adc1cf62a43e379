package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.keys.CredentialEnds;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Heartbeats with a revoked key are refused from the next pass on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-33")
class RevokedCredentialTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private int keys;
    private String key;

    @BeforeEach
    void start() {
        harness.startAfresh();
        key = "short-lived-" + keys++;
        harness.system().addKey(key, Role.AGENT, Set.of());
    }

    @Test
    void heartbeats_with_a_revoked_key_are_refused_from_the_next_pass_on() {
        register("orphan");
        TestAgent other = harness.agent("other");
        assertThat(sendHeartbeat("orphan")).isEqualTo(200);
        revoke();
        assertThat(harness.sweep()).containsEntry("credentials_cleared", 1L);
        harness.system().clock().advanceSeconds(60);
        assertThat(sendHeartbeat("orphan")).isEqualTo(401);
        assertThat(other.sendHeartbeat().status()).isEqualTo(200);
        assertThat(harness.sweep()).containsEntry("credentials_cleared", 0L);
    }

    @Test
    void an_agent_without_a_credential_becomes_silent_and_is_marked_as_dead() {
        register("orphan");
        revoke();
        harness.passTime(310);
        TestAgent orphan = new TestAgent(harness.system(), "orphan");
        assertThat(orphan.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        orphan.assertHistoryIsWhole("revoked");
    }

    @Test
    void an_agent_that_another_sweep_did_not_see_is_cleared_for_two_days() {
        revoke();
        harness.system().clock().advance(Duration.ofDays(2).minusSeconds(1));
        harness.sweep();
        assertThat(new CredentialEnds(harness.system().database()).endedCredentials())
                .hasSize(1);
        harness.system().clock().advanceSeconds(1);
        assertThat(new CredentialEnds(harness.system().database()).endedCredentials())
                .isEmpty();
    }

    @Test
    @Tag("R16-06")
    void a_revoked_credential_does_not_go_to_the_tombstone() {
        register("orphan");
        TestAgent orphan = new TestAgent(harness.system(), "orphan");
        harness.system().api().delete("/api/v1/agents/orphan").key(key).send();
        harness.sweep();
        harness.system().clock().advanceSeconds(3_601);
        revoke();
        harness.sweep();
        harness.sweep();
        assertThat(orphan.stored().archived()).isTrue();
        assertThat(orphan.pulse().owner().credential().isNone()).isTrue();
    }

    @Test
    @Tag("R16-06")
    @Tag("R16-31")
    void a_key_revoked_after_archiving_stays_revoked_when_the_agent_registers_again() {
        register("orphan");
        TestAgent orphan = new TestAgent(harness.system(), "orphan");
        harness.system().api().delete("/api/v1/agents/orphan").key(key).send();
        harness.sweep();
        harness.system().clock().advanceSeconds(3_601);
        harness.sweep();
        assertThat(orphan.stored().archived()).isTrue();
        revoke();
        harness.system().clock().advance(Duration.ofDays(3));
        assertThat(harness.system()
                        .api()
                        .post("/api/v1/agents")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"agent_id\":\"orphan\",\"owner_key_id\":\"key-" + TestSystem.AGENT_KEY + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        assertThat(sendHeartbeat("orphan")).isEqualTo(401);
        assertThat(orphan.pulse().owner().credential()).isEqualTo(KeyHash.ofKey(TestSystem.AGENT_KEY));
    }

    private void register(String id) {
        assertThat(harness.system()
                        .api()
                        .post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"" + id + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private int sendHeartbeat(String id) {
        return harness.system()
                .api()
                .post("/api/v1/agents/" + id + "/heartbeat")
                .key(key)
                .body(TestAgent.HEARTBEAT_BODY.formatted(harness.now()))
                .send()
                .status();
    }

    private void revoke() {
        assertThat(new KeyStore(harness.system().database()).revoke("key-" + key))
                .isTrue();
    }
}
