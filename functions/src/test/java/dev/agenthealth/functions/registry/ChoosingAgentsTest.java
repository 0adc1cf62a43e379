package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.health.Healths;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A coordinator chooses an agent in one request: rows with verdict and health, filters by them, order by available capacity. */
@Tag("R16-22")
class ChoosingAgentsTest {

    private static final String PATH = "/api/v1/agents";

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeEach
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @Test
    void a_row_shows_health_score_verdict_and_reasons() {
        TestAgent agent = worker("a", 4, 1);
        assertThat(row("a").path("verdict").asText()).isEqualTo("ok");
        assertThat(row("a").path("health_status").asText()).isEqualTo("unknown");
        assertThat(row("a").path("score").isNull()).isTrue();
        assertThat(row("a").path("reasons")).isEmpty();
        assertThat(row("a").path("blocked").isBoolean()).isTrue();
        compute(agent, 6, 6);
        block("agents/a");
        assertThat(row("a").path("verdict").asText()).isEqualTo("blocked");
        assertThat(row("a").path("blocked").booleanValue()).isTrue();
        assertThat(row("a").path("health_status").asText()).isEqualTo("degraded");
        assertThat(row("a").path("score").isNumber()).isTrue();
        assertThat(texts(row("a").path("reasons"))).startsWith("agent_blocked", "health_degraded");
    }

