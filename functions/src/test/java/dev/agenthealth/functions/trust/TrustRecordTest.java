package dev.agenthealth.functions.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Every field of a trust record (ServiceNet, Trust record fields), alone and in lists. */
@Tag("SN-01")
class TrustRecordTest {

    private final TestSystem system = new TestSystem();
    private final TrustClient door = new TrustClient(system);
    private final Instant start = system.clock().instant();

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void before_anything_happened_nobody_is_blocked_and_the_reputation_is_one_half() {
        door.newAgent("a", "p");
        assertThat(door.trustOfAgent("a"))
                .isEqualTo(json(
                        """
                {"agent_id":"a","reputation_score":0.5,"blocked":false,"block_reason":null,"updated_at":"%s"}
                """,
                        start));
        assertThat(door.trustOfProvider("p"))
                .isEqualTo(json(
                        """
                {"provider_id":"p","reputation_score":0.5,"blocked":false,"block_reason":null,"updated_at":"%s"}
                """,
                        start));
        assertThat(door.trustOfAgent("a").fieldNames())
                .toIterable()
                .containsExactly("agent_id", "reputation_score", "blocked", "block_reason", "updated_at");
    }

    @Test
    @Tag("SN-03")
    void a_block_is_shown_with_its_reason_and_its_time() {
        door.newAgent("a", "p");
        system.clock().advanceSeconds(60);
        JsonNode blocked =
                door.block("agents/a", "policy violation under review").json();
        assertThat(blocked)
                .isEqualTo(json(
                        """
                {"agent_id":"a","reputation_score":0.5,"blocked":true,
                 "block_reason":"policy violation under review","updated_at":"%s"}
                """,
                        start.plusSeconds(60)));
        assertThat(door.trustOfAgent("a")).isEqualTo(blocked);
        assertThat(door.trustOfProvider("p").path("blocked").booleanValue())
                .as("nobody blocked the provider")
                .isFalse();
        JsonNode provider = door.block("providers/p", "manual review").json();
        assertThat(provider)
                .isEqualTo(json(
                        """
                {"provider_id":"p","reputation_score":0.5,"blocked":true,"block_reason":"manual review","updated_at":"%s"}
                """,
                        start.plusSeconds(60)));
    }

    @Test
    void the_time_of_the_last_update_is_that_of_the_last_thing_that_happened() {
        door.newAgent("a", "p");
        door.invoke("a", "p", "+");
        assertThat(updatedAt("a")).isEqualTo(start.plusSeconds(1));
        system.clock().advanceSeconds(9);
        door.block("agents/a", "why");
        assertThat(updatedAt("a")).isEqualTo(start.plusSeconds(10));
        system.clock().advanceSeconds(9);
        door.invoke("a", "p", "-");
        assertThat(updatedAt("a")).isEqualTo(start.plusSeconds(20));
        system.clock().advanceSeconds(10);
        door.unblock("agents/a");
        assertThat(updatedAt("a")).isEqualTo(start.plusSeconds(30));
        assertThat(door.trustOfProvider("p").path("updated_at").asText())
                .isEqualTo(start.plusSeconds(20).toString());
    }

