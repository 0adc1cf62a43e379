package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every field of a trust record (ServiceNet, Trust record fields), alone and in lists. */
@Tag("SN-01")
class TrustRecordTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);
    private final Instant start = system.clock().instant();

    @Test
    void initially_an_agent_is_not_blocked_and_its_reputation_is_one_half() {
        client.newAgent("a", "p");
        assertThat(client.trustOfAgent("a"))
                .isEqualTo(json(
                        """
                {"agent_id":"a","reputation_score":0.5,"blocked":false,"block_reason":null,"blocked_until":null,"updated_at":"%s"}
                """,
                        Timestamps.text(start)));
        assertThat(client.trustOfProvider("p"))
                .isEqualTo(json(
                        """
                {"provider_id":"p","reputation_score":0.5,"blocked":false,"block_reason":null,"blocked_until":null,"updated_at":"%s"}
                """,
                        Timestamps.text(start)));
        assertThat(client.trustOfAgent("a").fieldNames())
                .toIterable()
                .containsExactly(
                        "agent_id", "reputation_score", "blocked", "block_reason", "blocked_until", "updated_at");
    }

    @Test
    @Tag("SN-03")
    void a_block_is_shown_with_its_reason_and_its_time() {
        client.newAgent("a", "p");
        system.clock().advanceSeconds(60);
        JsonNode blocked =
                client.block("agents/a", "policy violation under review").json();
        assertThat(blocked)
                .isEqualTo(json(
                        """
                {"agent_id":"a","reputation_score":0.5,"blocked":true,
                 "block_reason":"policy violation under review","blocked_until":null,"updated_at":"%s"}
                """,
                        Timestamps.text(start.plusSeconds(60))));
        assertThat(client.trustOfAgent("a")).isEqualTo(blocked);
        assertThat(client.trustOfProvider("p").path("blocked").booleanValue())
                .as("the provider is not blocked")
                .isFalse();
        JsonNode provider = client.block("providers/p", "manual review").json();
        assertThat(provider)
                .isEqualTo(json(
                        """
                {"provider_id":"p","reputation_score":0.5,"blocked":true,"block_reason":"manual review","blocked_until":null,"updated_at":"%s"}
                """,
                        Timestamps.text(start.plusSeconds(60))));
    }

    @Test
    void the_update_time_is_that_of_the_last_change() {
        client.newAgent("a", "p");
        client.invoke("a", "p", "+");
        assertThat(updatedAt("a")).isEqualTo(start.plusSeconds(1));
        system.clock().advanceSeconds(9);
        client.block("agents/a", "why");
        assertThat(updatedAt("a")).isEqualTo(start.plusSeconds(10));
        system.clock().advanceSeconds(9);
        client.invoke("a", "p", "-");
        assertThat(updatedAt("a")).isEqualTo(start.plusSeconds(20));
        system.clock().advanceSeconds(10);
        client.unblock("agents/a");
        assertThat(updatedAt("a")).isEqualTo(start.plusSeconds(30));
        assertThat(client.trustOfProvider("p").path("updated_at").asText())
                .isEqualTo(Timestamps.text(start.plusSeconds(20)));
    }

    @Test
    @Tag("SN-05")
    void lists_contain_the_same_records_as_single_requests() {
        client.newAgent("a", "p");
        client.newAgent("b", "q");
        client.newAgent("c", "");
        client.invoke("a", "p", "++-");
        client.invoke("c", "", "-");
        client.block("agents/b", "why");
        client.block("providers/q", "why");
        assertThat(client.read("/v1/trust/agents").fieldNames()).toIterable().containsExactly("items");
        for (String kind : List.of("trust", "health")) {
            assertThat(client.read("/v1/" + kind + "/agents").path("items"))
                    .containsExactlyInAnyOrder(
                            client.read("/v1/" + kind + "/agents/a"),
                            client.read("/v1/" + kind + "/agents/b"),
                            client.read("/v1/" + kind + "/agents/c"));
            assertThat(client.read("/v1/" + kind + "/providers").path("items"))
                    .containsExactly(
                            client.read("/v1/" + kind + "/providers/p"), client.read("/v1/" + kind + "/providers/q"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"trust/providers", "health/providers"})
    @Tag("SN-05")
    void the_last_page_has_no_next_token(String list) {
        client.newAgent("a", "p");
        client.newAgent("b", "q");
        assertThat(page(list, "2").fieldNames()).toIterable().containsExactly("items");
        JsonNode first = page(list, "1");
        assertThat(first.path("items")).hasSize(1);
        assertThat(first.path("next_token").isTextual()).isTrue();
    }

    private JsonNode page(String list, String limit) {
        return system.api()
                .get("/v1/" + list)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query("limit", limit)
                .send()
                .json();
    }

    @Test
    void lists_without_agents_are_empty() {
        for (String path :
                List.of("/v1/trust/agents", "/v1/trust/providers", "/v1/health/agents", "/v1/health/providers")) {
            assertThat(client.read(path)).as(path).isEqualTo(Json.stored("{\"items\":[]}"));
        }
    }

    @Test
    void dead_and_deregistered_agents_keep_their_records_and_are_listed() {
        TestAgent agent = client.newAgent("a", "p");
        client.invoke("a", "p", "++++++++++");
        agent.deregister();
        JsonNode record = client.trustOfAgent("a");
        assertThat(record.path("reputation_score").decimalValue()).isEqualByComparingTo("0.75");
        assertThat(client.read("/v1/trust/agents").path("items")).containsExactly(record);
        assertThat(client.read("/v1/trust/providers").path("items")).hasSize(1);
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(client.trustOfAgent("a")).isEqualTo(record);
    }

    @Test
    void active_draining_and_unhealthy_agents_are_listed() {
        client.newAgent("draining", "p").drain(system.api());
        client.newAgent("unhealthy", "p").becomeUnhealthy();
        client.newAgent("active", "p");
        assertThat(client.read("/v1/health/agents").path("items").findValuesAsText("agent_id"))
                .containsExactlyInAnyOrder("active", "draining", "unhealthy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/trust/agents/unknown",
                "/v1/health/agents/unknown",
                "/v1/trust/providers/unknown",
                "/v1/health/providers/unknown"
            })
    void an_unknown_subject_has_no_record(String path) {
        var response = client.get(TestSystem.ADMINISTRATOR_KEY, path);
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.json().path("error").asText())
                .isEqualTo(path.contains("agents") ? "agent_not_found" : "provider_not_found");
    }

    @Test
    void an_invalid_id_is_refused() {
        for (String path : List.of("/v1/trust/agents/a~b", "/v1/health/providers/p#0")) {
            assertThat(client.get(TestSystem.ADMINISTRATOR_KEY, path).status()).isEqualTo(400);
        }
    }

    @Test
    void a_provider_s_age_is_that_of_its_first_agent() {
        client.newAgent("a", "p");
        system.clock().advanceSeconds(60);
        client.newAgent("b", "p");
        assertThat(client.trustOfProvider("p").path("updated_at").asText()).isEqualTo(Timestamps.text(start));
    }

    @Test
    void providers_with_a_common_name_prefix_are_separate() {
        client.newAgent("a", "p");
        client.newAgent("b", "p.1");
        client.newAgent("c", "p:1");
        client.invoke("a", "p", "+++++");
        client.invoke("b", "p.1", "-");
        assertThat(client.healthOfProvider("p").path("success_count").asInt()).isEqualTo(5);
        assertThat(client.healthOfProvider("p.1").path("failure_count").asInt()).isEqualTo(1);
        assertThat(client.healthOfProvider("p:1").path("status").asText()).isEqualTo("unknown");
    }

    private Instant updatedAt(String agentId) {
        return Instant.parse(client.trustOfAgent(agentId).path("updated_at").asText());
    }

    private static JsonNode json(String text, Object... values) {
        return Json.stored(text.formatted(values));
    }
}
