package dev.agenthealth.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller.Answer;
import dev.agenthealth.local.testing.ScriptedAgent;
import dev.agenthealth.local.testing.ScriptedAgent.Behaviour;
import dev.agenthealth.model.Timestamps;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every behaviour of a called agent is recorded, and the caller's response reveals no details. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SN-02")
@Tag("SN-05")
@Tag("SN-06")
@Tag("SN-07")
@Tag("SN-08")
@Tag("exhaustive")
class OutcomeOfInvocationTest {

    /** Patience with agents that would cost more; the others answer far sooner. */
    private static final int IMPATIENT_MS = 400;

    private static final int PATIENT_MS = 20_000;

    private LocalGateway harness;

    /** A behaviour of an agent and the outcome of its invocation. */
    enum Case {
        COMPLETES(Behaviour.COMPLETES, 200, "", ""),
        COMPLETES_1_0(Behaviour.COMPLETES_1_0, 200, "", ""),
        REPLIES(Behaviour.REPLIES, 200, "", ""),
        WORKS_ON(Behaviour.WORKS_ON, 200, "", ""),
        IS_SLOW(Behaviour.IS_SLOW, 200, "", ""),
        HANGS(Behaviour.HANGS, 504, "agent_timeout", "timeout"),
        DRIPS(Behaviour.DRIPS, 504, "agent_timeout", "timeout"),
        IS_ENDLESS(Behaviour.IS_ENDLESS, 502, "agent_response_too_large", "malformed"),
        IS_TOO_LONG(Behaviour.IS_TOO_LONG, 502, "agent_response_too_large", "malformed"),
        BREAKS_OFF(Behaviour.BREAKS_OFF, 502, "agent_unreachable", "other"),
        REDIRECTS(Behaviour.REDIRECTS, 502, "agent_error", "other"),
        ANSWERS_404(Behaviour.ANSWERS_404, 502, "agent_error", "client_error"),
        ANSWERS_500(Behaviour.ANSWERS_500, 502, "agent_error", "server_error"),
        ANSWERS_HTML(Behaviour.ANSWERS_HTML, 502, "agent_malformed_response", "malformed"),
        ANSWERS_ANOTHER(Behaviour.ANSWERS_ANOTHER, 502, "agent_malformed_response", "malformed"),
        ANSWERS_AN_ERROR(Behaviour.ANSWERS_AN_ERROR, 502, "agent_rpc_error", "server_error"),
        FAILS_THE_TASK(Behaviour.FAILS_THE_TASK, 502, "agent_task_failed", "other"),
        REJECTS_THE_TASK(Behaviour.REJECTS_THE_TASK, 502, "agent_task_failed", "other"),
        NOBODY_LISTENS(agents -> ScriptedAgent.deserted()),
        KNOWS_NO_TLS(ScriptedAgent::withoutTls),
        HAS_NO_ADDRESS(agents -> "https://no-such-agent.invalid/");

        private final Function<ScriptedAgent, String> endpoint;
        private final int status;
        private final String error;
        private final String errorType;
        private final boolean isReached;

        /** An agent that is reached. */
        Case(Behaviour behaviour, int status, String error, String errorType) {
            this.endpoint = agents -> agents.endpoint(behaviour);
            this.status = status;
            this.error = error;
            this.errorType = errorType;
            this.isReached = true;
        }

        /** An agent that is not. */
        Case(Function<ScriptedAgent, String> endpoint) {
            this.endpoint = endpoint;
            this.status = 502;
            this.error = "agent_unreachable";
            this.errorType = "other";
            this.isReached = false;
        }

        boolean succeeds() {
            return error.isEmpty();
        }

        /** Returns true where the call counts against or for the agent: one caller's rejected task does not. */
        boolean isEvidence() {
            return this != REJECTS_THE_TASK;
        }

        String onlineStatus() {
            return succeeds() ? "online" : isEvidence() ? "offline" : "unknown";
        }

        boolean timesOut() {
            return errorType.equals("timeout");
        }

        long latencyMs() {
            return this == IS_SLOW ? ScriptedAgent.SLOWNESS.toMillis() : 0;
        }
    }

    @BeforeAll
    void start() {
        harness = new LocalGateway();
    }

    @AfterAll
    void stop() {
        assertThat(harness.agents().trapped()).isZero();
        assertThat(harness.log()).doesNotContain("Pay invoice", "a secret of the agent", "tenant=7");
        harness.close();
    }

    private ObjectNode request(Case expected) {
        return Json.object()
                .put("message", "Pay invoice 42.")
                .put("timeout_ms", expected.timesOut() ? IMPATIENT_MS : PATIENT_MS);
    }

    private String register(Case expected, String mode) {
        String agentId = mode + "-" + expected.name().toLowerCase(Locale.ROOT);
        ObjectNode more = Json.object();
        if (expected == Case.COMPLETES_1_0) {
            more.put("a2a_version", "1.0");
        }
        if (expected.timesOut()) {
            // A shorter timeout is no evidence against the agent.
            more.putObject("expectations").put("sla_ms", IMPATIENT_MS);
        }
        harness.register(
                harness.administrator(), agentId, "of-" + agentId, expected.endpoint.apply(harness.agents()), more);
        JsonNode before = harness.healthOfAgent(agentId);
        assertThat(before.path("status").asText()).isEqualTo("unknown");
        assertThat(before.path("last_seen_at").isNull()).isTrue();
        assertThat(before.path("last_latency_ms").isNull()).isTrue();
        assertThat(harness.trustOfAgent(agentId).path("reputation_score").asDouble())
                .isEqualTo(0.5);
        harness.agents().forget();
        return agentId;
    }

