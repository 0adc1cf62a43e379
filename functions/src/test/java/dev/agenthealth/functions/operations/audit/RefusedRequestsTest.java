package dev.agenthealth.functions.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Requests that are refused because of who sent them: counted, and some of them in the audit log. */
class RefusedRequestsTest {

    private static final String KEYS = "/v1/admin/keys";
    private static final String SECRET = "a-secret-that-is-not-valid";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private void refused(Request request, int status) {
        assertThat(request.send().status()).isEqualTo(status);
    }

    private List<JsonNode> entries() {
        List<JsonNode> entries = new ArrayList<>();
        system.api()
                .get("/v1/admin/audit")
                .query("outcome", "refused")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("entries")
                .forEach(entries::add);
        return entries;
    }

    @Test
    void a_wrong_key_is_recorded_once_a_minute_without_anything_of_it() {
        for (int i = 0; i < 3; i++) {
            refused(system.api().get(KEYS).key(SECRET + i), 401);
        }
        JsonNode entry = entries().get(0);
        assertThat(entries()).hasSize(1);
        assertThat(entry.path("action").asText()).isEqualTo("request.refused");
        assertThat(entry.path("author")).isEqualTo(Json.stored("{\"id\":\"unknown\"}"));
        assertThat(entry.path("object")).isEqualTo(Json.stored("{\"type\":\"route\",\"id\":\"GET " + KEYS + "\"}"));
        assertThat(entry.path("after"))
                .isEqualTo(Json.stored(
                        "{\"cause\":\"key\",\"error\":\"unauthenticated\",\"route\":\"GET " + KEYS + "\"}"));
        assertThat(Json.text(entry)).doesNotContain(SECRET);
        system.clock().advanceSeconds(60);
        refused(system.api().get(KEYS).key(SECRET), 401);
        assertThat(entries()).hasSize(2);
    }

    @Test
    void each_cause_is_recorded_with_the_key_where_it_is_known() {
        TestAgent.registered(system, "owned");
        refused(system.api().get(KEYS).key(TestSystem.AGENT_KEY), 403);
        refused(system.api().get("/api/v1/agents/owned").key(TestSystem.OTHER_AGENT_KEY), 403);
        refused(
                system.api()
                        .get("/api/v1/me")
                        .key(TestTokens.token(
                                TestTokens.claims("ada", system.clock().instant()), TestTokens.EC)),
                401);
        assertThat(entries())
                .extracting(entry -> entry.at("/after/cause").asText() + " "
                        + entry.at("/author/id").asText() + " "
                        + entry.path("agent_id").asText())
                .containsExactlyInAnyOrder(
                        "role " + TestSystem.keyId(TestSystem.AGENT_KEY) + " ",
                        "agent " + TestSystem.keyId(TestSystem.OTHER_AGENT_KEY) + " owned",
                        "token unknown ");
    }

    @Test
    void a_heartbeat_for_an_agent_of_another_key_names_that_key() {
        TestAgent.registered(system, "owned");
        refused(system.api().post("/api/v1/agents/owned/heartbeat").key(TestSystem.OTHER_AGENT_KEY), 403);
        assertThat(entries())
                .extracting(entry -> entry.at("/author/id").asText())
                .containsExactly(TestSystem.keyId(TestSystem.OTHER_AGENT_KEY));
    }

    @Test
    void a_key_from_another_address_and_a_key_for_other_actions_are_recorded_with_their_ids() {
        JsonNode key = system.api()
                .post(KEYS)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(
                        """
                        {"role":"agent","allowed_addresses":["203.0.113.0/24"],"actions":["heartbeat"]}\
                        """)
                .send()
                .json();
        String secret = key.path("api_key").asText();
        refused(system.api().get("/api/v1/me").key(secret).from("198.51.100.7"), 403);
        refused(system.api().get("/api/v1/agents").key(secret).from("203.0.113.7"), 403);
        assertThat(entries())
                .extracting(entry -> entry.at("/after/cause").asText() + " "
                        + entry.at("/author/id").asText() + " "
                        + entry.path("address").asText())
                .containsExactlyInAnyOrder(
                        "address " + key.path("key_id").asText() + " 198.51.100.7",
                        "role " + key.path("key_id").asText() + " 203.0.113.7");
    }

    @Test
    void a_text_that_cannot_be_a_key_is_recorded_too() {
        refused(system.api().get(KEYS).key("x".repeat(300)), 401);
        assertThat(entries()).hasSize(1);
    }

    @Test
    void what_is_no_attempt_on_anything_is_not_recorded() {
        refused(system.api().get(KEYS), 401);
        refused(system.api().get("/api/v1/me").key(SECRET), 401);
        assertThat(entries()).isEmpty();
    }

    @Test
    void all_are_counted_by_cause_also_where_nothing_may_be_recorded() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Log log = new Log(system.clock(), new PrintStream(out, true, StandardCharsets.UTF_8), "stack");
        HttpFunction readsOnly = new HttpFunction(system.wiring(Map.of()), log, system.database()) {
            @Override
            protected boolean recordsRefusals() {
                return false;
            }
        };
        readsOnly.routes().on("GET " + KEYS, Access.ADMINISTRATOR, request -> ApiResponse.noContent());
        TestApi api = new TestApi(List.of(readsOnly));
        for (int i = 0; i < 3; i++) {
            refused(api.get(KEYS).key(SECRET + i), 401);
        }
        assertThat(out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("\"RefusedRequests\":1")))
                .hasSize(3)
                .allMatch(line -> line.contains("\"Cause\":\"key\"") && !line.contains(SECRET));
        assertThat(entries()).isEmpty();
    }
}
