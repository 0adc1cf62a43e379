package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.answer;
import static dev.agenthealth.client.ScriptedTransport.problem;
import static dev.agenthealth.client.ScriptedTransport.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agenthealth.client.FakeRegistry.Sent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Faults around an agent, none of which ends its work. */
class OutageTest {

    private final FakeRegistry registry = new FakeRegistry();
    private final List<String> called = new ArrayList<>();

    private AgentBuilder agent(AgentHealthClient client) {
        return client.agent(Registration.of("a"))
                .onDead(death -> called.add("dead"))
                .onEnd(end -> called.add("end " + end));
    }

    private AgentBuilder agent() {
        return agent(registry.client().build());
    }

    private void advance(Duration time) {
        registry.scheduler.advance(time);
    }

    @Test
    void a_registry_that_is_down_at_the_start_delays_nothing_and_is_found_later() {
        registry.goAway();

        ManagedAgent agent = agent().start();

        assertThat(agent.state()).isEqualTo(AgentState.REGISTERING);
        assertThat(agent.lastFailure()).containsInstanceOf(RegistryUnreachableException.class);
        assertThat(registry.scheduler.nanoTime()).isZero();
        agent.run(() -> called.add("work"));
        advance(Duration.ofMinutes(10));
        assertThat(registry.registrations()).hasSizeGreaterThan(20);

        registry.comeBack();
        advance(Duration.ofMinutes(1));

        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
        assertThat(agent.lastFailure()).isEmpty();
        assertThat(registry.registrations())
                .allSatisfy(sent ->
                        assertThat(sent.body().path("replace").asBoolean()).isTrue());
        assertThat(registry.heartbeats().get(0).body().path("outcomes")).hasSize(1);
        assertThat(called).containsExactly("work");
    }

    @Test
    void a_registry_that_is_down_for_ten_minutes_is_tried_at_least_once_per_interval() {
        ManagedAgent agent = agent().start();
        registry.goAway();

        advance(Duration.ofMinutes(10));

        List<Sent> heartbeats = registry.heartbeats();
        assertThat(heartbeats).hasSizeBetween(20, 120);
        for (int i = 1; i < heartbeats.size(); i++) {
            assertThat(heartbeats.get(i).at().minus(heartbeats.get(i - 1).at()))
                    .isLessThanOrEqualTo(Duration.ofSeconds(30));
        }
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
        registry.comeBack();
        advance(Duration.ofSeconds(30));
        assertThat(agent.lastFailure()).isEmpty();
        assertThat(called).isEmpty();
    }

    @Test
    void a_busy_registry_is_left_alone_for_the_time_that_it_names() {
        agent().start();
        registry.refuse("/heartbeat", with(problem(503, "temporarily_unavailable"), "retry-after", "17"));

        advance(Duration.ofMinutes(5));

        List<Sent> heartbeats = registry.heartbeats();
        for (int i = 1; i < heartbeats.size(); i++) {
            assertThat(heartbeats.get(i).at().minus(heartbeats.get(i - 1).at()))
                    .isBetween(Duration.ofSeconds(17), Duration.ofSeconds(47));
        }
    }

    @Test
    void a_refused_key_ends_nothing_is_reported_once_and_tried_again_each_interval() {
        List<ProblemException> refusals = new ArrayList<>();
        registry.refuse("/agents", 401, "unauthenticated");
        ManagedAgent agent = agent().onRefused(refusals::add).start();
        advance(Duration.ofMinutes(5));

        assertThat(agent.state()).isEqualTo(AgentState.REGISTERING);
        assertThat(refusals)
                .hasOnlyElementsOfType(UnauthenticatedException.class)
                .hasSize(1);
        assertThat(registry.registrations()).hasSizeBetween(10, 12);

        registry.accept("/agents");
        advance(Duration.ofSeconds(30));
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
    }

    @Test
    void a_wrong_url_is_reported_by_the_start() {
        registry.refuse("/agents", new Transport.Answer(404, Map.of(), "<html>Not found</html>"));

        assertThatExceptionOfType(UnexpectedAnswerException.class).isThrownBy(() -> agent().start());
    }

