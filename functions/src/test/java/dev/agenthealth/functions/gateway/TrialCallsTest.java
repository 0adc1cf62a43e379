package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Containment;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trial calls of an agent that a rule contains (half open). */
class TrialCallsTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private ScriptedServer server;

    @BeforeEach
    void open() {
        server = gateway.server();
        gateway.agent("a", server);
        server.plays(AgentScripts.message());
    }

    @Test
    void calls_are_refused_with_the_name_of_the_rule_until_trials_begin() {
        contain(2);
        refused();
        advance(599);
        refused();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void the_agent_is_unblocked_if_all_trial_calls_succeed() {
        contain(2);
        advance(600);
        assertThat(call().status()).isEqualTo(200);
        assertThat(block().inForce()).isTrue();
        assertThat(call().status()).isEqualTo(200);
        assertThat(block().inForce()).isFalse();
        assertThat(block().actor()).isEqualTo("containment/runaway");
        List<JsonNode> events = trust();
        assertThat(events).hasSize(2);
        assertThat(events.get(1).path("action").textValue()).isEqualTo("unblocked");
        assertThat(events.get(1).path("actor").textValue()).isEqualTo("containment/runaway");
        assertThat(call().status()).isEqualTo(200);
        agent().assertHistoryIsWhole("a lifted containment");
    }

    @Test
    void a_failed_trial_call_contains_the_agent_for_twice_as_long() {
        contain(2);
        advance(600);
        assertThat(call().status()).isEqualTo(200);
        server.plays(Script.status(500));
        assertThat(call().status()).isEqualTo(502);
        refused();
        advance(1_199);
        refused();
        advance(1);
        server.plays(AgentScripts.message());
        assertThat(call().status()).isEqualTo(200);
        assertThat(block().inForce()).isTrue();
        assertThat(call().status()).isEqualTo(200);
        assertThat(block().inForce()).isFalse();
        assertThat(trust()).hasSize(3);
        agent().assertHistoryIsWhole("an extended containment");
    }

    @Test
    void a_message_that_the_agent_refuses_decides_nothing() {
        contain(1);
        advance(600);
        server.plays(Script.status(400));
        assertThat(call().status()).isEqualTo(502);
        assertThat(block().containment().period()).isEqualTo(Duration.ofMinutes(10));
        server.plays(AgentScripts.message());
        assertThat(call().status()).isEqualTo(200);
        assertThat(block().inForce()).isFalse();
    }

    @Test
    void no_more_calls_than_trials_are_under_way() {
        contain(1);
        advance(600);
        Block seen = block();
        assertThat(blocks().putTrials("a", seen, seen.containment().trying(now())))
                .isTrue();
        assertThat(blocks().putTrials("a", seen, seen.containment().trying(now())))
                .isFalse();
        refused();
        advance(Containment.MAX_TRIAL.toSeconds());
        assertThat(call().status()).isEqualTo(200);
        assertThat(block().inForce()).isFalse();
    }

    @Test
    void an_asynchronous_call_is_a_trial_call() {
        contain(1);
        advance(600);
        TestApi.Response accepted = gateway.api()
                .post("/v1/agents/a/invoke-async")
                .key(TestSystem.OTHER_AGENT_KEY)
                .body(GatewayHarness.HELLO)
                .send();
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(202);
        gateway.deliver();
        assertThat(server.requests()).hasSize(1);
        assertThat(block().inForce()).isFalse();
    }

    @Test
    void a_block_of_a_person_ends_no_sooner() {
        contain(1);
        TestApi.Response blocked = gateway.system()
                .api()
                .post("/v1/admin/agents/a/block")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"reason\":\"fraud\"}")
                .send();
        assertThat(blocked.status()).as(blocked.text()).isEqualTo(200);
        advance(86_400);
        TestApi.Response refused = call();
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().has("containment_rule")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks/get", "tasks/cancel"})
    void a_look_at_a_task_is_no_trial(String method) {
        contain(1);
        advance(600);
        TestApi.Response answer = gateway.api()
                .post("/a2a/agents/a")
                .key(TestSystem.OTHER_AGENT_KEY)
                .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{\"id\":\"t\"}}")
                .send();
        assertThat(answer.json().has("error")).isTrue();
        assertThat(server.requests()).isEmpty();
    }

    private void contain(int trialCalls) {
        StoredAgent stored =
                new AgentStore(gateway.system().database()).find("a").orElseThrow();
        Block contained = Block.NONE.contained(
                "containment rule runaway: looping",
                Containment.by("runaway", Duration.ofMinutes(10), trialCalls, now()),
                now());
        assertThat(blocks().decide(stored.pulse(), stored.profile().roleId(), false, contained))
                .isTrue();
    }

    private void refused() {
        TestApi.Response refused = call();
        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
        assertThat(refused.json().path("error").textValue()).isEqualTo("agent_blocked");
        assertThat(refused.json().path("containment_rule").textValue()).isEqualTo("runaway");
        assertThat(refused.json().path("detail").textValue()).contains("runaway");
    }

    private TestApi.Response call() {
        return gateway.invoke("a", GatewayHarness.HELLO);
    }

    private TestAgent agent() {
        return new TestAgent(gateway.system(), "a");
    }

    private List<JsonNode> trust() {
        return agent().events().stream()
                .filter(event -> event.get("type").textValue().equals("agent.trust"))
                .toList();
    }

    private Block block() {
        return blocks().of(List.of(new OfAgent("a"))).get(new OfAgent("a"));
    }

    private BlockStore blocks() {
        return new BlockStore(gateway.system().database());
    }

    private Instant now() {
        return gateway.system().clock().instant();
    }

    private void advance(long seconds) {
        gateway.system().clock().advanceSeconds(seconds);
    }
}
