package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keys of some roles, and viewers, see and may do (RFC-0016, Security Considerations). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-34")
@Tag("R16-35")
class ClosedRolesTest {

    private static final String COORDINATOR = "coordinator-of-billing";
    private static final String VIEWER = "viewer-of-billing";
    private static final String VIEWER_OF_ALL = "viewer-of-all-roles";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeAll
    void work() {
        system.addKey(COORDINATOR, Role.COORDINATOR, Set.of("billing"));
        system.addKey(VIEWER, Role.VIEWER, Set.of("billing"));
        system.addKey(VIEWER_OF_ALL, Role.VIEWER, Set.of());
        register("bill", "billing");
        register("search", "research");
        post("/api/v1/agents", "{\"agent_id\":\"none\"}");
        for (String agent : List.of("bill", "search", "none")) {
            post(
                    "/api/v1/intents/invoice/leases",
                    "{\"agent_id\":\"" + agent + "\",\"scope\":\"of-" + agent + "\",\"duration_seconds\":600}");
        }
        put("of-billing", "agents:\n  billing:\n    pool:\n      min_instances: 1\n");
        put("mixed", "agents:\n  clerk: {}\n  research: {}\n");
        system.clock().advanceSeconds(10);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/agents, agents, agent_id, bill",
        "/api/v1/intents/invoice/leases, leases, agent_id, bill",
        "/api/v1/intents/invoice/events, events, agent_id, bill",
        "/api/v1/events, events, agent_id, bill bill",
        "/api/v1/pools, pools, role_id, billing",
        "/api/v1/workflows, workflows, name, of-billing",
        "/v1/trust/agents, items, agent_id, bill",
        "/v1/health/agents, items, agent_id, bill"
    })
    void a_list_contains_what_belongs_to_the_roles_of_the_key(String path, String list, String field, String expected) {
        for (String key : List.of(COORDINATOR, VIEWER)) {
            assertThat(values(key, path, list, field)).as(key).containsExactly(expected.split(" "));
        }
        assertThat(values(VIEWER_OF_ALL, path, list, field))
                .isEqualTo(values(TestSystem.COORDINATOR_KEY, path, list, field))
                .hasSizeGreaterThan(expected.split(" ").length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/agents/search",
                "/api/v1/agents/none",
                "/api/v1/agents/search/leases",
                "/api/v1/agents/search/events",
                "/api/v1/agents/search/health",
                "/api/v1/pools/research",
                "/api/v1/workflows/mixed",
                "/v1/trust/agents/search",
                "/v1/trust/providers",
                "/v1/health/providers"
            })
    void what_belongs_to_other_roles_is_refused(String path) {
        for (String key : List.of(COORDINATOR, VIEWER)) {
            assertThat(get(key, path).status()).as(key).isEqualTo(403);
        }
        assertThat(get(VIEWER_OF_ALL, path).status())
                .isEqualTo(get(TestSystem.COORDINATOR_KEY, path).status())
                .isEqualTo(200);
    }

    @Test
    void a_workflow_of_the_key_s_roles_is_shown() {
        for (String key : List.of(COORDINATOR, VIEWER)) {
            assertThat(get(key, "/api/v1/workflows/of-billing").status()).isEqualTo(200);
            assertThat(get(key, "/api/v1/workflows/unknown").status()).isEqualTo(404);
        }
    }

    @Test
    void a_viewer_reads_an_agent_and_verifies_leases_but_changes_nothing() {
        JsonNode lease =
                get(VIEWER, "/api/v1/agents/bill/leases").json().path("leases").get(0);
        String path = "/api/v1/intents/invoice/leases/" + lease.path("id").asText();
        assertThat(system.api()
                        .post(path + "/verify")
                        .key(VIEWER)
                        .body("{\"fencing_token\":" + lease.path("fencing_token") + "}")
                        .send()
                        .status())
                .isEqualTo(200);
        for (TestApi.Request change : List.of(
                system.api().post(path + "/revoke"),
                system.api().delete(path),
                system.api().delete("/api/v1/agents/bill"),
                system.api().post("/api/v1/agents/bill/commands").body("{\"command\":\"drain\"}"),
                system.api().post("/api/v1/agents/bill/outcomes").body("{}"),
                system.api().post("/v1/agents/bill/invoke").body("{\"text\":\"a\"}"),
                system.api().post("/api/v1/agents").body("{\"role_id\":\"billing\"}"),
                system.api().post("/api/v1/agents/bill/heartbeat"))) {
            assertThat(change.key(VIEWER).send().status()).isEqualTo(403);
        }
        assertThat(get(VIEWER, "/api/v1/agents/bill").json().path("status").asText())
                .isEqualTo("active");
    }

    @Test
    void a_viewer_s_key_owns_no_agents() {
        TestApi.Response response = system.api()
                .post("/api/v1/agents")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"owner_key_id\":\"key-" + VIEWER + "\"}")
                .send();
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("errors").findValuesAsText("field")).containsExactly("owner_key_id");
    }

    private List<String> values(String key, String path, String list, String field) {
        List<String> values = new ArrayList<>();
        String token = "";
        do {
            TestApi.Request request = system.api().get(path).key(key).query("limit", "1");
            JsonNode page = (token.isEmpty() ? request : request.query("next_token", token))
                    .send()
                    .json();
            values.addAll(page.path(list).findValuesAsText(field));
            token = page.path("next_token").asText();
        } while (!token.isEmpty());
        return values;
    }

    private TestApi.Response get(String key, String path) {
        return system.api().get(path).key(key).send();
    }

    private void register(String agentId, String roleId) {
        post("/api/v1/agents", "{\"agent_id\":\"" + agentId + "\",\"role_id\":\"" + roleId + "\"}");
    }

    private void post(String path, String body) {
        assertThat(system.api()
                        .post(path)
                        .key(TestSystem.AGENT_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private void put(String workflow, String body) {
        assertThat(system.api()
                        .put("/api/v1/workflows/" + workflow)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(201);
    }
}
