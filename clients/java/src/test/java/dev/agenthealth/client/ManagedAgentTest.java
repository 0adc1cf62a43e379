package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.client.FakeRegistry.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rhythm of heartbeats, deaths, drains and ends of one agent. */
class ManagedAgentTest {

    private final FakeRegistry registry = new FakeRegistry();
    private final AgentHealthClient client = registry.client().build();
    private final List<String> called = new ArrayList<>();

    private AgentBuilder agent() {
        return client.agent(Registration.of("a").role("billing"))
                .onDrain(drain -> called.add("drain " + drain.cause() + " " + drain.reason()))
                .onDead(death -> called.add("dead " + death.incarnation()))
                .onEnd(end -> called.add("end " + end));
    }

    private void advance(int seconds) {
        registry.scheduler.advance(Duration.ofSeconds(seconds));
    }

    private Sent lastHeartbeat() {
        List<Sent> all = registry.heartbeats();
        return all.get(all.size() - 1);
    }

    @Test
    void the_start_registers_and_takes_the_id_over() {
        ManagedAgent agent = agent().registration(registration -> registration.instance("host-a"))
                .start();

        assertThat(registry.registrations())
                .singleElement()
                .satisfies(
                        sent -> assertThat(sent.body())
                                .hasToString(
                                        """
                                                {"agent_id":"a","role_id":"billing","instance":"host-a",\
                                                "replace":true,"started_at":"2026-02-08T10:00:00Z"}\
                                                """));
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
        assertThat(agent.incarnation()).isEqualTo(1);
    }

    @Test
    void heartbeats_keep_their_rhythm_with_jitter_and_name_the_incarnation() {
        agent().start();

        advance(600);

        List<Sent> heartbeats = registry.heartbeats();
        for (int i = 1; i < heartbeats.size(); i++) {
            Duration gap = heartbeats.get(i).at().minus(heartbeats.get(i - 1).at());
            assertThat(gap).isBetween(Duration.ofSeconds(27), Duration.ofSeconds(30));
        }
        assertThat(heartbeats).hasSizeBetween(20, 22);
        assertThat(heartbeats.stream().map(Sent::at).map(at -> at.toMillis() % 30_000))
                .doesNotHaveDuplicates();
        assertThat(lastHeartbeat().body().path("incarnation").asLong()).isEqualTo(1);
        assertThat(lastHeartbeat().body().path("status").asText()).isEqualTo("active");
    }

