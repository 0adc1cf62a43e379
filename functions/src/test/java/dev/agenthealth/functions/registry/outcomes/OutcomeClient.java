package dev.agenthealth.functions.registry.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Reports outcomes over HTTP, for tests. */
public final class OutcomeClient {

    /** A success without further fields. */
    public static final String SUCCESS = "{\"result\":\"success\"}";

    private final TestSystem system;
    private final TestApi api;

    public OutcomeClient(TestSystem system) {
        this(system, system.api());
    }

    /** A client of other functions. */
    public OutcomeClient(TestSystem system, TestApi api) {
        this.system = system;
        this.api = api;
    }

    /** Registers an agent with this window. */
    public TestAgent newAgent(String id, int windowSeconds) {
        return newAgent(id, "\"window_seconds\":" + windowSeconds);
    }

    /** Registers an agent with these expectations. */
    public TestAgent newAgent(String id, String expectations) {
        TestAgent agent = new TestAgent(system, id);
        assertThat(agent.register(",\"expectations\":{" + expectations + "}").status())
                .isEqualTo(201);
        return agent;
    }

    public StoredOutcomes stored(TestAgent agent) {
        return new StoredOutcomes(system, agent.id());
    }

    /** Reports as the agent itself. */
    public Response report(TestAgent agent, String batchId, String... outcomes) {
        return report(TestSystem.AGENT_KEY, agent, batchId, outcomes);
    }

    /** Reports with any key. */
    public Response report(String key, TestAgent agent, String batchId, String... outcomes) {
        return send(key, agent.id(), "{" + batch(batchId, outcomes) + "}");
    }

    /** Sends this body. */
    public Response send(String key, String agentId, String body) {
        return api.post("/api/v1/agents/" + agentId + "/outcomes")
                .key(key)
                .body(body)
                .send();
    }

    /** Batch id and outcomes as fields of a body. */
    public static String batch(String batchId, String... outcomes) {
        return "\"batch_id\":\"" + batchId + "\",\"outcomes\":[" + String.join(",", outcomes) + "]";
    }

    /** The same outcome several times. */
    public static String[] times(int count, String outcome) {
        return Collections.nCopies(count, outcome).toArray(String[]::new);
    }

    /** A success at this time. */
    public static String successAt(Instant at) {
        return "{\"result\":\"success\",\"occurred_at\":\"" + at + "\"}";
    }

    /** A success with a latency, at this time. */
    public static String successAt(Instant at, double latencyMs) {
        return "{\"result\":\"success\",\"latency_ms\":" + latencyMs + ",\"occurred_at\":\"" + at + "\"}";
    }

    /** The JSON of an outcome. */
    public static String json(Outcome outcome) {
        return "{\"result\":\"" + outcome.result().wireName() + "\""
                + (outcome.result() == OutcomeResult.FAILURE
                        ? ",\"error_type\":\"" + outcome.errorType().wireName() + "\""
                        : "")
                + (outcome.hasLatency() ? ",\"latency_ms\":" + outcome.latencyMs() : "")
                + (outcome.slaBreached() ? ",\"sla_breached\":true" : "")
                + ",\"occurred_at\":\"" + outcome.occurredAt() + "\"}";
    }

    /** The JSON of outcomes. */
    public static String[] json(List<Outcome> outcomes) {
        return outcomes.stream().map(OutcomeClient::json).toArray(String[]::new);
    }

    /** Asserts that the batch was stored. */
    public static void assertAccepted(Response response, int accepted, boolean duplicate) {
        assertThat(response.status()).as(response.text()).isEqualTo(202);
        assertThat(response.json().toString())
                .isEqualTo("{\"accepted\":" + accepted + ",\"duplicate\":" + duplicate + "}");
    }

    /** The fields named by a refusal, in order. */
    public static List<String> mistakes(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        return response.json().path("errors").findValuesAsText("field").stream().collect(Collectors.toList());
    }
}
