package dev.agenthealth.local.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentRecord;
import dev.agenthealth.client.AgentSummary;
import dev.agenthealth.client.Heartbeat;
import dev.agenthealth.client.HeartbeatAnswer;
import dev.agenthealth.client.IssuedKey;
import dev.agenthealth.client.KeyRecord;
import dev.agenthealth.client.NotFoundException;
import dev.agenthealth.client.Outcome;
import dev.agenthealth.client.PreconditionFailedException;
import dev.agenthealth.client.Registration;
import dev.agenthealth.client.SupersededException;
import dev.agenthealth.client.TrustRecord;
import dev.agenthealth.client.UnauthenticatedException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The client of operators against the whole system. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorClientTest {

    private static final Instant START = Instant.parse("2026-02-08T10:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @AutoClose
    private ClientHarness harness;

    private AgentHealthClient operator;
    private AgentHealthClient agents;

    @BeforeAll
    void start() throws IOException {
        harness = new ClientHarness();
        operator = withKey(ClientHarness.ADMINISTRATOR);
        agents = withKey(operator.keys()
                .issue("agent", "all", List.of(), List.of("globex"))
                .apiKey());
    }

    private AgentHealthClient withKey(String key) {
        return harness.client(key).build();
    }

    @Test
    void keys_are_issued_listed_rotated_and_revoked() {
        IssuedKey issued = operator.keys().issue("agent", "payments", List.of(), List.of("acme"));
        AgentHealthClient agent = withKey(issued.apiKey());
        AgentRecord registered =
                agent.agents().register(Registration.of("payer").provider("acme"));
        assertThat(registered.status()).isEqualTo("active");
        assertThat(operator.keys().stream().filter(key -> key.keyId().equals(issued.keyId())))
                .singleElement()
                .satisfies(key -> assertThat(key.role()).isEqualTo("agent"))
                .satisfies(key -> assertThat(key.name()).isEqualTo("payments"))
                .satisfies(key -> assertThat(key.providerIds()).containsExactly("acme"));

        IssuedKey rotated = operator.keys().rotate(issued.keyId(), MINUTE);
        assertThat(withKey(rotated.apiKey()).agents().get("payer").agentId()).isEqualTo("payer");
        assertThat(agent.agents().get("payer").agentId()).isEqualTo("payer");
        harness.advance(MINUTE.multipliedBy(2));
        assertThatExceptionOfType(UnauthenticatedException.class)
                .isThrownBy(() -> agent.agents().get("payer"));

        operator.keys().revoke(issued.keyId());
        harness.advance(MINUTE.multipliedBy(2));
        assertThatExceptionOfType(UnauthenticatedException.class)
                .isThrownBy(() -> withKey(rotated.apiKey()).agents().get("payer"));
        assertThat(operator.keys().stream().map(KeyRecord::keyId)).doesNotContain(issued.keyId());
    }

    @Test
    void a_ping_address_is_issued_read_and_revoked() {
        agents.agents().register(Registration.of("pings"));
        assertThat(agents.agents().pingAddress("pings")).isEmpty();
        assertThat(agents.agents().issuePingUrl("pings")).contains("/p/");
        assertThat(agents.agents().pingAddress("pings")).isPresent();
        agents.agents().revokePingUrl("pings");
        assertThat(agents.agents().pingAddress("pings")).isEmpty();
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> agents.agents().pingAddress("never-registered"));
    }

    @Test
    void a_profile_is_changed_in_the_version_that_was_read() {
        AgentRecord before = agents.agents().register(Registration.of("changed").capabilities("old"));

        AgentRecord after =
                operator.agents().update("changed", Map.of("capabilities", List.of("new")), before.version());

        assertThat(after.capabilities()).containsExactly("new");
        assertThat(after.version()).isGreaterThan(before.version());
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> operator.agents()
                .update("changed", Collections.singletonMap("capabilities", null), before.version()));
        assertThat(operator.agents().get("changed").capabilities()).containsExactly("new");
    }

    @Test
    void a_drain_is_requested_withdrawn_and_started() {
        agents.agents().register(Registration.of("drained"));
        operator.agents().requestDrain("drained", "upgrade", MINUTE);
        assertThat(heartbeat("drained").json().path("pending_commands")).hasSize(1);

        operator.agents().withdrawDrain("drained");
        assertThat(heartbeat("drained").json().path("pending_commands")).isEmpty();

        assertThat(operator.agents().drain("drained", MINUTE).status()).isEqualTo("draining");
        harness.advance(MINUTE.multipliedBy(2));
        assertThat(harness.status("drained")).isIn("deregistered", "dead");
    }

    private HeartbeatAnswer heartbeat(String agentId) {
        return agents.agents().heartbeat(agentId, Heartbeat.active());
    }

    @Test
    void an_agent_is_deregistered_unless_it_was_registered_again() {
        AgentRecord first = agents.agents().register(Registration.of("removed"));
        operator.agents().deregister("removed");
        operator.agents().deregister("removed");
        assertThat(harness.status("removed")).isEqualTo("deregistered");

        AgentRecord second = agents.agents().register(Registration.of("removed"));
        assertThatExceptionOfType(SupersededException.class)
                .isThrownBy(() -> operator.agents().deregister("removed", first.incarnation()));
        assertThat(harness.status("removed")).isEqualTo("active");
        operator.agents().deregister("removed", second.incarnation());
        assertThat(harness.status("removed")).isEqualTo("deregistered");
        harness.advance(MINUTE);
        assertThat(operator.events(START)
                        .filter(event -> event.path("agent_id").asText().equals("removed"))
                        .map(event -> event.path("new_status").asText()))
                .containsExactly("active", "deregistered", "active", "deregistered");
    }

    @Test
    void agents_are_found_by_any_or_all_of_the_capabilities() {
        agents.agents().register(Registration.of("matches-1").capabilities("any-1", "all-1"));
        agents.agents().register(Registration.of("matches-2").capabilities("any-1"));

        assertThat(operator.agents().find().capabilities("any-1", "all-1").list())
                .extracting(AgentSummary::agentId)
                .containsExactlyInAnyOrder("matches-1", "matches-2");
        assertThat(operator.agents().find().allCapabilities("any-1", "all-1").list())
                .extracting(AgentSummary::agentId)
                .containsExactly("matches-1");
    }

    @Test
    void agents_and_providers_are_blocked_and_unblocked_and_their_records_are_read() {
        agents.agents().register(Registration.of("blocked").provider("globex"));
        Instant until = START.plus(Duration.ofDays(30));

        assertThat(operator.trust().blockAgent("blocked", "under review", until).blockedUntil())
                .contains(until);
        assertThat(operator.trust().blockProvider("globex", "under review").blockReason())
                .isEqualTo("under review");
        assertThat(operator.trust().agent("blocked").blocked()).isTrue();
        assertThat(operator.trust().blockedAgents().map(TrustRecord::id)).containsExactly("blocked");
        assertThat(operator.trust().blockedProviders().map(TrustRecord::id)).containsExactly("globex");
        assertThat(operator.trust().unblockAgent("blocked").blocked()).isFalse();
        assertThat(operator.trust().unblockProvider("globex").blocked()).isFalse();

        assertThat(operator.health().online("blocked").path("agent_id").asText())
                .isEqualTo("blocked");
        assertThat(operator.health().online())
                .extracting(record -> record.path("agent_id").asText())
                .contains("blocked");
        assertThat(operator.health()
                        .onlineProvider("globex")
                        .path("provider_id")
                        .asText())
                .isEqualTo("globex");
        assertThat(operator.health().onlineProviders())
                .extracting(record -> record.path("provider_id").asText())
                .contains("globex");
    }

    @Test
    void trust_and_history_are_read_over_all_pages() {
        for (String agentId : List.of("trusted-1", "trusted-2")) {
            agents.agents().register(Registration.of(agentId).provider("globex"));
        }
        agents.outcomes().report("trusted-1", "batch", Collections.nCopies(20, Outcome.success()));
        harness.advance(MINUTE);

        assertThat(operator.trust().agents().map(TrustRecord::id)).contains("trusted-1", "trusted-2");
        assertThat(operator.trust().providers().map(TrustRecord::id)).contains("globex");
        assertThat(operator.trust().provider("globex").blocked()).isFalse();
        assertThat(operator.health().history("trusted-1", START, START.plus(Duration.ofDays(1))))
                .isNotEmpty()
                .allSatisfy(
                        point -> assertThat(point.path("sample_count").asInt()).isEqualTo(20));
    }
}