    @Test
    @Tag("SN-05")
    void lists_show_what_single_records_show() {
        door.newAgent("a", "p");
        door.newAgent("b", "q");
        door.newAgent("c", "");
        door.invoke("a", "p", "++-");
        door.invoke("c", "", "-");
        door.block("agents/b", "why");
        door.block("providers/q", "why");
        assertThat(door.read("/v1/trust/agents").fieldNames()).toIterable().containsExactly("items");
        for (String kind : List.of("trust", "health")) {
            assertThat(door.read("/v1/" + kind + "/agents").path("items"))
                    .containsExactlyInAnyOrder(
                            door.read("/v1/" + kind + "/agents/a"),
                            door.read("/v1/" + kind + "/agents/b"),
                            door.read("/v1/" + kind + "/agents/c"));
            assertThat(door.read("/v1/" + kind + "/providers").path("items"))
                    .containsExactly(
                            door.read("/v1/" + kind + "/providers/p"), door.read("/v1/" + kind + "/providers/q"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"trust/providers", "health/providers"})
    @Tag("SN-05")
    void a_page_that_holds_the_last_ones_has_no_next(String list) {
        door.newAgent("a", "p");
        door.newAgent("b", "q");
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
    void lists_are_empty_where_there_is_nobody() {
        for (String path :
                List.of("/v1/trust/agents", "/v1/trust/providers", "/v1/health/agents", "/v1/health/providers")) {
            assertThat(door.read(path)).as(path).isEqualTo(Json.stored("{\"items\":[]}"));
        }
    }

    @Test
    void the_gone_keep_their_records_but_are_in_no_list() {
        TestAgent agent = door.newAgent("a", "p");
        door.invoke("a", "p", "++++++++++");
        agent.deregister();
        JsonNode record = door.trustOfAgent("a");
        assertThat(record.path("reputation_score").decimalValue()).isEqualByComparingTo("0.75");
        assertThat(door.read("/v1/trust/agents").path("items")).isEmpty();
        assertThat(door.read("/v1/trust/providers").path("items")).hasSize(1);
        agent.finishCleanUp();
        assertThat(agent.bury()).isTrue();
        assertThat(door.trustOfAgent("a")).isEqualTo(record);
    }

    @Test
    void agents_whether_active_draining_or_unhealthy_are_in_the_lists() {
        door.newAgent("draining", "p").drain(system.api());
        door.newAgent("unhealthy", "p").becomeUnhealthy();
        door.newAgent("active", "p");
        assertThat(door.read("/v1/health/agents").path("items").findValuesAsText("agent_id"))
                .containsExactlyInAnyOrder("active", "draining", "unhealthy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/trust/agents/nobody",
                "/v1/health/agents/nobody",
                "/v1/trust/providers/nobody",
                "/v1/health/providers/nobody"
            })
    void nobody_has_no_record(String path) {
        var response = door.get(TestSystem.ADMINISTRATOR_KEY, path);
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.json().path("error").asText())
                .isEqualTo(path.contains("agents") ? "agent_not_found" : "provider_not_found");
    }

    @Test
    void an_id_that_is_none_is_refused() {
        for (String path : List.of("/v1/trust/agents/a~b", "/v1/health/providers/p#0")) {
            assertThat(door.get(TestSystem.ADMINISTRATOR_KEY, path).status()).isEqualTo(400);
        }
    }

    @Test
    void a_provider_is_as_old_as_its_first_agent() {
        door.newAgent("a", "p");
        system.clock().advanceSeconds(60);
        door.newAgent("b", "p");
        assertThat(door.trustOfProvider("p").path("updated_at").asText()).isEqualTo(start.toString());
    }

    @Test
    void a_provider_that_was_named_before_that_was_noted_has_no_age_until_something_happens() {
        system.tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY)
                .item(Map.of("pk", AttributeValue.fromS("PROVIDERS"), "sk", AttributeValue.fromS("old"))));
        door.newAgent("a", "old");
        for (String kind : List.of("trust", "health")) {
            assertThat(door.read("/v1/" + kind + "/providers/old")
                            .path("updated_at")
                            .isNull())
                    .isTrue();
        }
        door.invoke("a", "old", "+");
        for (String kind : List.of("trust", "health")) {
            assertThat(door.read("/v1/" + kind + "/providers/old")
                            .path("updated_at")
                            .asText())
                    .isEqualTo(start.plusSeconds(1).toString());
        }
    }

    @Test
    void providers_whose_names_begin_alike_are_kept_apart() {
        door.newAgent("a", "p");
        door.newAgent("b", "p.1");
        door.newAgent("c", "p:1");
        door.invoke("a", "p", "+++++");
        door.invoke("b", "p.1", "-");
        assertThat(door.healthOfProvider("p").path("success_count").asInt()).isEqualTo(5);
        assertThat(door.healthOfProvider("p.1").path("failure_count").asInt()).isEqualTo(1);
        assertThat(door.healthOfProvider("p:1").path("status").asText()).isEqualTo("unknown");
    }

    private Instant updatedAt(String agentId) {
        return Instant.parse(door.trustOfAgent(agentId).path("updated_at").asText());
    }

    private static JsonNode json(String text, Object... values) {
        return Json.stored(text.formatted(values));
    }
}
