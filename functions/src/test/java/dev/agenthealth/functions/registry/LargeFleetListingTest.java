package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.pulses.SeededFleet;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Cost of discovery among ten thousand agents: all have the capability {@code common}, one in a hundred has {@code rare}, and
 * there are ten roles of a hundred agents each.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-22")
@Tag("exhaustive")
class LargeFleetListingTest {

    private static final int AGENTS = 10_000;
    private static final int ROLES = 100;

    /** A candidate costs half a unit for its row; its tags are small. */
    private static final double UNITS_PER_CANDIDATE = 0.55;

    /** A row in sequence costs half a unit for 4 KB. */
    private static final double UNITS_PER_ROW = 0.05;

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void createFleet() {
        system = new TestSystem();
        client = new RegistryClient(system);
        SeededFleet fleet = new SeededFleet(system);
        for (int i = 0; i < AGENTS; i++) {
            fleet.add(
                    "seeded-" + i,
                    i % 10 == 2 ? "role-" + i % ROLES : "",
                    i % 100 == 32 ? List.of("common", "rare") : List.of("common"),
                    i % 1_000 == 0 ? 50 : 2);
        }
        fleet.write();
    }

    @Test
    void a_page_of_a_common_capability_costs_a_few_requests() {
        assertThat(page(Map.of("capabilities", "common", "limit", "100"))).hasSize(100);
        assertThat(system.meter().operations())
                .as("blocks in force, tags, rows")
                .containsExactly("Query", "Query", "Scan");
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(100 * UNITS_PER_ROW + 3);
    }

    @Test
    void a_page_of_all_agents_costs_a_few_requests() {
        assertThat(page(Map.of("limit", "100"))).hasSize(100);
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(100 * UNITS_PER_ROW + 1);
        assertThat(system.meter().operations()).as("blocks in force, rows").containsExactly("Query", "Scan");
    }

    @Test
    void the_cost_of_a_large_page_is_proportional_to_its_size() {
        assertThat(page(Map.of("capabilities", "common", "limit", "1000"))).hasSize(1_000);
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(1_000 * UNITS_PER_ROW + 3);
    }

    @Test
    void one_agent_costs_ten_candidates() {
        assertThat(page(Map.of("capabilities", "common", "limit", "1"))).hasSize(1);
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(10 * UNITS_PER_CANDIDATE + 1);
    }

    @Test
    void a_page_with_few_matches_ends_after_a_limit_and_the_next_page_continues() {
        for (Map<String, String> query : List.of(
                Map.of("capabilities", "common", "min_available_capacity", "40"),
                Map.of("min_available_capacity", "40"))) {
            assertThat(page(query)).hasSizeBetween(0, 5);
            assertThat(system.meter().readUnits())
                    .as("%s", query)
                    .isLessThanOrEqualTo((DiscoveryStore.MAX_CANDIDATES + 100) * UNITS_PER_ROW);
            assertThat(client.listed(query)).containsExactlyInAnyOrderElementsOf(seeded(i -> i % 1_000 == 0));
        }
    }

    @Test
    void agents_skipped_for_their_role_count_towards_the_limit() {
        Map<String, String> query = Map.of("capabilities", "common", "role_id", "role-42");
        assertThat(page(query)).hasSizeBetween(1, 30);
        assertThat(queries()).isLessThanOrEqualTo(12);
        Map<String, String> one = Map.of("capabilities", "common", "role_id", "unknown", "limit", "1");
        assertThat(page(one)).isEmpty();
        assertThat(queries()).as("small pages do not query in small steps").isLessThanOrEqualTo(14);
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(25);
        assertThat(client.listed(query)).containsExactlyInAnyOrderElementsOf(seeded(i -> i % ROLES == 42));
    }

    @Test
    void many_capabilities_do_not_multiply_the_cost() {
        List<String> tags = new ArrayList<>(List.of("common"));
        IntStream.range(0, 31).forEach(i -> tags.add("unknown-" + i));
        assertThat(page(Map.of("capabilities", String.join(",", tags), "limit", "1000")))
                .isNotEmpty();
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(1_000 * UNITS_PER_ROW + 20);
        assertThat(client.listed(Map.of("capabilities", "common,rare", "role_id", "role-32", "limit", "7")))
                .containsExactlyInAnyOrderElementsOf(seeded(i -> i % ROLES == 32));
    }

    @Test
    void a_rare_capability_is_found_at_once() {
        assertThat(page(Map.of("capabilities", "rare")))
                .containsExactlyInAnyOrderElementsOf(seeded(i -> i % 100 == 32));
        assertThat(system.meter().readUnits())
                .as("and a sample of all rows")
                .isLessThanOrEqualTo(100 * UNITS_PER_CANDIDATE + 100 * UNITS_PER_ROW);
    }

    @Test
    void paging_through_all_agents_returns_each_once() {
        assertThat(client.listed(Map.of("limit", "1000"))).hasSize(AGENTS).doesNotHaveDuplicates();
        assertThat(client.listed(Map.of("capabilities", "common", "limit", "1000")))
                .hasSize(AGENTS)
                .doesNotHaveDuplicates();
    }

    private List<String> page(Map<String, String> query) {
        system.meter().reset();
        Response response = client.list(TestSystem.ADMINISTRATOR_KEY, new HashMap<>(query));
        assertThat(response.status()).isEqualTo(200);
        return response.json().get("agents").findValuesAsText("agent_id");
    }

    private long queries() {
        return system.meter().operations().stream().filter("Query"::equals).count();
    }

    private static List<String> seeded(IntPredicate which) {
        return IntStream.range(0, AGENTS)
                .filter(which)
                .mapToObj(i -> "seeded-" + i)
                .toList();
    }
}