    @Test
    void the_registry_decides_where_and_when_heartbeats_are_sent() {
        registry.add("/agents", "'heartbeat_url':'http://registry:81/api/v1/agents/a/heartbeat'");
        registry.add("/heartbeat", "'next_heartbeat_in_seconds':44");
        agent().start();

        advance(30);
        advance(88);

        assertThat(registry.heartbeats()).hasSize(3).allSatisfy(sent -> assertThat(sent.url())
                .isEqualTo("http://registry:81/api/v1/agents/a/heartbeat"));
        assertThat(registry.heartbeats()
                        .get(2)
                        .at()
                        .minus(registry.heartbeats().get(1).at()))
                .isEqualTo(Duration.ofSeconds(44));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no url", "ftp://fast.example/", "https://", "/api"})
    void an_address_for_heartbeats_that_cannot_be_used_is_ignored(String url) {
        registry.add("/agents", "'heartbeat_url':'" + url + "'");
        agent().start();

        advance(30);

        assertThat(lastHeartbeat().url()).isEqualTo("http://registry/api/v1/agents/a/heartbeat");
    }

    @Test
    void an_address_for_heartbeats_that_fails_is_tried_in_turn_with_the_registry() {
        registry.add("/agents", "'heartbeat_url':'http://registry:81/api/v1/agents/a/heartbeat'");
        agent().start();
        registry.goAway();

        advance(120);

        assertThat(registry.heartbeats().stream().map(Sent::url).distinct())
                .containsExactlyInAnyOrder(
                        "http://registry:81/api/v1/agents/a/heartbeat", "http://registry/api/v1/agents/a/heartbeat");
    }

    @Test
    void load_and_tasks_are_those_that_run() throws Exception {
        ManagedAgent agent = agent().start();

        RunningTask task = agent.begin("invoice_42");
        assertThat(agent.call(() -> {
                    advance(30);
                    return "done";
                }))
                .isEqualTo("done");
        task.close();

        assertThat(lastHeartbeat().body().path("current_load").asInt()).isEqualTo(2);
        assertThat(lastHeartbeat().body().path("tasks_in_progress")).hasToString("[\"invoice_42\"]");
        advance(30);
        assertThat(lastHeartbeat().body().path("current_load").asInt()).isZero();
        assertThat(lastHeartbeat()
                        .body()
                        .path("outcomes")
                        .get(0)
                        .path("latency_ms")
                        .asDouble())
                .isEqualTo(30_000);
    }

    @Test
    void a_heartbeat_that_breaks_a_rule_is_followed_by_one_that_says_less() {
        agent().start();
        registry.refuse("/heartbeat", 400, "invalid_request");
        advance(30);
        registry.accept("/heartbeat");

        advance(30);

        assertThat(lastHeartbeat().body().has("current_load")).isFalse();
        assertThat(lastHeartbeat().body().has("tasks_in_progress")).isFalse();
    }

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

    @Test
    void a_drain_command_is_followed_once_and_ends_when_the_callback_returned() {
        ManagedAgent agent = client.agent(Registration.of("a"))
                .onDrain(drain -> {
                    called.add(drain.cause() + " " + drain.reason() + " " + drain.timeout());
                    advance(40);
                })
                .start();
        registry.add(
                "/heartbeat",
                "'pending_commands':[{'command':'drain','reason':'rolling restart','drain_timeout_seconds':60}]");

        advance(300);

        assertThat(called).containsExactly("COMMAND rolling restart PT1M");
        assertThat(registry.heartbeats().get(1).body().path("status").asText()).isEqualTo("draining");
        assertThat(registry.heartbeats().get(1).body().path("current_load").asInt())
                .isEqualTo(1);
        assertThat(lastHeartbeat().body().path("current_load").asInt()).isZero();
        assertThat(agent.whenEnded().toCompletableFuture()).isCompletedWithValue(AgentEnd.DRAINED);
    }

    private static final String RESTART =
            "'pending_commands':[{'command':'restart','reason':'stalled','drain_timeout_seconds':60}]";

    @Test
    void a_restart_drains_and_ends_the_process_with_status_75() {
        agent().exit(status -> called.add("exit " + status)).start();
        registry.add("/heartbeat", RESTART);

        advance(31);
        registry.add("/heartbeat", "'agent_status':'deregistered'");
        advance(31);

        assertThat(called).containsExactly("drain RESTART stalled", "end DRAINED", "exit 75");
    }

    @Test
    void a_task_that_hangs_delays_the_restart_by_its_time_only() {
        ManagedAgent agent =
                agent().exit(status -> called.add("exit " + status)).start();
        agent.begin("hangs");
        registry.add("/heartbeat", RESTART);

        advance(31);
        advance(50);
        assertThat(called).containsExactly("drain RESTART stalled");
        advance(35);

        assertThat(called).containsExactly("drain RESTART stalled", "end CLOSED", "exit 75");
    }

    @Test
    void a_callback_takes_the_place_of_the_restart_and_is_called_once_for_each_request() {
        ManagedAgent agent = agent().onRestart(
                        drain -> called.add(drain.cause() + " " + drain.reason() + " " + drain.timeout()))
                .start();
        registry.add("/heartbeat", RESTART);
        advance(100);
        assertThat(called).containsExactly("RESTART stalled PT1M");
        registry.add("/heartbeat", "'pending_commands':[]");
        advance(31);
        registry.add("/heartbeat", RESTART);
        advance(100);

        assertThat(called).hasSize(2);
        assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
    }

    @Test
    void a_drain_waits_for_the_tasks_that_run() {
        ManagedAgent agent = agent().start();
        RunningTask task = agent.begin();
        agent.drain("deployment");
        advance(60);
        assertThat(agent.state()).isEqualTo(AgentState.DRAINING);
        assertThat(called).containsExactly("drain CLOSE deployment");

        task.succeeded();
        registry.scheduler.runDue();

        assertThat(called).containsExactly("drain CLOSE deployment", "end DRAINED");
        assertThat(lastHeartbeat().body().path("outcomes")).hasSize(1);
    }

    @Test
    void a_drain_that_begins_while_a_heartbeat_is_under_way_is_announced_at_once() {
        ManagedAgent agent = agent().start();
        agent.begin();
        registry.during(() -> agent.drain("now"));

        advance(30);

        assertThat(registry.heartbeats().stream()
                        .map(sent -> sent.body().path("status").asText()))
                .startsWith("active", "draining");
        assertThat(registry.heartbeats().get(1).at())
                .isEqualTo(registry.heartbeats().get(0).at());
    }

    @Test
    void nothing_that_a_program_does_after_the_client_is_closed_fails() throws Exception {
        AgentHealthClient real = registry.client().scheduler(Scheduler.system()).build();
        ManagedAgent agent = real.agent(Registration.of("b")).start();
        HeldLease lease = agent.lease("i", "s").acquire();
        lease.close();
        real.close();

        agent.run(() -> {});
        agent.load(3);
        agent.drain("late");
        agent.close();
        assertThat(agent.call(() -> "result")).isEqualTo("result");
        assertThat(agent.state()).isEqualTo(AgentState.ENDED);
    }

    @Test
    void a_drain_that_another_client_started_is_followed() {
        agent().start();
        registry.add("/heartbeat", "'agent_status':'draining'");

        advance(30);

        assertThat(called).containsExactly("drain COMMAND ");
    }

    @Test
    void closing_drains_and_waits() {
        try (ManagedAgent agent = agent().start()) {
            agent.record(Outcome.success());
        }

        assertThat(called).containsExactly("drain CLOSE ", "end DRAINED");
        assertThat(registry.heartbeats().get(0).body().path("outcomes")).hasSize(1);
        advance(600);
        assertThat(registry.heartbeats()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void closing_gives_up_when_the_work_takes_too_long() {
        ManagedAgent agent = agent().closeTimeout(Duration.ofSeconds(5)).start();
        agent.begin();

        agent.close();

        assertThat(called).containsExactly("drain CLOSE ", "end CLOSED");
        assertThat(registry.scheduler.nanoTime())
                .isBetween(
                        Duration.ofSeconds(5).toNanos(),
                        Duration.ofMillis(5_100).toNanos());
    }

    @Test
    void a_shutdown_of_the_jvm_drains_every_agent() {
        agent().start();

        client.shutDown();

        assertThat(called).containsExactly("drain SHUTDOWN ", "end DRAINED");
    }

    @Test
    void a_drain_that_takes_too_long_is_a_death_and_nothing_registers_again() {
        ManagedAgent agent = agent().start();
        agent.begin();
        agent.drain("");
        advance(1);
        registry.refuse("/heartbeat", 410, "agent_gone");
        registry.add("/agents/a", "'status':'dead'");

        advance(600);

        assertThat(called).containsExactly("drain CLOSE ", "dead 1", "end DEAD");
        assertThat(registry.registrations()).hasSize(1);
    }

    @Test
    void a_failing_callback_changes_nothing() {
        ManagedAgent agent = client.agent(Registration.of("a"))
                .onDrain(drain -> {
                    throw new IllegalStateException("broken");
                })
                .start();

        agent.close();

        assertThat(agent.whenEnded().toCompletableFuture()).isCompletedWithValue(AgentEnd.DRAINED);
    }
}