    @Test
    void an_id_that_is_taken_is_reported_by_a_start_without_replacement() {
        registry.refuse("/agents", 409, "agent_exists");

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> agent().replace(false).start())
                .satisfies(conflict -> assertThat(conflict.code()).isEqualTo("agent_exists"));
        assertThat(registry.registrations().get(0).body().has("replace")).isFalse();
    }

    @Test
    void an_agent_that_runs_elsewhere_is_tried_again_and_again_without_longer_pauses() {
        registry.refuse("/agents", 409, "agent_already_running");
        ManagedAgent agent = agent().start();
        advance(Duration.ofMinutes(10));

        List<Sent> attempts = registry.registrations();
        assertThat(attempts).hasSizeBetween(100, 121);
        assertThat(attempts)
                .allSatisfy(sent ->
                        assertThat(sent.body().path("replace").asBoolean()).isTrue());
        assertThat(agent.state()).isEqualTo(AgentState.REGISTERING);
        assertThat(agent.lastFailure()).containsInstanceOf(AgentAlreadyRunningException.class);

        registry.accept("/agents");
        advance(Duration.ofSeconds(6));
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
    }

    @Test
    void an_id_of_another_key_ends_nothing() {
        registry.refuse("/agents", 403, "forbidden");
        ManagedAgent agent = agent().onRefused(refusal -> {
                    throw new IllegalStateException("the callback fails");
                })
                .start();

        assertThat(agent.state()).isEqualTo(AgentState.REGISTERING);
        assertThat(agent.lastFailure()).containsInstanceOf(ForbiddenException.class);
    }

    @Test
    void a_revoked_key_leaves_the_agent_at_work_and_a_new_key_is_used_at_once() {
        AtomicReference<String> key = new AtomicReference<>("old");
        ManagedAgent agent = agent(registry.client().apiKey(key::get).build()).start();
        registry.refuse("/heartbeat", 401, "unauthenticated");
        advance(Duration.ofMinutes(3));

        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
        assertThat(agent.lastFailure()).containsInstanceOf(UnauthenticatedException.class);
        assertThat(registry.heartbeats()).hasSizeBetween(6, 7);
        registry.accept("/heartbeat");
        key.set("new");
        advance(Duration.ofSeconds(30));

        assertThat(agent.lastFailure()).isEmpty();
        assertThat(registry.heartbeats().get(registry.heartbeats().size() - 1).headers())
                .containsEntry("X-API-Key", "new");
        assertThat(called).isEmpty();
    }

    @Test
    void a_key_that_cannot_be_read_is_an_outage() {
        AtomicReference<String> key = new AtomicReference<>("key");
        AgentHealthClient client = registry.client()
                .apiKey(() -> {
                    if (key.get().isEmpty()) {
                        throw new IllegalStateException("vault is sealed");
                    }
                    return key.get();
                })
                .build();
        ManagedAgent agent = agent(client).start();
        key.set("");
        advance(Duration.ofMinutes(2));
        assertThat(agent.lastFailure()).isPresent();

        key.set("key");
        advance(Duration.ofSeconds(30));

        assertThat(agent.lastFailure()).isEmpty();
    }

    @Test
    void a_process_that_was_suspended_beyond_its_death_sends_one_heartbeat_and_registers_again() {
        ManagedAgent agent = agent().start();
        HeldLease lease = agent.lease("invoice_42", "send").acquire();
        registry.refuse("/heartbeat", 410, "agent_gone");
        registry.scheduler.suspend(Duration.ofHours(8));

        assertThat(lease.isHeld()).isFalse();
        registry.scheduler.runDue();
        registry.accept("/heartbeat");
        advance(Duration.ofSeconds(45));

        assertThat(registry.heartbeats().get(1).body().path("incarnation").asLong())
                .isEqualTo(2);
        assertThat(registry.registrations()).hasSize(2);
        assertThat(called).containsExactly("dead");
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
    }

    @Test
    void a_clock_that_is_off_by_a_day_changes_nothing_and_outcomes_carry_the_time_of_the_registry() {
        Clock wrong = Clock.offset(registry.clock, Duration.ofDays(1));
        ManagedAgent agent = agent(registry.client().clock(wrong).build()).start();
        advance(Duration.ofSeconds(10));
        agent.record(Outcome.success());

        advance(Duration.ofSeconds(20));

        Sent heartbeat = registry.heartbeats().get(0);
        assertThat(Instant.parse(heartbeat.body().path("client_timestamp").asText()))
                .isEqualTo(FakeRegistry.START.plus(Duration.ofDays(1)).plus(heartbeat.at()));
        assertThat(heartbeat.body().path("outcomes").get(0).path("occurred_at").asText())
                .isEqualTo(FakeRegistry.START.plusSeconds(10).toString());
    }

    @Test
    void closing_while_the_registry_is_away_takes_a_few_attempts_at_most() {
        ManagedAgent agent = agent().start();
        registry.goAway();

        agent.close();

        assertThat(registry.heartbeats()).hasSizeLessThanOrEqualTo(3);
        assertThat(called).containsExactly("end CLOSED");
    }

    @Test
    void an_agent_whose_registry_was_away_is_drained_if_it_is_back_when_the_agent_closes() {
        ManagedAgent agent = agent().start();
        registry.goAway();
        advance(Duration.ofMinutes(3));
        registry.comeBack();

        agent.close();

        assertThat(called).containsExactly("end DRAINED");
    }

    @Test
    void an_agent_that_is_closed_before_it_is_registered_ends() {
        registry.goAway();
        ManagedAgent agent = agent().start();

        agent.close();
        registry.comeBack();
        advance(Duration.ofMinutes(5));

        assertThat(registry.sent).hasSize(1);
        assertThat(called).containsExactly("end CLOSED");
    }

    @Test
    void an_answer_that_is_not_json_counts_as_a_failure_and_not_as_a_heartbeat() {
        ManagedAgent agent = agent().start();
        registry.refuse("/heartbeat", answer(200, "<html>proxy</html>"));

        advance(Duration.ofSeconds(30));

        assertThat(agent.lastFailure()).containsInstanceOf(UnexpectedAnswerException.class);
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
    }
}