    @Test
    void a_block_of_any_provider_of_the_owner_s_key_blocks_its_agents() {
        JsonNode key = system.api()
                .post("/v1/admin/keys")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(
                        """
                        {"role":"agent","provider_ids":["one","two"]}\
                        """)
                .send()
                .json();
        assertThat(system.api()
                        .post(PATH)
                        .key(key.path("api_key").asText())
                        .body("{\"agent_id\":\"a\",\"provider_id\":\"one\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        worker("of-others", 4, 0);
        block("providers/two");
        assertThat(texts(row("a").path("reasons"))).contains("provider_blocked");
        assertThat(row("a").path("blocked").booleanValue()).isTrue();
        assertThat(row("of-others").path("blocked").booleanValue()).isFalse();
    }

    @Test
    void an_agent_that_never_sent_a_heartbeat_is_unknown() {
        assertThat(new TestAgent(system, "a").register("").status()).isEqualTo(201);
        assertThat(row("a").path("verdict").asText()).isEqualTo("unknown");
        assertThat(texts(row("a").path("reasons"))).containsExactly("no_sign_of_life");
    }

    @ParameterizedTest
    @CsvSource({
        "verdict=ok, idle working",
        "verdict=blocked, blocked",
        "'verdict=unknown,degraded', failing new",
        "health_status=degraded, failing",
        "'health_status=degraded,healthy', failing working",
        "blocked=true, blocked",
        "blocked=false, failing idle new working",
        "blocked=false&verdict=ok&health_status=healthy, working",
        "verdict=down&status=dead, ''",
    })
    void lists_are_filtered_by_verdict_health_and_blocks(String filters, String ids) {
        worker("idle", 4, 0);
        compute(worker("working", 4, 0), 20, 0);
        compute(worker("failing", 4, 0), 14, 6);
        worker("blocked", 4, 0);
        block("agents/blocked");
        assertThat(new TestAgent(system, "new").register("").status()).isEqualTo(201);
        for (String limit : List.of("1", "2", "100")) {
            Map<String, String> query = new HashMap<>(Map.of("limit", limit));
            for (String filter : filters.split("&")) {
                query.put(filter.split("=")[0], filter.split("=")[1]);
            }
            assertThat(client.listed(query))
                    .as("in pages of " + limit)
                    .containsExactlyInAnyOrder(ids.isEmpty() ? new String[0] : ids.split(" "));
        }
    }

    @Test
    void a_filter_by_verdict_without_status_looks_at_all_that_are_not_gone() {
        worker("working", 4, 0);
        worker("dead", 4, 0).becomeDead();
        TestAgent archived = worker("archived", 4, 0);
        archived.becomeDead();
        archived.dismiss("scrapped");
        archived.finishCleanUp();
        assertThat(archived.archive()).isTrue();
        assertThat(worker("left", 4, 0).deregister().status()).isEqualTo(204);
        TestAgent silent = worker("silent", 4, 0);
        silent.becomeUnhealthy();
        assertThat(client.listed(Map.of("verdict", "down"))).containsExactly("dead");
        assertThat(client.listed(Map.of("verdict", "down,degraded", "limit", "1")))
                .containsExactlyInAnyOrder("dead", "silent");
        assertThat(client.listed(Map.of("verdict", "down", "status", "active"))).isEmpty();
        assertThat(client.listed(Map.of("verdict", "gone"))).containsExactlyInAnyOrder("archived", "left");
        assertThat(client.listed(Map.of("verdict", "gone", "status", "dead"))).containsExactly("archived");
    }

    @Test
    void agents_and_mcp_servers_are_listed_apart_by_kind_with_every_other_filter() {
        registerWith("agent", "weather");
        registerWith("other", "tides");
        for (String id : List.of("server", "other-server")) {
            String capability = id.equals("server") ? "weather" : "tides";
            Response registered = client.register(
                    "{\"agent_id\":\"" + id + "\",\"kind\":\"mcp_server\",\"capabilities\":[\"" + capability + "\"]}");
            assertThat(registered.json().path("kind").textValue()).isEqualTo("mcp_server");
        }
        for (String limit : List.of("1", "100")) {
            assertThat(client.listed(Map.of("kind", "mcp_server", "limit", limit)))
                    .containsExactlyInAnyOrder("server", "other-server");
            assertThat(client.listed(Map.of("kind", "agent", "limit", limit)))
                    .containsExactlyInAnyOrder("agent", "other");
            assertThat(client.listed(Map.of("kind", "mcp_server", "capabilities", "weather", "limit", limit)))
                    .containsExactly("server");
        }
        assertThat(client.listed(Map.of("kind", "agent,mcp_server"))).hasSize(4);
        assertThat(client.listed(Map.of("kind", "mcp_server", "capabilities", "weather", "sort", "available_capacity")))
                .containsExactly("server");
        assertThat(client.listed(Map.of("kind", "mcp_server", "verdict", "ok"))).isEmpty();
        JsonNode rows = read(Map.of("capabilities", "weather")).path("agents");
        assertThat(rows.findValuesAsText("kind")).containsExactlyInAnyOrder("agent", "mcp_server");
        String token = read(Map.of("kind", "mcp_server", "limit", "1"))
                .get("next_token")
                .textValue();
        Response refused = client.read(
                TestSystem.COORDINATOR_KEY, PATH, Map.of("kind", "agent", "limit", "1", "next_token", token));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("errors").findValuesAsText("field")).containsExactly("next_token");
    }

    @Test
    void agents_with_all_of_the_capabilities_are_found() {
        for (String declared : List.of("a", "b", "a,b", "a,b,c")) {
            registerWith(declared.replace(",", ""), declared);
        }
        assertThat(client.listed(Map.of("capabilities", "a,b", "capabilities_match", "all")))
                .containsExactlyInAnyOrder("ab", "abc");
        assertThat(client.listed(Map.of("capabilities", "b,c,a", "capabilities_match", "all", "limit", "1")))
                .containsExactly("abc");
        assertThat(client.listed(Map.of("capabilities", "a,b", "capabilities_match", "any")))
                .containsExactlyInAnyOrderElementsOf(client.listed(Map.of("capabilities", "a,b")))
                .hasSize(4);
        assertThat(client.listed(Map.of("capabilities", "a,unknown", "capabilities_match", "all")))
                .isEmpty();
        assertThat(client.listed(Map.of("capabilities_match", "all"))).hasSize(4);
    }

    @Test
    void a_page_token_is_refused_where_capabilities_match_otherwise() {
        for (int i = 0; i < 3; i++) {
            registerWith("a" + i, "a,b");
        }
        String token = read(Map.of("capabilities", "a,b", "limit", "1"))
                .get("next_token")
                .textValue();
        Map<String, String> other =
                Map.of("capabilities", "a,b", "capabilities_match", "all", "limit", "1", "next_token", token);
        Response refused = client.read(TestSystem.COORDINATOR_KEY, PATH, other);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("errors").findValuesAsText("field")).containsExactly("next_token");
    }

