package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Discovery over a fleet with agents of every kind (RFC-0016 §6). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListingTest {

    private static final String COORDINATOR_OF_BILLING = "coordinator-of-billing";
    private static final String COORDINATOR_OF_TWO = "coordinator-of-two";

    /** The expected state of an agent of the fleet. */
    private record Expected(String id, String status, String role, Set<String> capabilities, int maximum, int load) {

        boolean matches(Map<String, String> query) {
            List<String> statuses = words(query.getOrDefault("status", "active"));
            List<String> wanted = words(query.getOrDefault("capabilities", ""));
            String wantedRole = query.getOrDefault("role_id", "");
            String room = query.getOrDefault("min_available_capacity", "");
            Predicate<String> has = capabilities::contains;
            boolean all = query.getOrDefault("capabilities_match", "any").equals("all");
            return statuses.contains(status)
                    && (wanted.isEmpty()
                            || (all
                                    ? wanted.stream().allMatch(has)
                                    : wanted.stream().anyMatch(has)))
                    && (wantedRole.isEmpty() || role.equals(wantedRole))
                    && (room.isEmpty() || maximum > 0 && maximum - load >= Integer.parseInt(room));
        }
    }

    private final List<Expected> fleet = new ArrayList<>();

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void createFleet() {
        system = new TestSystem();
        system.addKey(COORDINATOR_OF_BILLING, Role.COORDINATOR, Set.of("billing"));
        system.addKey(COORDINATOR_OF_TWO, Role.COORDINATOR, Set.of("billing", "research"));
        client = new RegistryClient(system);
        List<String> statuses = List.of(
                "unhealthy",
                "dead",
                "archived-dead",
                "active",
                "active",
                "draining",
                "deregistered",
                "archived-deregistered");
        List<String> roles = List.of("billing", "research", "");
        List<Set<String>> capabilities =
                List.of(Set.of("a"), Set.of("a", "b"), Set.of("b", "c"), Set.of(), Set.of("a", "b", "c", "d"));
        int number = 0;
        for (String status : statuses) {
            for (int i = 0; i < 5; i++) {
                number++;
                int maximum = number % 4 == 0 ? 0 : number % 4 * 2;
                String role = roles.get(number % roles.size());
                Set<String> tags = capabilities.get(i);
                TestAgent agent = client.newAgent((role.isEmpty() ? "" : ",\"role_id\":\"" + role + "\"")
                        + (maximum == 0 ? "" : ",\"capacity\":{\"max_concurrent_tasks\":" + maximum + "}")
                        + ",\"capabilities\":[" + quoted(tags) + "]");
                int load = number % 3;
                agent.sendHeartbeat("active", ",\"current_load\":" + load);
                fleet.add(new Expected(agent.id(), status.replace("archived-", ""), role, tags, maximum, load));
            }
            // All agents of a status change together; the active ones send another heartbeat afterwards.
            List<Expected> those = fleet.subList(fleet.size() - 5, fleet.size());
            those.forEach(expected -> bringTo(status, new TestAgent(system, expected.id())));
        }
        for (Expected expected : fleet) {
            assertThat(new TestAgent(system, expected.id()).pulse().status().wireName())
                    .isEqualTo(expected.status());
        }
    }

    private static void bringTo(String status, TestAgent agent) {
        switch (status.replace("archived-", "")) {
            case "unhealthy" -> agent.becomeUnhealthy();
            case "dead" -> agent.becomeDead();
            case "deregistered" -> agent.deregister();
            case "draining" -> agent.sendHeartbeat("draining", ",\"current_load\":1");
            default -> assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        }
        if (status.startsWith("archived-")) {
            agent.finishCleanUp();
            assertThat(agent.archive()).isTrue();
        }
    }

    private static Stream<Map<String, String>> everyCombination() {
        List<Map<String, String>> queries = new ArrayList<>();
        for (String status : List.of(
                "",
                "active",
                "unhealthy",
                "draining",
                "dead",
                "deregistered",
                "active,unhealthy",
                "dead,active",
                "registering",
                "active,draining,unhealthy,dead,deregistered,registering")) {
            for (String capabilities : List.of("", "a", "c", "a,b", "d,unknown,c", "unknown")) {
                for (String role : List.of("", "billing", "unknown")) {
                    for (String room : List.of("", "2", "-3")) {
                        Map<String, String> query = new LinkedHashMap<>();
                        put(query, "status", status);
                        put(query, "capabilities", capabilities);
                        put(query, "role_id", role);
                        put(query, "min_available_capacity", room);
                        queries.add(query);
                        if (capabilities.contains(",")) {
                            Map<String, String> all = new LinkedHashMap<>(query);
                            all.put("capabilities_match", "all");
                            queries.add(all);
                        }
                    }
                }
            }
        }
        return queries.stream();
    }

    @Test
    @Tag("R16-22")
    @Tag("exhaustive")
    void every_combination_of_filters_finds_exactly_the_matching_agents() {
        everyCombination().forEach(query -> assertThat(client.listed(query))
                .as("%s", query)
                .containsExactlyInAnyOrderElementsOf(fleet.stream()
                        .filter(expected -> expected.matches(query))
                        .map(Expected::id)
                        .toList()));
    }

    private static Stream<Map<String, String>> walkedQueries() {
        return Stream.of(
                Map.of(),
                Map.of("capabilities", "a"),
                Map.of("capabilities", "a,b,c,d", "status", "active,unhealthy,draining,dead"),
                Map.of("capabilities", "a,b", "capabilities_match", "all", "status", "active,unhealthy,dead"),
                Map.of("role_id", "research", "status", "active,dead,deregistered"),
                Map.of("capabilities", "b,c", "role_id", "billing", "status", "unhealthy,dead,active"),
                Map.of("status", "dead,deregistered"),
                Map.of("status", "active,draining,unhealthy,dead,deregistered"),
                Map.of("min_available_capacity", "1", "status", "active,draining"));
    }

    @ParameterizedTest
    @MethodSource("walkedQueries")
    @Tag("R16-22")
    @Tag("exhaustive")
    void pages_of_any_size_contain_every_agent_exactly_once(Map<String, String> query) {
        List<String> all = client.listed(query);
        assertThat(all).isNotEmpty().doesNotHaveDuplicates();
        for (int limit : List.of(1, 2, 3, 5, 7, 9, 10, 11, 15, 40, 1_000)) {
            Map<String, String> paged = new HashMap<>(query);
            paged.put("limit", Integer.toString(limit));
            assertThat(client.listed(paged)).as("limit %d", limit).containsExactlyElementsOf(all);
            assertThat(client.pages(TestSystem.COORDINATOR_KEY, RegistryClient.AGENTS, paged))
                    .allMatch(page -> page.get("agents").size() <= limit);
        }
    }

    @Test
    @Tag("R16-24")
    void a_role_with_statuses_lists_a_pool() {
        assertThat(client.listed(Map.of("role_id", "billing", "status", "active,draining,unhealthy")))
                .containsExactlyInAnyOrderElementsOf(fleet.stream()
                        .filter(expected -> expected.role().equals("billing")
                                && Set.of("active", "draining", "unhealthy").contains(expected.status()))
                        .map(Expected::id)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"capabilities| ,a,, b,a ,|capabilities|a,b", "status| dead , dead|status|dead"})
    @Tag("R16-22")
    void lists_may_contain_blanks_and_duplicates(String name, String value, String plainName, String plain) {
        assertThat(client.listed(Map.of(name, value == null ? "" : value)))
                .containsExactlyElementsOf(client.listed(Map.of(plainName, plain)));
    }

    @Test
    @Tag("R16-34")
    void a_coordinator_of_some_roles_sees_only_agents_of_these_roles() {
        assertThat(client.listed(COORDINATOR_OF_BILLING, Map.of()))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(client.listed(Map.of("role_id", "billing")));
        assertThat(client.listed(COORDINATOR_OF_TWO, Map.of("capabilities", "a,b", "status", "active,dead")))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(fleet.stream()
                        .filter(expected -> expected.matches(Map.of("capabilities", "a,b", "status", "active,dead"))
                                && !expected.role().isEmpty())
                        .map(Expected::id)
                        .toList());
        Response other = client.list(COORDINATOR_OF_BILLING, Map.of("role_id", "research"));
        assertThat(other.status()).isEqualTo(200);
        assertThat(other.json()).isEqualTo(Json.stored("{\"status_filter\":[\"active\"],\"agents\":[],\"total\":0}"));
    }

    @Test
    @Tag("R16-34")
    void an_agent_s_key_lists_its_own_agents() {
        List<Map<String, String>> queries = List.of(
                Map.of(),
                Map.of("limit", "1"),
                Map.of("role_id", "billing"),
                Map.of("capabilities", "a,b", "status", "active,unhealthy"),
                Map.of("status", "dead,deregistered", "limit", "2"),
                Map.of("status", "active,draining,unhealthy,dead,deregistered"),
                Map.of("min_available_capacity", "1"));
        for (Map<String, String> query : queries) {
            assertThat(client.listed(TestSystem.AGENT_KEY, query))
                    .as("%s", query)
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(client.listed(query));
            assertThat(client.listed(TestSystem.OTHER_AGENT_KEY, query)).isEmpty();
        }
    }

    @Test
    @Tag("R16-34")
    void the_list_of_an_agent_s_key_reads_no_agents_of_others() {
        system.meter().reset();
        client.list(TestSystem.OTHER_AGENT_KEY, Map.of("status", "active,draining,unhealthy"));
        assertThat(system.meter().operations())
                .filteredOn(operation -> !operation.equals("GetItem"))
                .as("one query for the blocks, one for the key")
                .containsExactly("Query", "Query");
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(2);
    }

    @Test
    @Tag("R16-34")
    void a_transferred_agent_is_in_the_list_of_its_new_owner_alone() {
        try (TestSystem small = new TestSystem()) {
            RegistryClient own = new RegistryClient(small);
            List<String> moved = new ArrayList<>();
            for (String status : List.of("active", "deregistered", "archived-deregistered")) {
                TestAgent agent = own.newAgent("");
                bringTo(status, agent);
                moved.add(agent.id());
            }
            Map<String, String> all = Map.of("status", "active,deregistered");
            assertThat(own.listed(TestSystem.AGENT_KEY, all)).containsExactlyInAnyOrderElementsOf(moved);
            for (String agentId : moved) {
                assertThat(small.api()
                                .put("/v1/admin/agents/" + agentId + "/owner")
                                .key(TestSystem.ADMINISTRATOR_KEY)
                                .body("{\"key_id\":\"key-" + TestSystem.OTHER_AGENT_KEY + "\"}")
                                .send()
                                .status())
                        .isEqualTo(200);
            }
            assertThat(own.listed(TestSystem.AGENT_KEY, all)).isEmpty();
            assertThat(own.listed(TestSystem.OTHER_AGENT_KEY, all)).containsExactlyInAnyOrderElementsOf(moved);
        }
    }

    @Test
    @Tag("R16-34")
    void an_administrator_lists_all_agents() {
        assertThat(client.listed(TestSystem.ADMINISTRATOR_KEY, Map.of())).isEqualTo(client.listed(Map.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limit=0|limit",
                "limit=1001|limit",
                "limit=-1|limit",
                "limit=ten|limit",
                "limit=1.5|limit",
                "limit=99999999999|limit",
                "limit=NaN|limit",
                "min_available_capacity=-1000001|min_available_capacity",
                "capabilities_match=ALL|capabilities_match",
                "capabilities_match=all,any|capabilities_match",
                "capabilities_match=true|capabilities_match",
                "min_available_capacity=1000001|min_available_capacity",
                "min_available_capacity=1e3|min_available_capacity",
                "status=alive|status",
                "status=ACTIVE|status",
                "status=active,gone|status",
                "role_id=a b|role_id",
                "role_id=a/b|role_id",
                "role_id=0123456789012345678901234567890123456789012345678901234567890123456|role_id",
                "next_token=***|next_token",
                "next_token=AAAA|next_token",
                "next_token=MDphL2I|next_token",
                "next_token=OTk5OTphYg|next_token",
                "limit=0&status=x&role_id=/&min_available_capacity=x&next_token=!|limit status role_id min_available_capacity next_token"
            })
    @Tag("R16-22")
    void every_bad_parameter_is_named(String parameters, String fields) {
        Map<String, String> query = new HashMap<>();
        for (String parameter : parameters.split("&")) {
            query.put(parameter.split("=")[0], parameter.split("=")[1]);
        }
        Response response = client.list(query);
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(new HashSet<>(response.json().get("errors").findValuesAsText("field")))
                .isEqualTo(Set.of(fields.split(" ")));
    }

    @Test
    @Tag("R16-22")
    void invalid_capabilities_are_refused() {
        String tooMany =
                String.join(",", IntStream.range(0, 33).mapToObj(i -> "t" + i).toList());
        for (String capabilities : List.of(tooMany, "x".repeat(65), "x".repeat(5_000))) {
            assertThat(client.list(Map.of("capabilities", capabilities)).status())
                    .isEqualTo(400);
        }
        assertThat(client.list(Map.of("capabilities", "😀".repeat(64))).status())
                .isEqualTo(200);
    }

    @Test
    @Tag("R16-21")
    void a_listing_has_the_form_of_the_specification() {
        try (TestSystem quiet = new TestSystem()) {
            RegistryClient example = new RegistryClient(quiet);
            JsonNode expected = Resources.json("rfc-0016/listing-response.json");
            for (JsonNode item : expected.get("agents")) {
                ObjectNode request = item.deepCopy();
                request.remove(List.of("status", "last_heartbeat_at"));
                assertThat(example.register(Json.text(request)).status()).isEqualTo(201);
            }
            quiet.clock().advanceSeconds(29 * 60 + 45);
            new TestAgent(quiet, "agent_billing_01").sendHeartbeat("active", ",\"current_load\":2");
            quiet.clock().advanceSeconds(5);
            new TestAgent(quiet, "agent_billing_02").sendHeartbeat("active", ",\"current_load\":4");
            JsonNode listed =
                    example.list(Map.of("role_id", "billing-processor")).json();
            List<String> added = List.of(
                    "kind",
                    "provider_id",
                    "listed",
                    "activity",
                    "stalled",
                    "stalled_since",
                    "waiting_since",
                    "looping",
                    "looping_since",
                    "looping_repeats",
                    "looping_tool",
                    "last_seen_by",
                    "health_status",
                    "score",
                    "verdict",
                    "reasons",
                    "blocked");
            listed.get("agents").forEach(row -> {
                assertThat(row.fieldNames()).toIterable().containsAll(added);
                ((ObjectNode) row).remove(added);
            });
            assertThat(((ObjectNode) listed).remove("status_filter").toString()).isEqualTo("[\"active\"]");
            assertThat(listed).isEqualTo(expected);
            assertThat(example.list(Map.of()).header("Content-Type")).isEqualTo("application/json");
            assertThat(example.list(Map.of()).header("Cache-Control")).isEqualTo("no-store");
        }
    }

    private static List<String> words(String list) {
        return Arrays.stream(list.split(",")).filter(word -> !word.isEmpty()).toList();
    }

    private static void put(Map<String, String> query, String name, String value) {
        if (!value.isEmpty()) {
            query.put(name, value);
        }
    }

    private static String quoted(Set<String> texts) {
        return texts.isEmpty() ? "" : "\"" + String.join("\",\"", texts) + "\"";
    }
}
