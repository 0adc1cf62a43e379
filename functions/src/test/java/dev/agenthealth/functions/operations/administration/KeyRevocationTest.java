package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A revoked key stops working within 60 s in every function. */
@Tag("R16-31")
class KeyRevocationTest {

    private static final String KEYS = "/v1/admin/keys";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void a_revoked_key_is_unknown_within_a_minute_and_no_longer_listed() {
        JsonNode key = issue("coordinator");
        assertThat(list(key)).isEqualTo(200);
        assertThat(revoke(key).status()).isEqualTo(204);
        system.clock().advanceSeconds(60);
        assertThat(list(key)).isEqualTo(401);
        assertThat(keys()).doesNotContain(key.path("key_id").asText());
    }

    @Test
    void a_key_that_is_not_cached_is_unknown_immediately() {
        JsonNode key = issue("coordinator");
        revoke(key);
        assertThat(list(key)).isEqualTo(401);
    }

    @Test
    void other_keys_stay_valid() {
        JsonNode key = issue("coordinator");
        JsonNode other = issue("coordinator");
        revoke(key);
        system.clock().advanceSeconds(60);
        assertThat(list(other)).isEqualTo(200);
        assertThat(keys()).contains(other.path("key_id").asText());
    }

    @Test
    void revoking_an_unknown_or_revoked_key_is_404() {
        JsonNode key = issue("agent");
        revoke(key);
        Response again = revoke(key);
        assertThat(again.status()).isEqualTo(404);
        assertThat(again.json().path("error").asText()).isEqualTo("key_not_found");
        assertThat(system.api()
                        .delete(KEYS + "/no spaces")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void the_deployment_s_key_is_not_listed_and_cannot_be_revoked() {
        assertThat(keys()).doesNotContain("\"administrator\"");
        assertThat(system.api()
                        .delete(KEYS + "/administrator")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(404);
    }

    @Test
    @Tag("R16-33")
    void heartbeats_with_a_revoked_key_are_refused_after_the_next_sweep() {
        JsonNode key = issue("agent");
        JsonNode other = issue("agent");
        register(key, "revoked");
        register(other, "kept");
        Sweep sweep = system.sweep();
        sweep.passes(null);
        revoke(key);
        system.clock().advanceSeconds(59);
        assertThat(sweep.passes(null).get(0)).containsEntry("credentials_cleared", 1L);
        assertThat(sendHeartbeat(key, "revoked")).isEqualTo(401);
        assertThat(sendHeartbeat(other, "kept")).isEqualTo(200);
        assertThat(sweep.passes(null).get(0)).containsEntry("credentials_cleared", 0L);
    }

    private void register(JsonNode key, String agentId) {
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(key.path("api_key").asText())
                        .body("{\"agent_id\":\"" + agentId + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        assertThat(sendHeartbeat(key, agentId)).isEqualTo(200);
    }

    private int sendHeartbeat(JsonNode key, String agentId) {
        return system.api()
                .post("/api/v1/agents/" + agentId + "/heartbeat")
                .key(key.path("api_key").asText())
                .body("{\"status\":\"active\",\"client_timestamp\":\""
                        + system.clock().instant() + "\"}")
                .send()
                .status();
    }

    private JsonNode issue(String role) {
        return system.api()
                .post(KEYS)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"role\":\"" + role + "\"}")
                .send()
                .json();
    }

    private Response revoke(JsonNode key) {
        return system.api()
                .delete(KEYS + "/" + key.path("key_id").asText())
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
    }

    private int list(JsonNode key) {
        return system.api()
                .get("/api/v1/agents")
                .key(key.path("api_key").asText())
                .send()
                .status();
    }

    private String keys() {
        return system.api().get(KEYS).key(TestSystem.ADMINISTRATOR_KEY).send().text();
    }
}
