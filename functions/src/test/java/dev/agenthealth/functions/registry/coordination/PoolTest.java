package dev.agenthealth.functions.registry.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.pulses.SeededFleet;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools over HTTP (RFC-0016 §7). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-24")
class PoolTest {

    @AutoClose
    private TestSystem system;

    private WorkflowClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new WorkflowClient(system);
    }

    @ParameterizedTest
    @CsvSource({"1, 200", "1000, 200", "0, 400", "1001, 400", "x, 400"})
    void the_list_of_pools_has_the_limit_of_all_lists(String limit, int status) {
        agent("limited-a-" + limit, "l-1-" + limit, 5, 0);
        agent("limited-b-" + limit, "l-2-" + limit, 5, 0);
        Response page = system.api()
                .get("/api/v1/pools")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query("limit", limit)
                .send();
        assertThat(page.status()).as(page.text()).isEqualTo(status);
        assertThat(page.json().path("errors").findValuesAsText("field"))
                .isEqualTo(status == 400 ? List.of("limit") : List.of());
        assertThat(page.json().has("next_token")).isEqualTo(limit.equals("1"));
    }

    @Test
    void a_pool_lists_the_agents_of_a_role_with_the_sums_of_their_capacities() {
        TestAgent idle = agent("figures", "f-1", 5, 0);
        TestAgent busy = agent("figures", "f-2", 5, 4);
        TestAgent unhealthy = agent("figures", "f-3", 3, 1);
        unhealthy.becomeUnhealthy();
        TestAgent draining = agent("figures", "f-4", 7, 2);
        draining.drain(system.api());
        TestAgent gone = agent("figures", "f-5", 9, 0);
        gone.deregister();
        TestAgent archived = agent("figures", "f-6", 9, 0);
        archived.deregister();
        TestAgent dead = agent("figures", "f-8", 9, 1);
        dead.becomeDead();
        archived.finishCleanUp();
        assertThat(archived.archive()).isTrue();
        TestAgent undeclared = agent("figures", "f-7", 0, 3);
        agent("another", "other-1", 5, 0);
        idle.sendHeartbeat();

        JsonNode pool = client.pool("figures").json();
        assertThat(pool.get("role_id").textValue()).isEqualTo("figures");
        assertThat(pool.get("members").findValuesAsText("agent_id"))
                .containsExactly(
                        idle.id(), busy.id(), unhealthy.id(), draining.id(), gone.id(), undeclared.id(), dead.id());
        assertThat(pool.get("members").findValuesAsText("status"))
                .containsExactly("active", "active", "unhealthy", "draining", "deregistered", "active", "dead");
        assertThat(pool.get("capacity"))
                .isEqualTo(Json.stored("{\"max_concurrent_tasks\":20,\"current_load\":7,\"available\":13}"));
        assertThat(pool.get("by_status"))
                .isEqualTo(
                        Json.stored(
                                """
                                {"active": {"members": 3, "max_concurrent_tasks": 10, "current_load": 4, "available": 6},
                                 "draining": {"members": 1, "max_concurrent_tasks": 7, "current_load": 2, "available": 5},
                                 "unhealthy": {"members": 1, "max_concurrent_tasks": 3, "current_load": 1, "available": 2},
                                 "dead": {"members": 1, "max_concurrent_tasks": 9, "current_load": 1, "available": 8},
                                 "deregistered": {"members": 1, "max_concurrent_tasks": 9, "current_load": 0, "available": 9}}
                                """));
        assertThat(pool.get("min_instances").isNull()).isTrue();
        assertThat(pool.get("max_instances").isNull()).isTrue();
        assertThat(pool.get("below_minimum").booleanValue()).isFalse();
        JsonNode listed = system.api()
                .get("/api/v1/agents")
                .query("role_id", "figures")
                .key(TestSystem.COORDINATOR_KEY)
                .send()
                .json()
                .get("agents")
                .get(0);
        assertThat(pool.get("members").get(0)).as("the same as in a listing").isEqualTo(listed);
    }

    @Test
    void the_capacity_of_an_overloaded_pool_is_below_0() {
        agent("overloaded", "o-1", 5, 9);
        agent("overloaded", "o-2", 2, 1);
        agent("overloaded", "o-3", 0, 3);
        JsonNode pool = client.pool("overloaded").json();
        assertThat(pool.get("capacity"))
                .isEqualTo(Json.stored("{\"max_concurrent_tasks\":7,\"current_load\":10,\"available\":-3}"));
        assertThat(pool.at("/by_status/active/available").asLong()).isEqualTo(-3);
    }

    @Test
    @Tag("R16-32")
    void a_workflow_s_bounds_are_returned_and_compared_with_the_active_members() {
        client.declare("bounds", "agents: {bounded: {pool: {min_instances: 2, max_instances: 3}}}");
        JsonNode empty = client.pool("bounded").json();
        assertThat(empty.get("members")).isEmpty();
        assertThat(empty.get("below_minimum").booleanValue()).isTrue();
        agent("bounded", "b-1", 1, 0);
        TestAgent second = agent("bounded", "b-2", 1, 0);
        JsonNode whole = client.pool("bounded").json();
        assertThat(whole.get("below_minimum").booleanValue()).isFalse();
        assertThat(whole.get("min_instances").intValue()).isEqualTo(2);
        assertThat(whole.get("max_instances").intValue()).isEqualTo(3);
        second.drain(system.api());
        assertThat(client.pool("bounded").json().get("below_minimum").booleanValue())
                .isTrue();
    }

    @Test
    void members_are_paged_and_the_figures_cover_all() {
        for (int i = 0; i < 5; i++) {
            agent("paged", "p-" + i, 2, 1);
        }
        List<String> ids = new ArrayList<>();
        String token = "";
        do {
            JsonNode page =
                    client.page(WorkflowClient.POOLS + "/paged", "2", token).json();
            ids.addAll(page.get("members").findValuesAsText("agent_id"));
            assertThat(page.get("capacity").get("available").intValue()).isEqualTo(5);
            token = page.path("next_token").asText("");
        } while (!token.isEmpty());
        assertThat(ids).containsExactly("p-0", "p-1", "p-2", "p-3", "p-4");
    }

    @Test
    void a_role_without_members_is_a_pool_only_if_it_is_declared() {
        Response unknown = client.pool("unknown");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.json().get("error").textValue()).isEqualTo("pool_not_found");
        assertThat(client.pool("-").status()).isEqualTo(400);
    }

    @Test
    void the_list_contains_every_pool_once_without_its_members() {
        try (TestSystem own = new TestSystem()) {
            WorkflowClient empty = new WorkflowClient(own);
            assertThat(empty.get(WorkflowClient.POOLS).json()).isEqualTo(Json.stored("{\"pools\":[]}"));
            for (String role : List.of("c", "a", "b", "a")) {
                own.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"role_id\":\"" + role + "\",\"capacity\":{\"max_concurrent_tasks\":1}}")
                        .send();
            }
            empty.declare("w", "agents: {declared: {pool: {min_instances: 1}}}");
            own.addKey("two-roles-key", Role.COORDINATOR, Set.of("b", "declared", "none"));
            List<JsonNode> pools = new ArrayList<>();
            String token = "";
            do {
                JsonNode page = empty.page(WorkflowClient.POOLS, "3", token).json();
                page.get("pools").forEach(pools::add);
                token = page.path("next_token").asText("");
            } while (!token.isEmpty());
            assertThat(pools).extracting(p -> p.get("role_id").textValue()).containsExactly("a", "b", "c", "declared");
            assertThat(pools).noneMatch(p -> p.has("members"));
            assertThat(pools.get(0).get("capacity").get("available").intValue()).isEqualTo(2);
            assertThat(pools.get(3).get("below_minimum").booleanValue()).isTrue();
            assertThat(empty.get("two-roles-key", WorkflowClient.POOLS)
                            .json()
                            .get("pools")
                            .findValuesAsText("role_id"))
                    .containsExactly("b", "declared");
        }
    }

    @Test
    void only_authorized_keys_may_read_pools() {
        agent("guarded", "g-1", 1, 0);
        system.addKey("guarded-key", Role.COORDINATOR, Set.of("guarded"));
        system.addKey("other-coordinator-key", Role.COORDINATOR, Set.of("elsewhere"));
        String path = WorkflowClient.POOLS + "/guarded";
        assertThat(client.get("guarded-key", path).status()).isEqualTo(200);
        assertThat(client.get(TestSystem.ADMINISTRATOR_KEY, path).status()).isEqualTo(200);
        assertThat(client.get("other-coordinator-key", path).status()).isEqualTo(403);
        for (String readable : List.of(path, WorkflowClient.POOLS)) {
            assertThat(client.get(TestSystem.AGENT_KEY, readable).status()).isEqualTo(403);
            assertThat(client.get("unknown-key", readable).status()).isEqualTo(401);
        }
        assertThat(client.get("guarded-key", path).text())
                .doesNotContain("credential", "endpoint", "metadata", TestSystem.AGENT_KEY);
    }

    @Test
    void a_page_of_pools_reads_the_members_of_all_its_roles_together() {
        for (int i = 0; i < 9; i++) {
            agent("together-" + i % 3, "t-" + i, 5, i % 3);
        }
        client.get(TestSystem.ADMINISTRATOR_KEY, WorkflowClient.POOLS);
        system.meter().reset();
        JsonNode pools = client.get(TestSystem.ADMINISTRATOR_KEY, WorkflowClient.POOLS)
                .json()
                .get("pools");
        assertThat(pools.findValuesAsText("role_id")).contains("together-0", "together-1", "together-2");
        assertThat(system.meter().operations())
                .as("the figures of the sweep, all rows, and what workflows declare if they do")
                .filteredOn("BatchGetItem"::equals)
                .hasSizeBetween(2, 3);
        for (JsonNode pool : pools) {
            assertThat(pool)
                    .isEqualTo(withoutMembers(
                            client.pool(pool.get("role_id").textValue()).json()));
        }
    }

    @Test
    @Tag("slow")
    void a_pool_of_most_agents_reads_their_rows_in_sequence() {
        try (TestSystem large = new TestSystem()) {
            SeededFleet fleet = new SeededFleet(large);
            for (int i = 0; i < 400; i++) {
                fleet.add("many-" + i, "crowd", List.of(), 2);
            }
            fleet.write();
            JsonNode members = new WorkflowClient(large).pool("crowd").json().get("members");
            assertThat(large.meter().operations()).contains("Scan");
            assertThat(large.meter().readUnits()).isLessThan(400 * 0.1);
            assertThat(members.findValuesAsText("agent_id")).hasSize(400).doesNotHaveDuplicates();
            for (int i = 0; i < 4_000; i++) {
                fleet.add("other-" + i, "others", List.of(), 2);
            }
            fleet.write();
            large.meter().reset();
            assertThat(new WorkflowClient(large).pool("crowd").json().get("members"))
                    .isEqualTo(members);
            assertThat(large.meter().operations())
                    .as("few of all agents are read one by one")
                    .containsOnlyOnce("Scan");
        }
    }

    @Test
    void a_page_of_large_pools_shows_what_the_sweep_counted_without_reading_members() {
        try (TestSystem large = pools(20, 25)) {
            WorkflowClient reader = new WorkflowClient(large);
            Instant counted = large.clock().instant();
            large.sweep().passes(null);
            reader.get(WorkflowClient.POOLS);
            large.meter().reset();
            JsonNode pools = reader.get(WorkflowClient.POOLS).json().get("pools");
            assertThat(large.meter().operations())
                    .as("names, figures, declared roles")
                    .containsExactly("Query", "BatchGetItem", "Query");
            assertThat(large.meter().readUnits()).isLessThan(5);
            assertThat(pools).hasSize(20);
            for (JsonNode pool : pools) {
                assertThat(pool.get("as_of").textValue()).isEqualTo(Timestamps.text(counted));
                assertThat(pool)
                        .isEqualTo(withoutMembers(
                                reader.pool(pool.get("role_id").textValue()).json()));
            }
            String changed = pools.get(0).get("role_id").textValue();
            new TestAgent(large, changed + "-7").sendHeartbeat("active", ",\"current_load\":2");
            large.clock().advance(Pools.MAX_AGE);
            assertThat(reader.get(WorkflowClient.POOLS).json().get("pools"))
                    .as("as of the count, which it names")
                    .isEqualTo(pools);
            large.clock().advance(Duration.ofMillis(1));
            JsonNode read = reader.get(WorkflowClient.POOLS).json().get("pools").get(0);
            assertThat(read.get("capacity").get("current_load").intValue()).isEqualTo(2);
            assertThat(read.get("as_of").textValue())
                    .as("an older count is not shown")
                    .isEqualTo(Timestamps.text(large.clock().instant()));
        }
    }

    @Test
    void pools_that_the_sweep_did_not_count_are_read_beside_those_it_counted() {
        try (TestSystem large = pools(3, 50)) {
            WorkflowClient reader = new WorkflowClient(large);
            large.sweep().passes(null);
            SeededFleet later = new SeededFleet(large);
            later.add("later-1", "later", List.of(), 4);
            later.write();
            new GroupStore(large.database()).noteRoles(List.of("later"));
            reader.declare("w", "agents: {declared: {pool: {min_instances: 1}}}");
            large.clock().advance(Duration.ofSeconds(1));
            JsonNode pools = reader.get(WorkflowClient.POOLS).json().get("pools");
            assertThat(pools)
                    .extracting(pool -> pool.get("role_id").textValue())
                    .containsExactly("declared", "later", "role-0", "role-1", "role-2");
            assertThat(pools.get(0).get("below_minimum").booleanValue()).isTrue();
            assertThat(pools.get(1).get("capacity").get("available").intValue()).isEqualTo(4);
            assertThat(pools.get(1).get("as_of").textValue())
                    .isEqualTo(Timestamps.text(large.clock().instant()));
            assertThat(pools.get(2).get("as_of").textValue())
                    .isNotEqualTo(Timestamps.text(large.clock().instant()));
            List<String> paged = new ArrayList<>();
            String token = "";
            do {
                JsonNode page = reader.page(WorkflowClient.POOLS, "2", token).json();
                page.get("pools").forEach(pool -> paged.add(pool.get("role_id").textValue()));
                token = page.path("next_token").asText("");
            } while (!token.isEmpty());
            assertThat(paged).containsExactly("declared", "later", "role-0", "role-1", "role-2");
        }
    }

    /** A system with so many roles of so many active agents each. */
    private static TestSystem pools(int roles, int agents) {
        TestSystem large = new TestSystem();
        SeededFleet fleet = new SeededFleet(large);
        List<String> names =
                IntStream.range(0, roles).mapToObj(i -> "role-" + i).toList();
        for (String role : names) {
            for (int i = 0; i < agents; i++) {
                fleet.add(role + "-" + i, role, List.of(), 2);
            }
        }
        fleet.write();
        new GroupStore(large.database()).noteRoles(names);
        return large;
    }

    private static JsonNode withoutMembers(JsonNode pool) {
        ObjectNode figures = pool.deepCopy();
        figures.remove("members");
        return figures;
    }

    /** An agent of this role with this capacity, 0 for none declared, that reported this load. */
    private TestAgent agent(String role, String id, int capacity, int load) {
        String declared = capacity == 0 ? "" : ",\"capacity\":{\"max_concurrent_tasks\":" + capacity + "}";
        Response response = system.api()
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + id + "\",\"role_id\":\"" + role + "\"" + declared + "}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        TestAgent agent = new TestAgent(system, id);
        agent.sendHeartbeat("active", ",\"current_load\":" + load);
        return agent;
    }
}
