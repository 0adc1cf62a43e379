package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.trust.RecordedInvocations;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.EvidenceScope;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** TrustRecords invocations of agents, and reads and blocks over HTTP. */
final class TrustClient {

    private final TestSystem system;
    private final TestApi api;
    private final RecordedInvocations recorded;
    private final AtomicInteger receipts = new AtomicInteger();

    TrustClient(TestSystem system) {
        this(system, system.api());
    }

    /** A client of other functions. */
    TrustClient(TestSystem system, TestApi api) {
        this.system = system;
        this.api = api;
        this.recorded = new RecordedInvocations(system);
    }

    RecordedInvocations recorded() {
        return recorded;
    }

    /** Registers an agent with a provider. */
    TestAgent newAgent(String id, String providerId) {
        return newAgent(id, providerId, "");
    }

    /** Registers an agent; {@code more} begins with a comma or is empty. */
    TestAgent newAgent(String id, String providerId, String more) {
        TestAgent agent = new TestAgent(system, id);
        String provider = providerId.isEmpty() ? "" : ",\"provider_id\":\"" + providerId + "\"";
        assertThat(agent.register(provider + more).status()).isEqualTo(201);
        return agent;
    }

    /** Changes an agent's profile with its own key, at any version. */
    Response change(String agentId, String body) {
        return change(TestSystem.AGENT_KEY, agentId, body);
    }

    Response change(String key, String agentId, String body) {
        return api.patch("/api/v1/agents/" + agentId)
                .key(key)
                .header("if-match", "*")
                .body(body)
                .send();
    }

    /** An invocation that ends now. */
    Invocation invocation(String agentId, String providerId, boolean success, long latencyMs) {
        String receipt = String.format(Locale.ROOT, "receipt_%06d", receipts.incrementAndGet());
        double limitMs = new AgentStore(system.database())
                .profile(agentId)
                .map(profile -> profile.basis().expectations())
                .orElse(Expectations.NONE)
                .latencyLimitMs()
                .orElse(Call.NO_LIMIT);
        return new Invocation(
                receipt,
                agentId,
                providerId,
                "key",
                new Call(success, latencyMs, limitMs, system.clock().instant()),
                EvidenceScope.REPUTATION);
    }

    /** TrustRecords invocations that take 100 ms, a second apart: {@code +} a success, {@code -} a failure. */
    void invoke(String agentId, String providerId, String results) {
        for (char result : results.toCharArray()) {
            system.clock().advanceSeconds(1);
            assertThat(recorded.record(invocation(agentId, providerId, result == '+', 100)))
                    .isTrue();
        }
    }

    /** Reads an existing record as an administrator. */
    JsonNode read(String path) {
        Response response = get(TestSystem.ADMINISTRATOR_KEY, path);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    Response get(String key, String path) {
        return api.get(path).key(key).send();
    }

    /** All items of a list, page by page. */
    List<JsonNode> readAll(String key, String path, int limit) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            TestApi.Request request = api.get(path).key(key).query("limit", Integer.toString(limit));
            Response response = (token.isEmpty() ? request : request.query("next_token", token)).send();
            assertThat(response.status()).as(response.text()).isEqualTo(200);
            assertThat(response.json().path("items").size()).isLessThanOrEqualTo(limit);
            response.json().path("items").forEach(items::add);
            token = response.json().path("next_token").asText();
        } while (!token.isEmpty());
        return items;
    }

    JsonNode trustOfAgent(String id) {
        return read("/v1/trust/agents/" + id);
    }

    JsonNode trustOfProvider(String id) {
        return read("/v1/trust/providers/" + id);
    }

    JsonNode healthOfAgent(String id) {
        return read("/v1/health/agents/" + id);
    }

    JsonNode healthOfProvider(String id) {
        return read("/v1/health/providers/" + id);
    }

    /** Blocks as an administrator; {@code whom} is a path such as {@code agents/a}. */
    Response block(String whom, String reason) {
        return block(TestSystem.ADMINISTRATOR_KEY, whom, "{\"reason\":\"" + reason + "\"}");
    }

    Response block(String key, String whom, String body) {
        return api.post("/v1/admin/" + whom + "/block").key(key).body(body).send();
    }

    Response unblock(String whom) {
        return api.post("/v1/admin/" + whom + "/unblock")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
    }

    /** The events about trust, in the order of the feed. */
    List<JsonNode> events() {
        system.clock().advanceSeconds(10);
        String since = Timestamps.text(system.clock().instant().minus(Duration.ofDays(2)));
        List<JsonNode> events = new ArrayList<>();
        String token = "";
        do {
            TestApi.Request request =
                    api.get("/api/v1/events").key(TestSystem.ADMINISTRATOR_KEY).query("limit", "1000");
            JsonNode page = (token.isEmpty() ? request.query("since", since) : request.query("next_token", token))
                    .send()
                    .json();
            page.path("events").forEach(event -> {
                if (event.path("type").asText().equals("agent.trust")) {
                    events.add(event);
                }
            });
            token = page.path("next_token").asText();
        } while (!token.isEmpty());
        return events;
    }
}
