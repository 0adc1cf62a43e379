package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Drains, restarts and ends of one agent. */
class AgentDrainTest extends ManagedAgentCase {

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
