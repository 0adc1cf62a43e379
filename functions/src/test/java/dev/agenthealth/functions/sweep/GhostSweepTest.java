package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.ghosts.GhostStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that go on although their agent is dead, deregistered, superseded, blocked or stopped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GhostSweepTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private int spans;

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void a_dead_agent_that_posts_a_span_that_ends_now_is_active_until_it_stops() {
        TestAgent agent = dead();
        span(agent, harness.now());
        assertThat(ghosts(agent)).containsExactly("warning spans dead 1 1");
        for (int i = 0; i < 5; i++) {
            harness.passTime(60);
            span(agent, harness.now());
            harness.sweep();
        }
        assertThat(ghosts(agent)).hasSize(1);
        harness.passTime(14 * 60);
        harness.sweep();
        assertThat(ghosts(agent)).hasSize(1);
        harness.passTime(2 * 60);
        harness.sweep();
        harness.sweep();
        assertThat(ghosts(agent)).containsExactly("warning spans dead 1 1", "over spans dead 1 6");
        assertThat(store().due(harness.now().plusSeconds(10_000), 10)).isEmpty();
        agent.assertHistoryIsWhole("activity while gone and its end");
    }

    @Test
    void a_dead_agent_that_calls_a_tool_inside_of_a_long_execution_counts() {
        TestAgent agent = dead();
        harness.passTime(600);
        span(agent, harness.now(), "execute_tool");
        assertThat(ghosts(agent)).containsExactly("warning spans dead 1 1");
    }

    @Test
    void a_late_span_from_before_the_death_is_none() {
        TestAgent agent = dead();
        span(agent, agent.pulse().statusSince());
        span(agent, agent.pulse().statusSince().plusSeconds(299));
        outcome(agent, agent.pulse().statusSince().minusSeconds(30));
        assertThat(ghosts(agent)).isEmpty();
    }

    @Test
    void a_span_that_arrives_again_counts_once() {
        TestAgent agent = dead();
        Instant end = harness.now();
        for (int i = 0; i < 3; i++) {
            spans = 0;
            span(agent, end);
            harness.passTime(30);
        }
        assertThat(store().find(agent.id()).orElseThrow().count()).isEqualTo(1);
    }

    @Test
    void an_outcome_of_work_after_the_death_counts() {
        TestAgent agent = dead();
        outcome(agent, harness.now());
        assertThat(ghosts(agent)).containsExactly("warning outcomes dead 1 1");
    }

    @Test
    void an_agent_that_an_operator_deregistered_and_that_goes_on_is_an_error() {
        TestAgent agent = harness.agent("billing-1");
        end(agent, TestSystem.ADMINISTRATOR_KEY);
        for (int i = 0; i < 5; i++) {
            assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
            harness.passTime(30);
        }
        assertThat(ghosts(agent)).containsExactly("error heartbeats deregistered 1 4");
    }

    @Test
    void one_refused_heartbeat_and_a_new_registration_are_the_usual_way_back() {
        TestAgent agent = dead();
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
        assertThat(agent.register("").status()).isEqualTo(201);
        for (int i = 0; i < 5; i++) {
            harness.passTime(30);
            assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        }
        assertThat(ghosts(agent)).isEmpty();
    }

    @Test
    void many_refused_heartbeats_within_a_minute_are_none_yet() {
        TestAgent agent = dead();
        for (int i = 0; i < 6; i++) {
            agent.sendHeartbeat();
            harness.passTime(10);
        }
        assertThat(ghosts(agent)).isEmpty();
        agent.sendHeartbeat();
        harness.passTime(10);
        agent.sendHeartbeat();
        assertThat(ghosts(agent)).hasSize(1);
    }

    @Test
    void a_superseded_process_that_goes_on_is_shown_with_its_instance() {
        TestAgent agent = new TestAgent(harness.system(), "billing-1");
        assertThat(agent.register(",\"instance\":\"host-a\"").status()).isEqualTo(201);
        harness.passTime(120);
        harness.passTime(240);
        assertThat(agent.register(",\"instance\":\"host-b\"").status()).isEqualTo(201);
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
        for (int i = 0; i < 5; i++) {
            assertThat(agent.sendHeartbeat("active", ",\"incarnation\":1").status())
                    .isEqualTo(410);
            assertThat(agent.sendHeartbeat("active", ",\"incarnation\":2").status())
                    .isEqualTo(200);
            harness.passTime(30);
        }
        assertThat(ghosts(agent)).containsExactly("warning heartbeats superseded 1 4");
        JsonNode event = events(agent).get(0);
        assertThat(event.get("instance").textValue()).isEqualTo("host-a");
        assertThat(event.get("incarnation").intValue()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_blocked_agent_that_works_is_an_error(boolean later) {
        TestAgent agent = harness.agent("billing-1");
        assertThat(harness.system()
                        .api()
                        .post("/v1/admin/agents/" + agent.id() + "/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"test\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        for (int i = 0; i < (later ? 11 : 9); i++) {
            harness.passTime(30);
            agent.sendHeartbeat();
        }
        span(agent, harness.now());
        assertThat(ghosts(agent)).isEqualTo(later ? List.of("error spans blocked 1 1") : List.of());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_agent_that_ignores_the_drain_of_a_stop_is_an_error(boolean drains) {
        TestAgent agent = harness.agent("billing-1");
        assertThat(harness.system()
                        .api()
                        .post("/v1/admin/stop")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"role_id\":\"worker\",\"reason\":\"test\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        for (int i = 0; i < 9; i++) {
            harness.passTime(30);
            agent.sendHeartbeat();
            span(agent, harness.now());
        }
        assertThat(ghosts(agent)).isEmpty();
        if (drains) {
            agent.sendHeartbeat("draining", "");
        }
        harness.passTime(60);
        agent.sendHeartbeat(drains ? "draining" : "active", "");
        span(agent, harness.now());
        assertThat(ghosts(agent)).isEqualTo(drains ? List.of() : List.of("error spans stopped 1 1"));
    }

    @Test
    void a_stopped_agent_that_was_not_asked_to_drain_yet_is_none() {
        TestAgent agent = harness.agent("billing-1");
        harness.system()
                .api()
                .post("/v1/admin/stop")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"all\":true,\"reason\":\"test\"}")
                .send();
        harness.system().clock().advanceSeconds(400);
        span(agent, harness.now());
        assertThat(ghosts(agent)).isEmpty();
    }

    @Test
    void leases_that_a_dead_agent_asks_for_count_and_a_single_one_does_not() {
        TestAgent agent = dead();
        for (int i = 0; i < 3; i++) {
            assertThat(ghosts(agent)).isEmpty();
            TestApi.Response response = harness.system()
                    .api()
                    .post("/api/v1/intents/invoice/leases")
                    .key(TestSystem.AGENT_KEY)
                    .body("{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"send\"}")
                    .send();
            assertThat(response.status()).isEqualTo(409);
            harness.system().clock().advanceSeconds(40);
        }
        assertThat(ghosts(agent)).containsExactly("warning leases dead 1 3");
    }

    @Test
    void an_archived_agent_counts_too() {
        TestAgent agent = harness.agent("billing-1");
        end(agent, TestSystem.AGENT_KEY);
        harness.passTime(2 * 3_600);
        assertThat(agent.stored().archived()).isTrue();
        span(agent, harness.now());
        assertThat(ghosts(agent)).containsExactly("warning spans deregistered 1 1");
        harness.passTime(16 * 60);
        harness.sweep();
        assertThat(ghosts(agent)).hasSize(2);
        agent.assertHistoryIsWhole("activity of an archived agent");
    }

    @Test
    void a_live_agent_costs_nothing_more() {
        TestAgent agent = harness.agent("billing-1");
        span(agent, harness.now());
        harness.system().meter().reset();
        span(agent, harness.now());
        assertThat(harness.system().meter().operations()).doesNotContain("TransactWriteItems");
        assertThat(store().find(agent.id())).isEmpty();
    }

    @Test
    void the_sweep_reads_only_activity_that_may_be_over() {
        for (int i = 0; i < 3; i++) {
            TestAgent agent = harness.agent("agent-" + i);
            end(agent, TestSystem.AGENT_KEY);
            harness.passTime(600);
            span(agent, harness.now());
        }
        assertThat(store().due(harness.now(), 10)).isEmpty();
        harness.system().clock().advanceSeconds(899);
        assertThat(store().due(harness.now(), 10)).hasSize(1);
        harness.sweep();
        assertThat(store().due(harness.now(), 10)).isEmpty();
        assertThat(store().due(harness.now().plusSeconds(10), 10)).hasSize(1);
    }

    private GhostStore store() {
        return new GhostStore(harness.system().database());
    }

    private TestAgent dead() {
        TestAgent agent = harness.agent("billing-1");
        harness.passTime(120);
        harness.passTime(240);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        harness.passTime(360);
        assertThat(harness.now()).isBefore(agent.pulse().statusSince().plus(DownRule.MAX_DOWN));
        return agent;
    }

    private void end(TestAgent agent, String key) {
        assertThat(harness.system()
                        .api()
                        .delete("/api/v1/agents/" + agent.id())
                        .key(key)
                        .send()
                        .status())
                .isEqualTo(204);
    }

    private void outcome(TestAgent agent, Instant at) {
        TestApi.Response response = harness.system()
                .api()
                .post("/api/v1/agents/" + agent.id() + "/outcomes")
                .key(TestSystem.AGENT_KEY)
                .body("{\"batch_id\":\"b" + at.toEpochMilli()
                        + "\",\"outcomes\":[{\"result\":\"success\",\"occurred_at\":\"" + at + "\"}]}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(202);
    }

    private void span(TestAgent agent, Instant end) {
        span(agent, end, "invoke_agent");
    }

    private void span(TestAgent agent, Instant end, String operation) {
        String nanos = end.getEpochSecond() * 1_000_000_000L + end.getNano() + "";
        TestApi.Response response = harness.system()
                .api()
                .post("/v1/otlp/v1/traces")
                .key(TestSystem.AGENT_KEY)
                .header("content-type", "application/json")
                .body(
                        "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"agent_health.agent_id\",\"value\":{\"stringValue\":\""
                                + agent.id()
                                + "\"}}]},\"scopeSpans\":[{\"spans\":[{\"traceId\":\"00000000000000000000000000000001\",\"spanId\":\""
                                + String.format("%016x", ++spans) + "\",\"startTimeUnixNano\":\"" + nanos
                                + "\",\"endTimeUnixNano\":\"" + nanos
                                + "\",\"attributes\":[{\"key\":\"gen_ai.operation.name\",\"value\":{\"stringValue\":\""
                                + operation + "\"}}]}]}]}]}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
    }

    private static List<JsonNode> events(TestAgent agent) {
        return agent.events().stream()
                .filter(event -> event.get("type").textValue().startsWith("agent.active_while_gone"))
                .toList();
    }

    private static List<String> ghosts(TestAgent agent) {
        return events(agent).stream()
                .map(event -> (event.get("type").textValue().endsWith("_over")
                                ? "over"
                                : event.get("severity").textValue())
                        + " " + event.get("of").textValue()
                        + " " + event.get("state").textValue()
                        + " " + event.get("active_incarnation")
                        + " " + event.get("count"))
                .toList();
    }
}
