package dev.agenthealth.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.local.testing.RegistryCaller.Answer;
import dev.agenthealth.local.testing.ScriptedAgent.Behaviour;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which agents may be called through the gateway, and the records of agents and providers. */
class GatewayTest {

    private static final ObjectNode REQUEST = Json.object().put("message", "Pay invoice 42.");

    private LocalGateway harness = new LocalGateway();

    @AfterEach
    void close() {
        harness.close();
    }

    private void register(String agentId, String providerId, Behaviour behaviour) {
        harness.register(agentId, providerId, harness.agents().endpoint(behaviour));
    }

    private void assertRefused(Answer answer, int status, String error) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.error()).isEqualTo(error);
    }

    private List<JsonNode> records(String agentId, String providerId) {
        return List.of(
                harness.healthOfAgent(agentId),
                harness.healthOfProvider(providerId),
                harness.trustOfProvider(providerId),
                ((ObjectNode) harness.trustOfAgent(agentId)).remove(List.of("blocked", "block_reason", "updated_at")));
    }

    @Test
    @Tag("SN-03")
    @Tag("SN-04")
    void a_blocked_agent_is_refused_without_a_call_and_unblocking_restores_its_figures() {
        register("stripe-agent", "acme-labs", Behaviour.COMPLETES);
        harness.invoke("stripe-agent");
        List<JsonNode> before = records("stripe-agent", "acme-labs");
        harness.agents().forget();

        harness.block("agents", "stripe-agent");
        assertThat(harness.trustOfAgent("stripe-agent").path("block_reason").asText())
                .isEqualTo("under review");
        Answer refused = harness.invoke("stripe-agent");
        assertRefused(refused, 403, "agent_blocked");
        assertThat(refused.body()).doesNotContain("under review");
        assertRefused(
                harness.newCaller("agent").post("/v1/agents/stripe-agent/invoke-async", REQUEST), 403, "agent_blocked");
        assertThat(harness.agents().calls()).isEmpty();
        assertThat(records("stripe-agent", "acme-labs")).isEqualTo(before);

        harness.unblock("agents", "stripe-agent");
        assertThat(records("stripe-agent", "acme-labs")).isEqualTo(before);
        assertThat(harness.invoke("stripe-agent").status()).isEqualTo(200);
        assertThat(harness.agents().calls()).hasSize(1);
    }

    @Test
    @Tag("SN-03")
    @Tag("SN-04")
    void a_blocked_provider_takes_all_its_agents_along_and_is_named_before_them() {
        register("one", "acme-labs", Behaviour.COMPLETES);
        register("two", "acme-labs", Behaviour.COMPLETES);
        register("three", "other-labs", Behaviour.COMPLETES);
        harness.block("agents", "one");
        harness.block("providers", "acme-labs");
        assertRefused(harness.invoke("one"), 403, "provider_blocked");
        assertRefused(harness.invoke("two"), 403, "provider_blocked");
        assertThat(harness.agents().calls()).isEmpty();
        assertThat(harness.invoke("three").status()).isEqualTo(200);
        assertThat(harness.trustOfAgent("two").path("blocked").asBoolean())
                .as("the agent itself is not blocked")
                .isFalse();

        harness.unblock("providers", "acme-labs");
        assertRefused(harness.invoke("one"), 403, "agent_blocked");
        assertThat(harness.invoke("two").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"agents, waiting, agent_blocked", "providers, acme-labs, provider_blocked"})
    @Tag("SN-04")
    @Tag("SN-07")
    void an_invocation_that_waits_for_its_turn_is_refused_where_a_block_came_first(
            String what, String id, String error) {
        register("waiting", "acme-labs", Behaviour.COMPLETES);
        String receiptId = harness.invokeAsync("waiting", REQUEST);
        harness.block(what, id);
        harness.system().drainQueues();
        JsonNode receipt = harness.receipt(receiptId);
        assertThat(receipt.path("status").asText()).isEqualTo("failed");
        assertThat(receipt.path("error").asText()).isEqualTo(error);
        assertThat(harness.agents().calls()).isEmpty();
        assertThat(harness.healthOfAgent("waiting").path("failure_count").asInt())
                .isZero();
        harness.unblock(what, id);
        harness.nextTry();
        assertThat(harness.agents().calls()).as("what was refused is over").isEmpty();
    }

    @Test
    @Tag("SN-05")
    @Tag("SN-06")
    @Tag("SN-08")
    void a_provider_s_figures_cover_all_its_agents() {
        register("good", "acme-labs", Behaviour.COMPLETES);
        register("bad", "acme-labs", Behaviour.FAILS_THE_TASK);
        register("other", "other-labs", Behaviour.FAILS_THE_TASK);
        harness.invoke("good");
        harness.invoke("good");
        harness.invoke("bad");
        harness.invoke("other");
        JsonNode provider = harness.healthOfProvider("acme-labs");
        assertThat(provider.path("success_count").asInt()).isEqualTo(2);
        assertThat(provider.path("failure_count").asInt()).isEqualTo(1);
        assertThat(provider.path("success_rate").asDouble()).isEqualTo(0.667);
        assertThat(provider.path("status").asText()).isEqualTo("degraded");
        assertThat(harness.healthOfAgent("good").path("status").asText()).isEqualTo("online");
        assertThat(harness.healthOfAgent("bad").path("status").asText()).isEqualTo("offline");
        assertThat(harness.trustOfProvider("acme-labs").path("reputation_score").asDouble())
                .isEqualTo(0.4118);
        assertThat(harness.read("/v1/health/providers").path("items").findValuesAsText("provider_id"))
                .containsExactly("acme-labs", "other-labs");
        assertThat(harness.read("/v1/health/agents").path("items"))
                .containsExactlyInAnyOrder(
                        harness.healthOfAgent("good"), harness.healthOfAgent("bad"), harness.healthOfAgent("other"));
        assertThat(harness.read("/v1/trust/agents").path("items"))
                .containsExactlyInAnyOrder(
                        harness.trustOfAgent("good"), harness.trustOfAgent("bad"), harness.trustOfAgent("other"));
    }

    @ParameterizedTest
    @CsvSource({"19, 1, online", "18, 2, degraded", "0, 20, offline"})
    @Tag("SN-06")
    void the_online_status_follows_the_last_twenty_invocations(int successes, int failures, String status) {
        register("agent", "acme-labs", Behaviour.COMPLETES);
        for (int i = 0; i < successes; i++) {
            harness.invoke("agent");
        }
        harness.moveTo("agent", harness.agents().endpoint(Behaviour.ANSWERS_500));
        for (int i = 0; i < failures; i++) {
            harness.invoke("agent");
        }
        assertThat(harness.healthOfAgent("agent").path("status").asText()).isEqualTo(status);
        harness.clock().advance(Duration.ofHours(30));
        assertThat(harness.healthOfAgent("agent").path("status").asText())
                .as("without another invocation the status stays")
                .isEqualTo(status);
    }

    @Test
    @Tag("SN-06")
    void an_agent_three_times_slower_than_declared_is_degraded() {
        ObjectNode declared = Json.object();
        declared.putObject("expectations").put("baseline_latency_ms", 400);
        harness.register(
                harness.administrator(), "slow", "acme-labs", harness.agents().endpoint(Behaviour.IS_SLOW), declared);
        harness.invoke("slow");
        assertThat(harness.healthOfAgent("slow").path("status").asText()).isEqualTo("degraded");
        assertThat(harness.healthOfAgent("slow").path("last_latency_ms").asInt())
                .isEqualTo(1_234);
        assertThat(harness.healthOfProvider("acme-labs").path("status").asText())
                .as("the call is judged by what the agent declares")
                .isEqualTo("degraded");
    }

    @Test
    @Tag("SN-02")
    void an_agent_cannot_improve_its_own_reputation() {
        RegistryCaller owner = harness.newCaller("agent");
        harness.register(owner, "agent", "acme-labs", harness.agents().endpoint(Behaviour.COMPLETES), Json.object());
        ObjectNode praise = Json.object().put("batch_id", "praise");
        praise.putArray("outcomes").addObject().put("result", "success").put("latency_ms", 1);
        assertThat(owner.post("/api/v1/agents/agent/outcomes", praise).status()).isEqualTo(202);
        assertThat(harness.trustOfAgent("agent").path("reputation_score").asDouble())
                .isEqualTo(0.5);
        RegistryCaller coordinator = harness.newCaller("coordinator");
        assertThat(coordinator.post("/api/v1/agents/agent/outcomes", praise).status())
                .isEqualTo(202);
        assertThat(harness.trustOfAgent("agent").path("reputation_score").asDouble())
                .isEqualTo(0.5455);
        assertThat(harness.healthOfAgent("agent").path("status").asText())
                .as("it was not invoked through the gateway")
                .isEqualTo("unknown");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/",
                "https://10.0.0.1/",
                "https://192.168.1.1:8443/a2a",
                "https://169.254.169.254/latest/meta-data/",
                "https://[::ffff:10.0.0.1]/",
                "https://[fd00::1]/",
                "https://100.64.0.1/",
                "https://0.0.0.0/"
            })
    @Tag("SN-07")
    void an_address_that_only_the_gateway_can_reach_is_never_called(String endpoint) {
        harness.register("inside", "acme-labs", endpoint);
        assertRefused(harness.invoke("inside"), 502, "endpoint_not_allowed");
        harness.moveTo("inside", harness.agents().endpoint(Behaviour.COMPLETES));
        String receiptId = harness.invokeAsync("inside", REQUEST);
        harness.moveTo("inside", endpoint);
        harness.system().drainQueues();
        assertThat(harness.agents().calls()).isEmpty();
        assertThat(harness.receipt(receiptId).path("error").asText()).isEqualTo("endpoint_not_allowed");
        assertThat(harness.healthOfAgent("inside").path("status").asText())
                .as("no agent was called")
                .isEqualTo("unknown");
    }

    @Test
    @Tag("SN-07")
    void endpoints_on_this_machine_are_called_only_where_the_switch_is_set() {
        harness.close();
        harness = new LocalGateway(options -> options);
        register("local", "acme-labs", Behaviour.COMPLETES);
        assertRefused(harness.invoke("local"), 502, "endpoint_not_allowed");
        harness.moveTo("local", harness.agents().withoutTls());
        assertRefused(harness.invoke("local"), 502, "endpoint_not_allowed");
        assertThat(harness.agents().calls()).isEmpty();
        assertThat(harness.healthOfAgent("local").path("failure_count").asInt()).isZero();
    }

    @Test
    @Tag("SN-07")
    void an_agent_that_cannot_take_work_is_not_called() {
        register("gone", "acme-labs", Behaviour.COMPLETES);
        harness.register(harness.administrator(), "homeless", "acme-labs", "", Json.object());
        assertRefused(harness.invoke("homeless"), 409, "agent_has_no_endpoint");
        assertRefused(harness.invoke("unknown"), 404, "agent_not_found");
        harness.deregister("gone");
        assertThat(harness.invoke("gone").status()).isEqualTo(409);
        assertThat(harness.agents().calls()).isEmpty();
    }

    @Test
    @Tag("SN-07")
    void a_receipt_is_for_its_caller_and_administrators() {
        register("agent", "acme-labs", Behaviour.COMPLETES);
        String receiptId = harness.invokeAsync("agent", REQUEST);
        assertThat(harness.newCaller("agent").get("/v1/receipts/" + receiptId).status())
                .isIn(403, 404);
        assertThat(harness.administrator().get("/v1/receipts/" + receiptId).status())
                .isEqualTo(200);
        harness.system().drainQueues();
        JsonNode receipt = harness.receipt(receiptId);
        assertThat(receipt.path("status").asText()).isEqualTo("succeeded");
        harness.clock().advance(Duration.ofHours(25));
        assertThat(harness.administrator().get("/v1/receipts/" + receiptId).status())
                .as("it expires after a day")
                .isEqualTo(404);
    }

    @Test
    @Tag("SN-07")
    void a_caller_that_is_too_fast_waits_and_others_do_not() {
        register("agent", "acme-labs", Behaviour.COMPLETES);
        RegistryCaller hasty = harness.newCaller("agent");
        int taken = 0;
        Answer answer = hasty.post("/v1/agents/agent/invoke", REQUEST);
        while (answer.status() == 200) {
            taken++;
            answer = hasty.post("/v1/agents/agent/invoke", REQUEST);
        }
        assertThat(answer.status()).isEqualTo(429);
        assertThat(taken).isEqualTo(20);
        assertThat(harness.agents().calls()).hasSize(taken);
        assertThat(harness.healthOfAgent("agent").path("success_count").asInt()).isEqualTo(taken);
        assertThat(harness.invoke("agent").status()).isEqualTo(200);
    }

    @Test
    @Tag("SN-07")
    void an_accepted_invocation_outlives_a_restart(@TempDir Path folder) {
        harness.close();
        harness = new LocalGateway(options -> options.allowLoopbackEndpoints().dataFolder(folder));
        register("agent", "acme-labs", Behaviour.COMPLETES);
        String receiptId = harness.invokeAsync("agent", REQUEST);
        harness.restart();
        harness.system().drainQueues();
        Answer receipt = harness.administrator().get("/v1/receipts/" + receiptId);
        assertThat(receipt.json().path("status").asText()).isEqualTo("succeeded");
        assertThat(harness.agents().calls()).hasSize(1);
    }

    @Test
    @Tag("SN-07")
    void an_invocation_that_stays_in_the_queue_expires() {
        register("agent", "acme-labs", Behaviour.COMPLETES);
        String receiptId = harness.invokeAsync("agent", REQUEST);
        harness.clock().advance(Duration.ofMinutes(20));
        harness.system().runSchedules();
        JsonNode receipt = harness.receipt(receiptId);
        assertThat(receipt.path("status").asText()).isEqualTo("failed");
        assertThat(receipt.path("error").asText()).isEqualTo("interrupted");
        harness.system().drainQueues();
        assertThat(harness.agents().calls()).isEmpty();
        assertThat(harness.healthOfAgent("agent").path("status").asText())
                .as("it does not count against the agent")
                .isEqualTo("unknown");
    }
}
