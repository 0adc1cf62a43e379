package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Agents that are dead, ended or replaced at the registry. */
class AgentDeathTest extends ManagedAgentCase {

    @Test
    void a_dead_agent_is_reported_and_registers_again_without_replacing_anyone() {
        ManagedAgent agent = agent().start();
        registry.refuse("/heartbeat", 410, "agent_gone");
        advance(30);
        assertThat(called).containsExactly("dead 1");
        registry.accept("/heartbeat");

        advance(60);

        assertThat(registry.registrations()).hasSize(2);
        assertThat(registry.registrations().get(1).body().has("replace")).isFalse();
        assertThat(agent.incarnation()).isEqualTo(2);
        assertThat(lastHeartbeat().body().path("incarnation").asLong()).isEqualTo(2);
        assertThat(called).containsExactly("dead 1");
    }

    @Test
    void a_process_that_registers_again_after_its_death_has_not_restarted() {
        agent().start();
        registry.refuse("/heartbeat", 410, "agent_gone");
        advance(45);

        assertThat(registry.registrations())
                .hasSize(2)
                .extracting(sent -> sent.body().path("started_at").asText())
                .containsOnly(FakeRegistry.START.toString());
    }

    @Test
    void an_agent_that_the_registry_does_not_know_registers_again() {
        agent().start();
        registry.refuse("/heartbeat", 404, "agent_not_found");

        advance(45);

        assertThat(registry.registrations()).hasSize(2);
    }

    @Test
    void a_dead_agent_stays_dead_where_its_policy_says_so() {
        ManagedAgent agent = agent().deathPolicy(DeathPolicy.STOP).start();
        registry.refuse("/heartbeat", 410, "agent_gone");

        advance(600);

        assertThat(called).containsExactly("dead 1", "end DEAD");
        assertThat(registry.registrations()).hasSize(1);
        assertThat(registry.heartbeats()).hasSize(1);
        assertThat(agent.state()).isEqualTo(AgentState.ENDED);
    }

    @Test
    void an_agent_that_an_operator_ended_drains_without_heartbeats_and_stops_for_good() {
        ManagedAgent agent = agent().start();
        RunningTask task = agent.begin("invoice_42");
        registry.refuse("/heartbeat", endedBy("operator"));
        advance(60);
        assertThat(called).containsExactly("drain ENDED an operator ended the agent");
        assertThat(agent.state()).isEqualTo(AgentState.DRAINING);

        task.succeeded();
        advance(600);

        assertThat(called).containsExactly("drain ENDED an operator ended the agent", "end OPERATOR");
        assertThat(agent.state()).isEqualTo(AgentState.ENDED);
        assertThat(registry.heartbeats()).hasSize(1);
        assertThat(registry.registrations()).hasSize(1);
        assertThat(registry.sent.stream().filter(sent -> sent.path().endsWith("/outcomes")))
                .as("the outcome of the work")
                .hasSize(1);
        assertThat(registry.sent).noneMatch(sent -> sent.method().equals("DELETE"));
    }

    @Test
    void closing_an_agent_that_an_operator_ended_deregisters_nothing() {
        ManagedAgent agent = agent().start();
        agent.begin("invoice_42");
        registry.refuse("/heartbeat", endedBy("operator"));
        advance(60);

        agent.close();

        assertThat(called).containsExactly("drain ENDED an operator ended the agent", "end CLOSED");
        assertThat(registry.sent).noneMatch(sent -> sent.method().equals("DELETE"));
    }

    @ParameterizedTest
    @CsvSource({"operator, ALWAYS_REGISTER_AGAIN", "owner, REGISTER_AGAIN", "registry, REGISTER_AGAIN"})
    void an_agent_that_somebody_else_ended_or_whose_policy_says_so_registers_again(String by, DeathPolicy policy) {
        ManagedAgent agent = agent().deathPolicy(policy).start();
        registry.refuse("/heartbeat", endedBy(by));
        advance(30);
        registry.accept("/heartbeat");

        advance(60);

        assertThat(called).containsExactly("dead 1");
        assertThat(agent.incarnation()).isEqualTo(2);
    }

    private static Transport.Answer endedBy(String by) {
        return ScriptedTransport.answer(
                410,
                "{'status':410,'error':'agent_gone','detail':'x','ended_by':'" + by + "','reason':'deregistered'}");
    }

    @Test
    void a_replaced_process_stops_for_good() {
        ManagedAgent agent = agent().start();
        registry.refuse("/heartbeat", 410, "superseded");

        advance(3_600);

        assertThat(called).containsExactly("end SUPERSEDED");
        assertThat(registry.sent).hasSize(2);
        assertThat(agent.whenEnded().toCompletableFuture()).isCompletedWithValue(AgentEnd.SUPERSEDED);
    }

    @Test
    void a_process_whose_id_another_one_registered_after_its_death_stops_for_good() {
        agent().start();
        registry.refuse("/heartbeat", 410, "agent_gone");
        registry.refuse("/agents", 409, "agent_exists");
        registry.incarnation("a", 2);

        advance(60);

        assertThat(called).containsExactly("dead 1", "end SUPERSEDED");
    }

    @Test
    void a_registration_whose_answer_was_lost_is_recognised_as_its_own() {
        ManagedAgent agent = agent().start();
        registry.refuse("/heartbeat", 410, "agent_gone");
        advance(30);
        registry.goAway();
        advance(20);
        registry.comeBack();
        registry.refuse("/agents", 409, "agent_exists");
        registry.accept("/heartbeat");
        registry.incarnation("a", 2);

        advance(60);

        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
        assertThat(agent.incarnation()).isEqualTo(2);
    }
}
