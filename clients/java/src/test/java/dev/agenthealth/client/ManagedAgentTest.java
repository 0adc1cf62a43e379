package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.client.FakeRegistry.Sent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The registration and the rhythm of heartbeats of one agent. */
class ManagedAgentTest extends ManagedAgentCase {

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
}