    @Test
    void the_agent_with_the_most_available_capacity_comes_first() {
        worker("overloaded", 3, 5);
        worker("full", 3, 3);
        worker("two-left", 5, 3);
        worker("also-two-left", 2, 0);
        worker("five-left", 8, 3);
        worker("nothing-declared", -1, 0);
        JsonNode page = read(Map.of("role_id", "worker", "sort", "available_capacity"));
        assertThat(ids(page))
                .containsExactly("five-left", "also-two-left", "two-left", "full", "overloaded", "nothing-declared");
        assertThat(page.path("total").asInt()).isEqualTo(6);
        assertThat(client.listed(Map.of("min_available_capacity", "-1")))
                .doesNotContain("overloaded", "nothing-declared");
        assertThat(client.listed(Map.of("min_available_capacity", "-2"))).contains("overloaded", "full");
        JsonNode first = read(
                Map.of("role_id", "worker", "sort", "available_capacity", "limit", "1", "min_available_capacity", "1"));
        assertThat(ids(first)).containsExactly("five-left");
        assertThat(first.has("next_token")).isFalse();
        assertThat(first.path("total").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "sort=available_capacity, sort",
        "sort=name&role_id=worker, sort",
        "verdict=fine, verdict",
        "kind=a2a, kind",
        "health_status=ill, health_status",
        "blocked=maybe, blocked"
    })
    void every_bad_filter_is_named(String parameters, String field) {
        Map<String, String> query = new HashMap<>();
        for (String parameter : parameters.split("&")) {
            query.put(parameter.split("=")[0], parameter.split("=")[1]);
        }
        Response response = client.read(TestSystem.COORDINATOR_KEY, PATH, query);
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("errors").findValuesAsText("field")).containsExactly(field);
    }

    @Test
    void a_bad_verdict_gets_the_allowed_ones() {
        assertThat(client.read(TestSystem.COORDINATOR_KEY, PATH, Map.of("verdict", "ok,dwn"))
                        .json()
                        .path("detail")
                        .asText())
                .isEqualTo(
                        "'verdict' must be one or more of ok, unknown, degraded, down, blocked, gone, unlike 'dwn'.");
    }

    private void registerWith(String id, String capabilities) {
        String tags = capabilities.replace(",", "\",\"");
        assertThat(client.register("{\"agent_id\":\"" + id + "\",\"capabilities\":[\"" + tags + "\"]}")
                        .status())
                .isEqualTo(201);
    }

    /** A worker that sent a heartbeat; {@code maximum} is negative for an agent that declares no capacity. */
    private TestAgent worker(String id, int maximum, int load) {
        TestAgent agent = new TestAgent(system, id);
        String capacity = maximum < 0 ? "" : ",\"capacity\":{\"max_concurrent_tasks\":" + maximum + "}";
        assertThat(agent.register(capacity).status()).isEqualTo(201);
        agent.sendHeartbeat("active", ",\"current_load\":" + load);
        return agent;
    }

    /** Computes the health of an agent, and notes it on its row as the measurement does. */
    private void compute(TestAgent agent, long successes, long failures) {
        AgentHealth health = new Healths(system).compute(agent, successes, failures);
        assertThat(new FleetScan(system.database())
                        .putHealth(
                                agent.id(),
                                1,
                                health.measurement().status(LifecycleStatus.ACTIVE),
                                false,
                                health.score().points().movePointRight(2).intValueExact()))
                .isTrue();
    }

    private void block(String whom) {
        assertThat(system.api()
                        .post("/v1/admin/" + whom + "/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private JsonNode row(String id) {
        for (JsonNode row : read(Map.of()).path("agents")) {
            if (row.path("agent_id").asText().equals(id)) {
                return row;
            }
        }
        throw new AssertionError("no row of " + id);
    }

    private JsonNode read(Map<String, String> query) {
        Response response = client.read(TestSystem.COORDINATOR_KEY, PATH, query);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    private static List<String> ids(JsonNode page) {
        return page.path("agents").findValuesAsText("agent_id");
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
