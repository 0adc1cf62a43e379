package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.client.FakeRegistry.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Agents of one process share the requests of their heartbeats. */
class SharedHeartbeatTest {

    private final FakeRegistry registry = new FakeRegistry();
    private final AgentHealthClient client = registry.client().build();

    private List<ManagedAgent> start(int count, Duration apart) {
        List<ManagedAgent> agents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            agents.add(client.agent(Registration.of("agent-" + i)).start());
            registry.scheduler.advance(apart);
        }
        return agents;
    }

    private List<Sent> shared() {
        return registry.sentTo("/api/v1/heartbeats");
    }

    @Test
    void a_hundred_and_fifty_agents_send_two_requests_per_interval() {
        List<ManagedAgent> agents = start(150, Duration.ZERO);

        registry.scheduler.advance(Duration.ofSeconds(30));

        assertThat(shared())
                .hasSize(2)
                .allSatisfy(sent -> assertThat(sent.body().path("heartbeats")).hasSizeBetween(50, 100));
        assertThat(registry.heartbeats()).isEmpty();
        assertThat(agents).allMatch(agent -> agent.lastAnswerAt()
                .filter(at -> at.isAfter(FakeRegistry.START))
                .isPresent());
    }

    @Test
    void agents_that_start_at_different_times_come_together() {
        start(5, Duration.ofSeconds(6));
        registry.scheduler.advance(Duration.ofMinutes(1));
        registry.sent.clear();

        registry.scheduler.advance(Duration.ofMinutes(5));

        assertThat(registry.heartbeats()).isEmpty();
        assertThat(shared())
                .hasSizeBetween(10, 12)
                .allSatisfy(sent -> assertThat(sent.body().path("heartbeats")).hasSize(5));
    }

    @Test
    void a_death_in_a_shared_request_is_that_agents_alone() {
        List<ManagedAgent> agents = start(3, Duration.ZERO);
        registry.refuse("agent-1", 410, "agent_gone");
        registry.refuse("agent-2", 410, "superseded");

        registry.scheduler.advance(Duration.ofSeconds(30));
        registry.accept("agent-1");
        registry.scheduler.advance(Duration.ofSeconds(30));

        assertThat(agents.stream().map(ManagedAgent::incarnation)).containsExactly(1L, 2L, 1L);
        assertThat(agents.stream().map(ManagedAgent::state))
                .containsExactly(AgentState.ACTIVE, AgentState.ACTIVE, AgentState.ENDED);
    }

    @Test
    void a_shared_request_that_fails_is_a_failure_of_each_agent() {
        List<ManagedAgent> agents = start(2, Duration.ZERO);
        registry.refuse("/api/v1/heartbeats", 401, "unauthenticated");

        registry.scheduler.advance(Duration.ofSeconds(30));

        assertThat(agents).allSatisfy(agent -> {
            assertThat(agent.lastFailure()).containsInstanceOf(UnauthenticatedException.class);
            assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
        });
    }

    @Test
    void shared_requests_go_where_the_registry_wants_heartbeats() {
        registry.add("/agents", "'heartbeat_url':'http://registry:81/api/v1/agents/agent-0/heartbeat'");
        start(1, Duration.ZERO);
        registry.add("/agents", "'heartbeat_url':'http://registry:81/api/v1/agents/other/heartbeat'");
        client.agent(Registration.of("other")).start();

        registry.scheduler.advance(Duration.ofSeconds(30));

        assertThat(shared()).singleElement().satisfies(sent -> assertThat(sent.url())
                .isEqualTo("http://registry:81/api/v1/heartbeats"));
    }

    @Test
    void requests_stay_below_the_size_that_the_registry_accepts() {
        List<ManagedAgent> agents = start(20, Duration.ZERO);
        for (ManagedAgent agent : agents) {
            for (int i = 0; i < 400; i++) {
                agent.record(Outcome.success().latency(Duration.ofMillis(i)));
            }
        }

        registry.scheduler.advance(Duration.ofSeconds(30));

        assertThat(shared())
                .hasSizeGreaterThan(3)
                .allSatisfy(sent -> assertThat(sent.body().toString().length()).isLessThan(256 * 1024));
        assertThat(shared().stream()
                        .mapToInt(sent -> sent.body().path("heartbeats").size())
                        .sum())
                .isEqualTo(20);
    }

    @Test
    void agents_are_closed_together() {
        List<ManagedAgent> agents = start(30, Duration.ZERO);

        client.close();

        assertThat(agents)
                .allMatch(agent -> agent.whenEnded().toCompletableFuture().join() == AgentEnd.DRAINED);
        assertThat(shared()).hasSizeLessThanOrEqualTo(2);
    }
}
