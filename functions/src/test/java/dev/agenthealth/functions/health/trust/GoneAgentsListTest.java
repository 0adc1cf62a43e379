package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of records show agents that are gone, as far as there is evidence about them. */
@Tag("SN-01")
@Tag("SN-05")
class GoneAgentsListTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);

    @BeforeEach
    void fill() {
        client.newAgent("active", "p");
        client.newAgent("gone", "p");
        TestAgent archived = client.newAgent("archived", "p");
        client.newAgent("never-called", "p");
        client.invoke("active", "p", "++-");
        client.invoke("gone", "p", "---");
        client.invoke("archived", "p", "+--");
        for (String id : List.of("gone", "archived", "never-called")) {
            assertThat(system.api()
                            .delete("/api/v1/agents/" + id)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .send()
                            .status())
                    .isEqualTo(204);
        }
        archived.finishCleanUp();
        assertThat(archived.archive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"trust", "health"})
    void all_agents_with_evidence_are_listed(String kind) {
        assertThat(ids("/v1/" + kind + "/agents")).containsExactlyInAnyOrder("active", "gone", "archived");
    }

    @Test
    void a_blocked_agent_is_listed_without_evidence() {
        client.block("agents/never-called", "why");
        assertThat(ids("/v1/trust/agents")).containsExactlyInAnyOrder("active", "gone", "archived", "never-called");
        assertThat(ids("/v1/health/agents")).doesNotContain("never-called");
    }

    @ParameterizedTest
    @ValueSource(strings = {"trust", "health"})
    void status_filters(String kind) {
        String list = "/v1/" + kind + "/agents";
        assertThat(ids(list, "status", "active")).containsExactly("active");
        assertThat(ids(list, "status", "deregistered")).containsExactlyInAnyOrder("gone", "archived");
        assertThat(ids(list, "status", "active,deregistered")).hasSize(3);
        assertThat(ids(list, "status", "dead")).isEmpty();
        assertThat(send(list, "status", "asleep").status()).isEqualTo(400);
    }

    @Test
    void sums_of_a_provider_equal_those_of_its_agents() {
        JsonNode provider = client.healthOfProvider("p");
        for (String count : List.of("success_count", "failure_count")) {
            long sum = StreamSupport.stream(
                            client.read("/v1/health/agents").path("items").spliterator(), false)
                    .mapToLong(item -> item.path(count).asLong())
                    .sum();
            assertThat(provider.path(count).asLong()).as(count).isEqualTo(sum).isPositive();
        }
    }

    @Test
    void blocked_agents_are_filtered_by_status_as_well() {
        client.block("agents/gone", "why");
        client.block("agents/active", "why");
        client.block("agents/unknown", "why");
        assertThat(ids("/v1/trust/agents", "blocked", "true")).containsExactlyInAnyOrder("active", "gone", "unknown");
        assertThat(ids("/v1/trust/agents", "blocked", "true", "status", "deregistered"))
                .containsExactly("gone");
    }

    private List<String> ids(String list, String... query) {
        Response page = send(list, query);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return StreamSupport.stream(page.json().path("items").spliterator(), false)
                .map(item -> item.path("agent_id").asText())
                .toList();
    }

    private Response send(String list, String... query) {
        TestApi.Request request = system.api().get(list).key(TestSystem.ADMINISTRATOR_KEY);
        for (int i = 0; i < query.length; i += 2) {
            request.query(query[i], query[i + 1]);
        }
        return request.send();
    }
}
