package dev.agenthealth.local.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentEnd;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentState;
import dev.agenthealth.client.AgentSummary;
import dev.agenthealth.client.ConflictException;
import dev.agenthealth.client.ErrorType;
import dev.agenthealth.client.ForbiddenException;
import dev.agenthealth.client.HeldLease;
import dev.agenthealth.client.LeaseRecord;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.Outcome;
import dev.agenthealth.client.PreconditionFailedException;
import dev.agenthealth.client.Receipt;
import dev.agenthealth.client.Registration;
import dev.agenthealth.client.UnauthenticatedException;
import dev.agenthealth.local.testing.ScriptedAgent;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The client against the whole system, over a network that loses requests and answers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class ClientSystemTest {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    @AutoClose
    private ClientHarness harness;

    private String key;
    private AgentHealthClient client;
    private AgentHealthClient operator;

    @BeforeAll
    void start() throws IOException {
        harness = new ClientHarness();
        key = harness.agentKey().secret();
        client = harness.client(key).build();
        operator = harness.client(ClientHarness.ADMINISTRATOR).build();
    }

    private static Registration registration(String agentId) {
        return Registration.of(agentId).heartbeat(INTERVAL, INTERVAL.multipliedBy(3), INTERVAL.multipliedBy(9));
    }

    private ManagedAgent started(String agentId) {
        return client.agent(registration(agentId)).start();
    }

    @Test
    void agents_are_found_by_what_they_can_do_over_all_pages() {
        List<ManagedAgent> agents = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            agents.add(client.agent(registration("finder-" + i)
                            .role("finders")
                            .capabilities("find things")
                            .maxConcurrentTasks(i + 1))
                    .start());
        }
        agents.get(4).load(5);
        harness.advance(INTERVAL);

        assertThat(operator.agents().find().role("finders").pageSize(2).stream().map(AgentSummary::agentId))
                .containsExactlyInAnyOrder("finder-0", "finder-1", "finder-2", "finder-3", "finder-4");
        assertThat(operator.agents()
                        .find()
                        .capabilities("find things")
                        .verdict("ok")
                        .byAvailableCapacity()
                        .first()
                        .map(AgentSummary::agentId))
                .contains("finder-3");
        assertThat(operator.pools().get("finders").available()).isEqualTo(10);
        assertThat(operator.pools().stream().map(pool -> pool.roleId())).contains("finders");
        assertThat(operator.pools().get("finders").asOf()).isPresent();
        assertThat(operator.pools().members("finders")).hasSize(5);
        agents.forEach(ManagedAgent::close);
        assertThat(operator.agents().find().role("finders").list()).isEmpty();
    }

    @Test
    void outcomes_count_once_though_answers_are_lost() {
        ManagedAgent agent = started("counter");
        agent.record(Outcome.success().latency(Duration.ofMillis(20)));
        agent.record(Outcome.failure(ErrorType.TIMEOUT).latency(Duration.ofMillis(900)));
        harness.proxy.lose(RecordingProxy.Loss.ANSWERS);
        harness.scheduler.advance(INTERVAL);
        harness.proxy.lose(RecordingProxy.Loss.NONE);
        harness.advance(INTERVAL);

        assertThat(client.outcomes().report("counter", "by-hand", List.of(Outcome.success())))
                .isFalse();
        assertThat(client.outcomes().report("counter", "by-hand", List.of(Outcome.success())))
                .isTrue();
        harness.advance(INTERVAL);

        JsonNode score = client.health().score("counter").json();
        assertThat(score.path("executions").asInt()).isEqualTo(3);
        assertThat(score.path("errors").path("timeout").asInt()).isEqualTo(1);
        assertThat(client.health().document("counter").path("agent_id").asText())
                .isEqualTo("counter");
        assertThat(operator.trust().agent("counter").reputation()).isBetween(0.0, 1.0);
        agent.close();
    }

    @Test
    void a_registration_whose_answer_is_lost_leads_to_one_living_incarnation() {
        harness.proxy.lose(RecordingProxy.Loss.ANSWERS);
        ManagedAgent agent = started("unsure");
        assertThat(agent.state()).isEqualTo(AgentState.REGISTERING);
        harness.proxy.lose(RecordingProxy.Loss.NONE);

        harness.advance(Duration.ofSeconds(30));

        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
        assertThat(operator.agents().get("unsure").incarnation()).isEqualTo(agent.incarnation());
        agent.close();
    }

    @Test
    void a_new_process_replaces_the_old_one_which_stops_for_good() {
        ManagedAgent old = started("replaced");
        ManagedAgent successor =
                harness.client(key).build().agent(registration("replaced")).start();

        harness.advance(Duration.ofSeconds(60));

        assertThat(old.whenEnded().toCompletableFuture()).isCompletedWithValue(AgentEnd.SUPERSEDED);
        assertThat(successor.state()).isEqualTo(AgentState.ACTIVE);
        assertThat(harness.status("replaced")).isEqualTo("active");
        old.close();
        assertThat(harness.status("replaced")).isEqualTo("active");
        successor.close();
        assertThat(harness.status("replaced")).isEqualTo("deregistered");
    }

    @Test
    void an_outage_of_ten_minutes_ends_with_a_living_agent_and_its_outcomes() {
        List<String> called = new ArrayList<>();
        ManagedAgent agent = client.agent(registration("islander"))
                .onDead(death -> called.add("dead " + death.incarnation()))
                .start();
        HeldLease lease = agent.lease("island", "whole").duration(INTERVAL).acquire();
        harness.proxy.lose(RecordingProxy.Loss.REQUESTS);
        agent.run(() -> called.add("work"));
        harness.advance(Duration.ofMinutes(10));
        assertThat(harness.status("islander")).isEqualTo("dead");
        assertThat(lease.isHeld()).isFalse();
        assertThat(called).containsExactly("work");
        harness.proxy.lose(RecordingProxy.Loss.NONE);

        harness.advance(Duration.ofSeconds(40));

        assertThat(called).containsExactly("work", "dead 1");
        assertThat(harness.status("islander")).isEqualTo("active");
        assertThat(agent.incarnation()).isEqualTo(2);
        assertThat(client.health().score("islander").json().path("executions").asInt())
                .isEqualTo(1);
        agent.close();
    }

    @Test
    void a_lease_is_one_agents_until_it_ends_and_its_token_is_checked() {
        ManagedAgent first = started("holder");
        ManagedAgent second = started("waiter");
        HeldLease lease = first.lease("invoice_42", "send").acquire();
        assertThat(second.lease("invoice_42", "send").tryAcquire()).isEmpty();
        harness.advance(Duration.ofMinutes(3));
        client.leases().verify("invoice_42", lease.id(), lease.fencingToken());
        assertThat(client.leases().ofAgent("holder").map(LeaseRecord::id)).containsExactly(lease.id());

        operator.leases().revoke("invoice_42", lease.id());
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> client.leases().verify("invoice_42", lease.id(), lease.fencingToken()));
        harness.advance(Duration.ofSeconds(30));

        assertThat(lease.isHeld()).isFalse();
        try (HeldLease next = second.lease("invoice_42", "send").acquire()) {
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        }
        assertThat(client.leases().ofIntent("invoice_42", "revoked", "released").map(LeaseRecord::status))
                .containsExactlyInAnyOrder("revoked", "released");
        first.close();
        second.close();
    }

    @Test
    void an_agent_with_a_lease_drains_when_it_is_released() {
        ManagedAgent agent = started("drainer");
        HeldLease lease = agent.lease("intent-d", "all").acquire();
        operator.agents().requestDrain("drainer", "upgrade", Duration.ofMinutes(5));
        harness.advance(Duration.ofSeconds(60));
        assertThat(harness.status("drainer")).isEqualTo("draining");

        lease.close();
        harness.scheduler.runDue();

        assertThat(harness.status("drainer")).isEqualTo("deregistered");
        assertThat(agent.whenEnded().toCompletableFuture()).isCompletedWithValue(AgentEnd.DRAINED);
    }

    @Test
    void a_revoked_key_leaves_the_agent_at_work_and_a_rotated_key_is_used_at_once() {
        ClientHarness.Key own = harness.agentKey();
        AtomicReference<String> used = new AtomicReference<>(own.secret());
        ManagedAgent agent = harness.client("any")
                .apiKey(used::get)
                .build()
                .agent(registration("locked-out"))
                .start();
        ClientHarness.Key rotated = harness.rotated(own);
        harness.advance(Duration.ofSeconds(30));
        assertThat(agent.lastFailure()).containsInstanceOf(UnauthenticatedException.class);
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
        used.set(rotated.secret());
        harness.advance(Duration.ofSeconds(20));
        assertThat(agent.lastFailure()).isEmpty();

        harness.administrator.delete("/v1/admin/keys/" + own.id());
        harness.advance(Duration.ofSeconds(120));

        assertThat(agent.lastFailure()).containsInstanceOf(UnauthenticatedException.class);
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
    }

    @Test
    void an_id_of_another_key_is_refused_at_the_start_and_tried_again() {
        ManagedAgent agent = started("taken");

        List<Exception> refused = new ArrayList<>();
        ManagedAgent other = harness.client(harness.agentKey().secret())
                .build()
                .agent(registration("taken"))
                .onRefused(refused::add)
                .start();
        assertThat(refused).singleElement().isInstanceOf(ForbiddenException.class);
        other.close();
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(
                        () -> client.agent(registration("taken")).replace(false).start())
                .satisfies(conflict -> assertThat(conflict.code()).isEqualTo("agent_exists"));
        agent.close();
    }

    @Test
    void an_agent_is_called_once_though_the_answer_is_lost() {
        try (ScriptedAgent agents = new ScriptedAgent(duration -> {})) {
            client.agents()
                    .register(Registration.of("echo")
                            .endpoint(URI.create(agents.endpoint(ScriptedAgent.Behaviour.REPLIES))));
            harness.proxy.lose(RecordingProxy.Loss.ONE_ANSWER);

            Receipt receipt = client.invoke("echo").message("hello").call();

            assertThat(receipt.succeeded()).isTrue();
            assertThat(receipt.output().path("kind").asText()).isEqualTo("message");
            assertThat(agents.calls()).hasSize(1);
            assertThat(client.receipt(receipt.id()).agentId()).isEqualTo("echo");
            assertThat(client.health().online("echo").path("success_count").asInt())
                    .isEqualTo(1);
            assertThat(operator.health().system().has("by_verdict")).isTrue();
            assertThat(client.agents().events("echo").map(event -> event.path("type")
                            .asText()))
                    .contains("agent.lifecycle");
        }
    }
}
