package dev.agenthealth.functions.registry.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.concurrent.atomic.AtomicInteger;

/** Accesses workflows and pools over HTTP, with a coordinator's key unless another is given. */
final class WorkflowClient {

    static final String WORKFLOWS = "/api/v1/workflows";
    static final String POOLS = "/api/v1/pools";

    private final TestApi api;
    private final AtomicInteger names = new AtomicInteger();

    WorkflowClient(TestSystem system) {
        this(system.api());
    }

    WorkflowClient(TestApi api) {
        this.api = api;
    }

    /** A name that is unused in this system. */
    String newName() {
        return "workflow-" + names.incrementAndGet();
    }

    Response put(String name, String body) {
        return put(TestSystem.COORDINATOR_KEY, name, body);
    }

    Response put(String key, String name, String body) {
        return api.put(WORKFLOWS + "/" + name).key(key).body(body).send();
    }

    Response put(String name, String body, String header, String value) {
        return api.put(WORKFLOWS + "/" + name)
                .key(TestSystem.COORDINATOR_KEY)
                .header(header, value)
                .body(body)
                .send();
    }

    /** Puts a workflow that must be accepted. */
    JsonNode declare(String name, String body) {
        Response response = put(name, body);
        assertThat(response.status()).as(response.text()).isIn(200, 201);
        return response.json();
    }

    Response get(String key, String path) {
        return api.get(path).key(key).send();
    }

    Response get(String path) {
        return get(TestSystem.COORDINATOR_KEY, path);
    }

    Response workflow(String name) {
        return get(WORKFLOWS + "/" + name);
    }

    Response pool(String roleId) {
        return get(POOLS + "/" + roleId);
    }

    Response page(String path, String limit, String token) {
        Request request = api.get(path).key(TestSystem.COORDINATOR_KEY).query("limit", limit);
        return token.isEmpty()
                ? request.send()
                : request.query("next_token", token).send();
    }

    Response delete(String key, String name) {
        return api.delete(WORKFLOWS + "/" + name).key(key).send();
    }
}
