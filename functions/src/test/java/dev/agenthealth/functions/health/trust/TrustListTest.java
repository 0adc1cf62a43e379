package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paged lists: each record once, with any page size. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SN-01")
@Tag("SN-05")
class TrustListTest {

    private static final int AGENTS = 230;

    /** Every second agent has its own provider. */
    private static final int PROVIDERS = AGENTS / 2;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);

    @BeforeAll
    void fill() {
        for (int i = 0; i < AGENTS; i++) {
            client.newAgent("agent-" + i, "provider-" + i / 2);
        }
        client.invoke("agent-7", "provider-3", "++-");
        client.block("agents/agent-8", "why");
        client.block("providers/provider-4", "why");
    }

    @ParameterizedTest
    @CsvSource({"trust, 1000", "trust, 100", "trust, 7", "health, 1000", "health, 64"})
    void every_agent_is_in_a_list_once(String kind, int limit) {
        List<JsonNode> items = client.readAll(TestSystem.ADMINISTRATOR_KEY, "/v1/" + kind + "/agents", limit);
        assertThat(items)
                .extracting(item -> item.path("agent_id").asText())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, AGENTS).mapToObj(i -> "agent-" + i).toList());
        assertThat(items)
                .contains(
                        client.read("/v1/" + kind + "/agents/agent-7"),
                        client.read("/v1/" + kind + "/agents/agent-8"),
                        client.read("/v1/" + kind + "/agents/agent-9"));
    }

    @ParameterizedTest
    @CsvSource({"trust, 1000", "trust, 7", "health, 1000", "health, 64"})
    @Tag("exhaustive")
    void every_provider_is_in_a_list_once_in_the_order_of_the_ids(String kind, int limit) {
        List<JsonNode> items = client.readAll(TestSystem.ADMINISTRATOR_KEY, "/v1/" + kind + "/providers", limit);
        assertThat(items)
                .extracting(item -> item.path("provider_id").asText())
                .containsExactlyElementsOf(IntStream.range(0, PROVIDERS)
                        .mapToObj(i -> "provider-" + i)
                        .sorted()
                        .toList());
        assertThat(items)
                .contains(
                        client.read("/v1/" + kind + "/providers/provider-3"),
                        client.read("/v1/" + kind + "/providers/provider-4"),
                        client.read("/v1/" + kind + "/providers/provider-5"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"trust/agents", "health/agents", "trust/providers", "health/providers"})
    void a_page_has_100_records_by_default(String list) {
        JsonNode page = client.read("/v1/" + list);
        assertThat(page.path("items")).hasSize(100);
        assertThat(page.path("next_token").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"trust/agents", "health/agents", "trust/providers", "health/providers"})
    void an_invalid_parameter_is_reported(String list) {
        for (String token : List.of("nonsense", "MDphZ2VudC0x")) {
            Response response = system.api()
                    .get("/v1/" + list)
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .query("limit", "0")
                    .query("next_token", token)
                    .send();
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.json().path("errors").findValuesAsText("field"))
                    .containsExactlyInAnyOrder("limit", "next_token");
        }
        for (String limit : List.of("1001", "-1", "x")) {
            assertThat(system.api()
                            .get("/v1/" + list)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .query("limit", limit)
                            .send()
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void an_id_that_is_blocked_before_any_agent_has_it_is_in_no_list_of_health() {
        client.block("agents/never-registered", "why");
        assertThat(blocked("/v1/trust/agents")).contains("agent-8", "never-registered");
        assertThat(blocked("/v1/health/agents")).contains("agent-8").doesNotContain("never-registered");
    }

    private List<String> blocked(String list) {
        return system.api()
                .get(list)
                .query("blocked", "true")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .findValuesAsText("agent_id");
    }
}