    @ParameterizedTest
    @EnumSource(Case.class)
    void the_records_say_what_became_of_an_invocation_that_was_waited_for(Case expected) {
        String agentId = register(expected, "sync");
        Answer answer = harness.invoke(agentId, request(expected));
        assertThat(answer.status()).as(answer.body()).isEqualTo(expected.status);
        assertThat(answer.error()).isEqualTo(expected.error);
        assertShowsOwnError(expected, answer.json());
        assertRevealsNoSecret(answer.json());
        String receiptId = answer.json().path("receipt_id").asText();
        if (expected.succeeds()) {
            assertThat(answer.json().path("agent_id").asText()).isEqualTo(agentId);
            assertThat(answer.json().path("status").asText()).isEqualTo("succeeded");
            assertThat(answer.json().path("latency_ms").asLong()).isEqualTo(expected.latencyMs());
            assertThat(answer.json().path("output").findValuesAsText("text"))
                    .containsExactly(expected == Case.REPLIES ? "You are welcome." : "Done: Pay invoice 42.");
        }
        assertFinished(expected, receiptId);
        assertRecorded(expected, agentId);
    }

    @ParameterizedTest
    @EnumSource(Case.class)
    void the_records_show_the_result_of_an_asynchronous_invocation(Case expected) {
        String agentId = register(expected, "async");
        String receiptId = harness.invokeAsync(agentId, request(expected));
        assertThat(harness.agents().calls()).isEmpty();
        assertThat(harness.receipt(receiptId).path("status").asText()).isEqualTo("accepted");
        assertThat(harness.healthOfAgent(agentId).path("status").asText()).isEqualTo("unknown");
        harness.system().drainQueues();
        if (!expected.isReached) {
            assertThat(harness.receipt(receiptId).path("status").asText())
                    .as("an agent that was not reached is tried again")
                    .isEqualTo("accepted");
            harness.nextTry(Duration.ofSeconds(5));
            assertThat(harness.receipt(receiptId).path("attempts").asInt()).isEqualTo(3);
            assertThat(harness.healthOfAgent(agentId).path("status").asText()).isEqualTo("unknown");
            harness.nextTry(Duration.ofSeconds(29));
            assertThat(harness.receipt(receiptId).path("status").asText())
                    .as("a second failure is followed by a longer pause")
                    .isEqualTo("accepted");
            harness.nextTry(Duration.ofSeconds(1));
        }
        assertFinished(expected, receiptId);
        assertShowsOwnError(expected, harness.receipt(receiptId));
        assertRecorded(expected, agentId);
        harness.nextTry();
        assertThat(harness.system().queueSize("InvocationQueue")).isZero();
        assertThat(harness.system().deadLetters()).isEmpty();
        assertThat(harness.agents().calls()).hasSize(expected.isReached ? 1 : 0);
    }

    private void assertFinished(Case expected, String receiptId) {
        JsonNode receipt = harness.receipt(receiptId);
        assertThat(receipt.path("status").asText()).isEqualTo(expected.succeeds() ? "succeeded" : "failed");
        assertThat(receipt.path("error").asText("")).isEqualTo(expected.error);
        assertRevealsNoSecret(receipt);
    }

    private void assertRecorded(Case expected, String agentId) {
        assertThat(harness.agents().calls()).hasSize(expected.isReached ? 1 : 0);
        JsonNode health = harness.healthOfAgent(agentId);
        JsonNode ofProvider = harness.healthOfProvider("of-" + agentId);
        assertThat(health.path("provider_id").asText()).isEqualTo("of-" + agentId);
        for (JsonNode record : new JsonNode[] {health, ofProvider}) {
            assertThat(record.path("success_count").asInt()).isEqualTo(expected.succeeds() ? 1 : 0);
            assertThat(record.path("failure_count").asInt()).isEqualTo(expected.succeeds() ? 0 : 1);
            assertThat(record.path("success_rate").asDouble()).isEqualTo(expected.succeeds() ? 1 : 0);
            assertThat(record.path("status").asText()).isEqualTo(expected.onlineStatus());
            assertThat(record.path("last_seen_at").asText()).isEqualTo(Timestamps.text(harness.now()));
            assertThat(record.path("updated_at").asText()).isEqualTo(Timestamps.text(harness.now()));
            assertThat(record.path("last_latency_ms").asLong()).isEqualTo(expected.latencyMs());
        }
        double reputation = expected.succeeds() ? 0.5455 : expected.isEvidence() ? 0.3333 : 0.5;
        assertThat(harness.trustOfAgent(agentId).path("reputation_score").asDouble())
                .isEqualTo(reputation);
        assertThat(harness.trustOfProvider("of-" + agentId)
                        .path("reputation_score")
                        .asDouble())
                .isEqualTo(reputation);
        if (!expected.isEvidence()) {
            return;
        }
        JsonNode measured = harness.measured(agentId);
        assertThat(measured.path("executions").asInt()).isEqualTo(1);
        assertThat(measured.path("samples").path("gateway").asInt()).isEqualTo(1);
        if (!expected.succeeds()) {
            assertThat(measured.path("errors").path(expected.errorType).asInt()).isEqualTo(1);
        }
    }

    /** The agent's own error is for the caller. */
    private static void assertShowsOwnError(Case expected, JsonNode shown) {
        assertThat(shown.path("agent_error").path("message").asText(""))
                .isEqualTo(expected == Case.ANSWERS_AN_ERROR ? "a secret of the agent" : "");
    }

    private static void assertRevealsNoSecret(JsonNode shown) {
        ObjectNode others = shown.deepCopy();
        others.remove("agent_error");
        assertThat(Json.text(others))
                .doesNotContain("127.0.0.1", "localhost", "tenant", ".invalid", "Exception", "a secret")
                .doesNotContain("169.254");
    }
}
