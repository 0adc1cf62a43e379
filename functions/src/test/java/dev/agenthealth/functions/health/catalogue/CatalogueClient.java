package dev.agenthealth.functions.health.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.List;
import java.util.stream.StreamSupport;

/** Lists agents and reads the catalogue, as {@code registry.example.com}. */
final class CatalogueClient {

    static final String LISTED = ",\"listed\":true,\"endpoint\":\"https://agent.example.com/a2a\"";
    static final String URN = "urn:air:registry.example.com:agent:";
    private final TestSystem system;

    CatalogueClient(TestSystem system) {
        this.system = system;
    }

    TestAgent alive(String id, String more) {
        TestAgent agent = new TestAgent(system, id);
        Response response = agent.register(more);
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        return agent;
    }

    /** Lets what is cached expire. */
    void pass() {
        system.clock().advance(LiveAgents.MAX_AGE);
    }

    static Request at(Request request) {
        return request.domain("registry.example.com");
    }

    Request post(String body) {
        return at(system.api().post("/search")).body(body);
    }

    Response search(String body) {
        return post(body).key(TestSystem.COORDINATOR_KEY).send();
    }

    Iterable<JsonNode> results(String body) {
        Response response = search(body);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().path("results");
    }

    List<String> found(String text) {
        return found(text, "{}");
    }

    List<String> found(String text, String filter) {
        return ids(results("{\"query\":{\"text\":\"" + text + "\",\"filter\":" + filter + "}}"));
    }

    Request manifestRequest() {
        return at(system.api().get("/.well-known/ard.json")).key(TestSystem.COORDINATOR_KEY);
    }

    Response read() {
        Response response = manifestRequest().send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response;
    }

    List<String> manifest() {
        return ids(read().json().path("entries"));
    }

    static List<String> ids(Iterable<JsonNode> entries) {
        return StreamSupport.stream(entries.spliterator(), false)
                .filter(entry -> entry.path("metadata").has("agent_id"))
                .map(entry -> entry.path("metadata").path("agent_id").asText())
                .toList();
    }

    Response entry(String id) {
        return entryOf(URN + id);
    }

    Response entryOf(String identifier) {
        return at(system.api().get("/agents/" + identifier))
                .key(TestSystem.COORDINATOR_KEY)
                .send();
    }

    Response patch(String body) {
        return system.api()
                .patch("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body)
                .send();
    }
}
