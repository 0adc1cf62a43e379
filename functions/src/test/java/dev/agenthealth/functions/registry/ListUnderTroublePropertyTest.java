package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.Tries;
import dev.agenthealth.functions.testing.Troubles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** A list shows every agent that matches throughout exactly once, while others come, go and change, whatever the database does. */
@Tag("R16-22")
class ListUnderTroublePropertyTest {

    private static final List<Map<String, String>> QUERIES = List.of(
            Map.of(),
            Map.of("status", "active"),
            Map.of("status", "active,draining,deregistered"),
            Map.of("capabilities", "steady"),
            Map.of("capabilities", "steady", "min_available_capacity", "1"),
            Map.of("role_id", "worker"),
            Map.of("role_id", "worker", "status", "active,unhealthy,dead"));

    @Tries(60)
    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void every_steady_agent_is_listed_once(
            @ForAll(supplier = Troubles.Every.class) Troubles troubles, @ForAll @IntRange(min = 1, max = 9) int limit) {
        check(troubles, limit);
    }

    private static void check(Troubles troubles, int limit) {
        Random random = new Random(troubles.seed());
        try (TestSystem system = new TestSystem()) {
            RegistryClient client = new RegistryClient(system);
            List<String> steady = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                steady.add(client.newAgent(
                                """
                        ,"role_id":"worker","capabilities":["steady"],"capacity":{"max_concurrent_tasks":4}\
                        """)
                        .id());
                client.newAgent(",\"role_id\":\"worker\"");
            }
            system.clock().advanceSeconds(2);
            for (Map<String, String> query : QUERIES) {
                system.troubles().start(random.nextLong(), troubles.rates());
                List<String> listed = listed(system, client, query, limit, random);
                assertThat(listed.stream().filter(steady::contains))
                        .as(query.toString())
                        .containsExactlyInAnyOrderElementsOf(steady);
            }
        }
    }

    private static List<String> listed(
            TestSystem system, RegistryClient client, Map<String, String> query, int limit, Random random) {
        List<String> ids = new ArrayList<>();
        Map<String, String> page = new HashMap<>(query);
        page.put("limit", Integer.toString(limit));
        while (true) {
            disturb(system, random);
            Response response = client.list(page);
            if (response.status() == 503) {
                continue;
            }
            assertThat(response.status()).as(response.text()).isEqualTo(200);
            for (JsonNode agent : response.json().get("agents")) {
                ids.add(agent.get("agent_id").textValue());
            }
            if (!response.json().hasNonNull("next_token")) {
                return ids;
            }
            page.put("next_token", response.json().get("next_token").textValue());
        }
    }

    /** Registers, changes or removes one of the agents that are not steady. */
    private static void disturb(TestSystem system, Random random) {
        TestAgent other = new TestAgent(system, "agent-" + 2 * (1 + random.nextInt(15)));
        switch (random.nextInt(5)) {
            case 0 -> other.register(",\"capabilities\":[\"steady\"],\"replace\":true");
            case 1 -> other.deregister();
            case 2 -> other.drain(system.api());
            case 3 -> other.sendHeartbeat();
            default -> {}
        }
    }
}
