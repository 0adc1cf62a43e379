package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.testkit.HealthDocumentSchema;

/** Reads health documents over HTTP and validates each against the project's schema. */
final class HealthClient {

    private final TestApi api;
    private final HealthDocumentSchema schema = new HealthDocumentSchema();

    HealthClient(TestApi api) {
        this.api = api;
    }

    Request ofAgent(String agentId) {
        return api.get("/agents/" + agentId + "/.well-known/agent-health");
    }

    Request ofHost() {
        return api.get("/.well-known/agent-health");
    }

    /** The response with a document. */
    Response read(Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.header("Content-Type")).isEqualTo("application/json");
        schema.check(response.text());
        return response;
    }

    /** The public document. */
    JsonNode document(TestAgent agent) {
        return read(ofAgent(agent.id())).json();
    }

    /** The document for a key. */
    JsonNode document(TestAgent agent, String key) {
        return read(ofAgent(agent.id()).key(key)).json();
    }

    /** The public health status. */
    String status(TestAgent agent) {
        return document(agent).path("health").path("status").asText();
    }

    /** The public last healthy time; empty for null. */
    String lastHealthyAt(TestAgent agent) {
        JsonNode moment = document(agent).path("health").path("last_healthy_at");
        return moment.isNull() ? "" : moment.textValue();
    }
}
