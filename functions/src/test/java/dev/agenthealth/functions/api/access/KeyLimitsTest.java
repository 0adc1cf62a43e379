package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that end, that work from some addresses only, and that do some things only. */
class KeyLimitsTest {

    private static final String KEYS = "/v1/admin/keys";
    private static final String INSIDE = "203.0.113.9";
    private static final String OUTSIDE = "198.51.100.9";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private String keyId = "";
    private String key = "";

    @Test
    void limits_are_shown_changed_and_cleared() {
        Instant end = system.clock().instant().plusSeconds(3_600);
        JsonNode issued =
                issue("\"expires_at\":\"" + end + "\",\"allowed_addresses\":[\"203.0.113.0/24\",\"2001:db8::/32\"],"
                        + "\"actions\":[\"read\",\"heartbeat\"]");
        assertThat(issued.path("expires_at").asText()).isEqualTo("2026-02-08T11:00:00.000Z");
        assertThat(issued.path("allowed_addresses").toString()).isEqualTo("[\"203.0.113.0/24\",\"2001:db8::/32\"]");
        assertThat(issued.path("actions").toString()).isEqualTo("[\"heartbeat\",\"read\"]");
        assertThat(issued.path("all_roles").asBoolean()).isFalse();
        JsonNode named = change("{\"name\":\"billing\"}").json();
        assertThat(named.path("expires_at")).isEqualTo(issued.path("expires_at"));
        assertThat(named.path("actions")).isEqualTo(issued.path("actions"));
        JsonNode cleared = change("{\"expires_at\":null,\"allowed_addresses\":[],\"actions\":null}")
                .json();
        assertThat(cleared.path("expires_at").isNull()).isTrue();
        assertThat(cleared.path("allowed_addresses").size()).isZero();
        assertThat(cleared.path("actions").size()).isZero();
        assertThat(system.database().registry().all(Query.partition(ItemKind.EXPIRING_KEY.partition())))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"expires_at\":\"2026-02-08T10:00:00Z\"",
                "\"expires_at\":\"2200-01-01T00:00:00Z\"",
                "\"expires_at\":\"tomorrow\"",
                "\"allowed_addresses\":[\"localhost/8\"]",
                "\"allowed_addresses\":[\"203.0.113.7/24\"]",
                "\"allowed_addresses\":\"203.0.113.0/24\"",
                "\"actions\":[\"change\"]",
                "\"actions\":[\"\"]"
            })
    void a_limit_that_is_none_is_refused_by_its_name(String field) {
        Response refused = admin(system.api().post(KEYS))
                .body("{\"role\":\"agent\"," + field + "}")
                .undescribed()
                .send();
        assertThat(refused.status()).isEqualTo(400);
        String named = refused.json().path("errors").path(0).path("field").asText();
        assertThat(field).startsWith("\"" + named.replaceFirst("\\[0]$", "") + "\"");
    }

    @Test
    void a_coordinator_of_all_roles_is_shown_as_one() {
        String body = "{\"role\":\"coordinator\",\"role_ids\":[\"worker\"]}";
        keyId = admin(system.api().post(KEYS))
                .body(body)
                .send()
                .json()
                .path("key_id")
                .asText();
        assertThat(change("{}").json().path("all_roles").asBoolean()).isFalse();
        assertThat(change("{\"role_ids\":null}").json().path("all_roles").asBoolean())
                .isTrue();
    }

    @Test
    void a_key_is_refused_from_its_end_on_and_works_again_with_a_later_one() {
        Instant end = system.clock().instant().plusSeconds(70);
        issue("\"expires_at\":\"" + end + "\"");
        TestAgent agent = registered();
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        system.clock().advanceSeconds(69);
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        assertThat(me(INSIDE).status()).isEqualTo(200);
        system.clock().advanceSeconds(1);
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(401);
        assertThat(me(INSIDE).status()).isEqualTo(401);
        assertThat(me(INSIDE).json().path("error").asText()).isEqualTo("unauthenticated");
        system.sweep().passes(null);
        assertThat(agent.pulse().owner().credential().isNone())
                .as("ping addresses end as well")
                .isTrue();
        assertThat(change("{\"expires_at\":\"" + end.plusSeconds(3_600) + "\"}").status())
                .isEqualTo(200);
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        assertThat(agent.pulse().owner().credential().isNone()).isFalse();
        system.sweep().passes(null);
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
    }

    @Test
    void a_request_from_another_address_is_refused() {
        issue("\"allowed_addresses\":[\"203.0.113.0/24\"]");
        TestAgent agent = registered();
        for (int i = 0; i < 2; i++) {
            assertThat(heartbeat(agent, OUTSIDE).status()).isEqualTo(403);
            assertThat(heartbeat(agent, "").json().path("error").asText()).isEqualTo("address_not_allowed");
            assertThat(me(OUTSIDE).status()).isEqualTo(403);
            Response batch = batch(OUTSIDE);
            assertThat(batch.status()).isEqualTo(403);
            assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
            assertThat(me(INSIDE).status()).isEqualTo(200);
        }
    }

    @Test
    void no_caller_can_name_another_address_itself() {
        issue("\"allowed_addresses\":[\"203.0.113.0/24\"]");
        assertThat(request(system.api().get("/api/v1/me"), OUTSIDE)
                        .header("x-forwarded-for", INSIDE)
                        .header("forwarded", "for=" + INSIDE)
                        .header("x-real-ip", INSIDE)
                        .send()
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_first_limit_holds_for_heartbeats_from_the_next_pass_on_and_the_last_one_leaves_at_once() {
        issue("\"name\":\"billing\"");
        TestAgent agent = registered();
        assertThat(heartbeat(agent, OUTSIDE).status()).isEqualTo(200);
        change("{\"allowed_addresses\":[\"203.0.113.0/24\"]}");
        system.sweep().passes(null);
        system.clock().advanceSeconds(31);
        assertThat(heartbeat(agent, OUTSIDE).status()).isEqualTo(403);
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        change("{\"allowed_addresses\":null}");
        system.clock().advanceSeconds(31);
        assertThat(heartbeat(agent, OUTSIDE).status()).isEqualTo(200);
        system.sweep().passes(null);
        assertThat(heartbeat(agent, OUTSIDE).status()).isEqualTo(200);
    }

    @Test
    void a_heartbeat_with_a_limited_key_is_one_write_unit_and_at_most_one_read() {
        issue("\"allowed_addresses\":[\"203.0.113.0/24\"]");
        TestAgent agent = registered();
        heartbeat(agent, INSIDE);
        system.meter().reset();
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        assertThat(system.meter().operations()).containsExactly("UpdateItem");
        system.clock().advanceSeconds(31);
        system.meter().reset();
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        assertThat(system.meter().operations()).containsExactly("GetItem", "UpdateItem");
    }

    @Test
    void a_rotated_key_keeps_its_limits() {
        issue("\"allowed_addresses\":[\"203.0.113.0/24\"]");
        TestAgent agent = registered();
        String old = key;
        key = admin(system.api().post(KEYS + "/" + keyId + "/rotate"))
                .body("{\"overlap_seconds\":600}")
                .send()
                .json()
                .path("api_key")
                .asText();
        assertThat(heartbeat(agent, OUTSIDE).status()).isEqualTo(403);
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        key = old;
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        system.clock().advanceSeconds(600);
        system.sweep().passes(null);
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(401);
    }

    @Test
    void a_key_of_heartbeats_does_everything_in_the_life_of_its_agent_and_nothing_else() {
        issue("\"actions\":[\"heartbeat\"]");
        TestAgent agent = registered();
        assertThat(heartbeat(agent, INSIDE).status()).isEqualTo(200);
        Response read = me(INSIDE);
        assertThat(read.status()).isEqualTo(403);
        assertThat(read.json().path("error").asText()).isEqualTo("action_not_allowed");
        assertThat(read.json().path("detail").asText()).contains("'read'");
        assertThat(request(system.api().post("/v1/agents/limited/invoke"), INSIDE)
                        .body("{\"message\":\"hello\"}")
                        .send()
                        .json()
                        .path("detail")
                        .asText())
                .contains("\'invoke\'");
        assertThat(request(system.api().post("/api/v1/agents/limited/commands"), INSIDE)
                        .body("{\"command\":\"drain\"}")
                        .send()
                        .json()
                        .path("detail")
                        .asText())
                .contains("\'change\'");
        assertThat(request(system.api().delete("/api/v1/agents/limited"), INSIDE)
                        .send()
                        .status())
                .isEqualTo(204);
    }

    @Test
    void a_key_without_heartbeats_sends_none() {
        issue("\"actions\":[\"heartbeat\"]");
        TestAgent agent = registered();
        change("{\"actions\":[\"read\"]}");
        system.clock().advanceSeconds(31);
        assertThat(heartbeat(agent, INSIDE).json().path("detail").asText()).contains("\'heartbeat\'");
        assertThat(batch(INSIDE).status()).isEqualTo(403);
        assertThat(me(INSIDE).status()).isEqualTo(200);
    }

    @Test
    void the_end_of_a_key_is_announced_once_a_week_before() {
        Instant end = system.clock().instant().plus(Duration.ofDays(8));
        issue("\"name\":\"billing\",\"expires_at\":\"" + end + "\"");
        hourlyPass(Duration.ofHours(23));
        assertThat(announced()).isEmpty();
        hourlyPass(Duration.ofHours(1));
        assertThat(announced()).hasSize(1);
        assertThat(announced().get(0).path("key_id").asText()).isEqualTo(keyId);
        assertThat(announced().get(0).path("severity").asText()).isEqualTo("warning");
        hourlyPass(Duration.ofHours(1));
        change("{\"name\":\"invoices\"}");
        hourlyPass(Duration.ofHours(1));
        assertThat(announced()).hasSize(1);
        change("{\"expires_at\":\"" + end.plus(Duration.ofDays(1)) + "\"}");
        hourlyPass(Duration.ofDays(1));
        assertThat(announced()).hasSize(2);
    }

    @Test
    void no_end_is_announced_that_was_taken_away_or_set_within_its_week() {
        issue("\"expires_at\":\""
                + system.clock().instant().plus(KeyLimits.WARNED_AHEAD).plusSeconds(60) + "\"");
        change("{\"expires_at\":\"" + system.clock().instant().plus(KeyLimits.WARNED_AHEAD) + "\"}");
        hourlyPass(Duration.ofHours(1));
        issue("\"expires_at\":\"" + system.clock().instant().plus(Duration.ofDays(8)) + "\"");
        system.api()
                .delete(KEYS + "/" + keyId)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        hourlyPass(Duration.ofDays(1));
        assertThat(announced()).isEmpty();
    }

    private void hourlyPass(Duration later) {
        system.sweep().passes(null);
        system.clock().advance(later);
        system.sweep().passes(null);
    }

    private List<JsonNode> announced() {
        return system.database()
                .registry()
                .all(Query.partition(ItemKind.REGISTRY_EVENT.partition()).startingWith("E#"))
                .map(item -> Json.stored(item.get("detail").s()))
                .filter(event -> event.path("type").asText().equals("key.expiring"))
                .toList();
    }

    private JsonNode issue(String fields) {
        JsonNode issued = admin(system.api().post(KEYS))
                .body("{\"role\":\"agent\"," + fields + "}")
                .send()
                .json();
        keyId = issued.path("key_id").asText();
        key = issued.path("api_key").asText();
        return issued;
    }

    private Response change(String body) {
        return admin(system.api().patch(KEYS + "/" + keyId)).body(body).send();
    }

    private TestAgent registered() {
        assertThat(request(system.api().post("/api/v1/agents"), INSIDE)
                        .body("{\"agent_id\":\"limited\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        return new TestAgent(system, "limited");
    }

    private Response heartbeat(TestAgent agent, String address) {
        return request(system.api().post("/api/v1/agents/limited/heartbeat"), address)
                .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()))
                .send();
    }

    private Response batch(String address) {
        return request(system.api().post("/api/v1/heartbeats"), address)
                .body("{\"heartbeats\":[{\"agent_id\":\"limited\"}]}")
                .send();
    }

    private Response me(String address) {
        return request(system.api().get("/api/v1/me"), address).send();
    }

    private TestApi.Request request(TestApi.Request request, String address) {
        return request.key(key).from(address);
    }

    private static TestApi.Request admin(TestApi.Request request) {
        return request.key(TestSystem.ADMINISTRATOR_KEY);
    }
}
