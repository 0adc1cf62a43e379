package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** HTTP client for leases; uses {@link TestSystem#AGENT_KEY} unless another key is given. */
final class LeaseClient {

    static final String INTENT = "intent-1";

    private static final String INTENTS = "/api/v1/intents/";

    private final TestApi api;

    LeaseClient(TestApi api) {
        this.api = api;
    }

    TestApi.Response acquire(String agentId, String scope, int seconds) {
        return acquire(TestSystem.AGENT_KEY, agentId, scope, seconds);
    }

    TestApi.Response acquire(String key, String agentId, String scope, int seconds) {
        return acquire(
                key,
                "{\"agent_id\":\"" + agentId + "\",\"scope\":\"" + scope + "\",\"duration_seconds\":" + seconds + "}");
    }

    TestApi.Response acquire(String key, String body) {
        return api.post(INTENTS + INTENT + "/leases").key(key).body(body).send();
    }

    /** Acquires a lease now. */
    JsonNode granted(String agentId, String scope, int seconds) {
        TestApi.Response response = acquire(agentId, scope, seconds);
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return response.json();
    }

    TestApi.Response renew(JsonNode lease, int seconds) {
        return api.patch(path(lease))
                .key(TestSystem.AGENT_KEY)
                .body("{\"duration_seconds\":" + seconds + "}")
                .send();
    }

    TestApi.Response release(JsonNode lease) {
        return release(TestSystem.AGENT_KEY, lease);
    }

    TestApi.Response release(String key, JsonNode lease) {
        return api.delete(path(lease)).key(key).send();
    }

    TestApi.Response revoke(String key, JsonNode lease) {
        return api.post(path(lease) + "/revoke").key(key).send();
    }

    TestApi.Response verify(JsonNode lease) {
        return verify(TestSystem.OTHER_AGENT_KEY, lease);
    }

    TestApi.Response verify(String key, JsonNode lease) {
        return verify(key, lease, lease.get("fencing_token").longValue());
    }

    TestApi.Response verify(JsonNode lease, long token) {
        return verify(TestSystem.OTHER_AGENT_KEY, lease, token);
    }

    private TestApi.Response verify(String key, JsonNode lease, long token) {
        return api.post(path(lease) + "/verify")
                .key(key)
                .body("{\"fencing_token\":" + token + "}")
                .send();
    }

    /** The ids of an intent's leases of this status. */
    List<String> ids(String status) {
        return texts(
                api.get(INTENTS + INTENT + "/leases")
                        .query("status", status)
                        .query("limit", "1000")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .json()
                        .get("leases"),
                "id");
    }

    TestApi.Response get(String key, JsonNode lease) {
        return api.get(path(lease)).key(key).send();
    }

    /** The current document of the lease. */
    JsonNode shown(JsonNode lease) {
        JsonNode leases = api.get(INTENTS + INTENT + "/leases")
                .query("status", "active,released,expired,revoked")
                .query("limit", "1000")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .get("leases");
        return StreamSupport.stream(leases.spliterator(), false)
                .filter(shown -> shown.get("id").equals(lease.get("id")))
                .findFirst()
                .orElse(JsonNodeFactory.instance.missingNode());
    }

    /** All events of the intent, oldest first. */
    List<JsonNode> events() {
        JsonNode events = api.get(INTENTS + INTENT + "/events")
                .query("limit", "1000")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .get("events");
        List<JsonNode> list = new ArrayList<>();
        events.forEach(list::add);
        return list;
    }

    /** Types and reasons of a lease's events, oldest first, such as {@code lease.expired timeout}. */
    List<String> history(JsonNode lease) {
        return history(events(), lease);
    }

    /** Types and reasons of those of these events that are about the lease. */
    static List<String> history(List<JsonNode> events, JsonNode lease) {
        return events.stream()
                .filter(event -> event.get("lease_id").equals(lease.get("id")))
                .map(event -> (event.get("type").textValue() + " "
                                + event.path("reason").asText())
                        .trim())
                .toList();
    }

    static String path(JsonNode lease) {
        return INTENTS + lease.get("intent_id").textValue() + "/leases/"
                + lease.get("id").textValue();
    }

    static List<String> texts(JsonNode array, String field) {
        List<String> texts = new ArrayList<>();
        array.forEach(node -> texts.add(node.get(field).textValue()));
        return texts;
    }

    static void assertError(TestApi.Response response, int status, String error) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        assertThat(response.json().get("error").textValue()).isEqualTo(error);
    }
}
