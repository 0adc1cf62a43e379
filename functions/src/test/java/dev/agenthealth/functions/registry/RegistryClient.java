package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Client for the registry's routes; uses {@link TestSystem#AGENT_KEY} unless another key is given. */
final class RegistryClient {

    static final String AGENTS = "/api/v1/agents";

    private final TestSystem system;
    private final TestApi api;
    private final AtomicInteger ids = new AtomicInteger();

    RegistryClient(TestSystem system) {
        this(system, system.api());
    }

    RegistryClient(TestSystem system, TestApi api) {
        this.system = system;
        this.api = api;
    }

    /** An id that no other agent of this system has. */
    String newId() {
        return "agent-" + ids.incrementAndGet();
    }

    /** Registers an agent with additional fields; {@code fields} begins with a comma or is empty. */
    TestAgent newAgent(String fields) {
        String id = newId();
        assertThat(register("{\"agent_id\":\"" + id + "\"" + fields + "}").status())
                .as("registration of %s with %s", id, fields)
                .isEqualTo(201);
        return new TestAgent(system, id);
    }

    Response register(String body) {
        return register(TestSystem.AGENT_KEY, body);
    }

    Response register(String key, String body) {
        return api.post(AGENTS).key(key).body(body).send();
    }

    Response get(String id) {
        return get(TestSystem.AGENT_KEY, id);
    }

    Response get(String key, String id) {
        return api.get(AGENTS + "/" + id).key(key).send();
    }

    Response patchProfile(String id, String ifMatch, String body) {
        return patch(TestSystem.AGENT_KEY, "/" + id, ifMatch, body);
    }

    Response patchStatus(String id, String ifMatch, String body) {
        return patchStatus(TestSystem.AGENT_KEY, id, ifMatch, body);
    }

    Response patchStatus(String key, String id, String ifMatch, String body) {
        return patch(key, "/" + id + "/status", ifMatch, body);
    }

    private Response patch(String key, String path, String ifMatch, String body) {
        Request request = api.patch(AGENTS + path).key(key).body(body);
        return ifMatch.isEmpty()
                ? request.send()
                : request.header("if-match", ifMatch).send();
    }

    Response delete(String key, String id) {
        return api.delete(AGENTS + "/" + id).key(key).send();
    }

    /** A listing by a coordinator. */
    Response list(Map<String, String> query) {
        return list(TestSystem.COORDINATOR_KEY, query);
    }

    Response list(String key, Map<String, String> query) {
        return read(key, AGENTS, query);
    }

    Response read(String key, String path, Map<String, String> query) {
        Request request = api.get(path).key(key);
        query.forEach(request::query);
        return request.send();
    }

    /** The ids of all agents that a listing shows, from its first page to its last. */
    List<String> listed(Map<String, String> query) {
        return listed(TestSystem.COORDINATOR_KEY, query);
    }

    List<String> listed(String key, Map<String, String> query) {
        List<String> ids = new ArrayList<>();
        List<JsonNode> pages = pages(key, AGENTS, query);
        for (JsonNode page : pages) {
            assertThat(page.path("total").asInt(-1))
                    .as("the number of matches, where the answer is complete")
                    .isEqualTo(pages.size() == 1 ? page.get("agents").size() : -1);
            page.get("agents").forEach(agent -> ids.add(agent.get("agent_id").textValue()));
        }
        return ids;
    }

    /** All pages of a listing or of an event log. */
    List<JsonNode> pages(String key, String path, Map<String, String> query) {
        List<JsonNode> pages = new ArrayList<>();
        Map<String, String> next = new HashMap<>(query);
        while (true) {
            Response response = read(key, path, next);
            assertThat(response.status()).as("%s", response.text()).isEqualTo(200);
            pages.add(response.json());
            if (!response.json().hasNonNull("next_token")) {
                return pages;
            }
            next.put("next_token", response.json().get("next_token").textValue());
            assertThat(pages.size()).as("pages of %s", query).isLessThan(5_000);
        }
    }
}
