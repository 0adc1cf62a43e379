package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.TableContents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** A key gets another secret while its agents go on. */
@Tag("R16-31")
@Tag("R16-33")
class KeyRotationTest {

    private static final String KEYS = "/v1/admin/keys";

    private final CapturedOutput output = new CapturedOutput();
    private final TestSystem system = new TestSystem();
    private final TestAgent agent = new TestAgent(system, "agent");
    private Sweep sweep;
    private String keyId;
    private String first;

    @BeforeEach
    void start() {
        sweep = system.sweep();
        sweep.passes(null);
        JsonNode key = admin(system.api().post(KEYS).body("{\"role\":\"agent\"}"))
                .send()
                .json();
        keyId = key.path("key_id").asText();
        first = key.path("api_key").asText();
        register("agent", first);
        assertThat(heartbeat(first)).isEqualTo(200);
    }

    @AfterEach
    void close() {
        system.close();
        output.close();
    }

    @Test
    void both_secrets_work_during_the_overlap_and_the_old_one_not_a_moment_longer() {
        Instant end = system.clock().instant().plusSeconds(100);
        assertThat(read(first)).isEqualTo(200);
        String second = secret(rotate(100));
        assertThat(second).isNotEqualTo(first);
        for (String secret : List.of(first, second, first)) {
            assertThat(read(secret)).isEqualTo(200);
            assertThat(heartbeat(secret)).isEqualTo(200);
        }
        advanceTo(end.minusSeconds(10));
        assertThat(read(first)).isEqualTo(200);
        assertThat(heartbeat(first)).isEqualTo(200);
        advanceTo(end);
        assertThat(read(first)).as("it was cached 10 s ago").isEqualTo(401);
        assertThat(heartbeat(first)).isEqualTo(401);
        assertThat(heartbeat(second)).isEqualTo(200);
    }

    @Test
    void a_row_moves_to_the_new_secret_with_its_first_use_and_never_back() {
        String second = secret(rotate(3_600));
        assertThat(heartbeat(first)).isEqualTo(200);
        assertThat(agent.pulse().owner()).isEqualTo(owner(first));
        assertThat(heartbeat(second)).isEqualTo(200);
        assertThat(agent.pulse().owner()).isEqualTo(owner(second));
        assertThat(heartbeat(first)).isEqualTo(200);
        assertThat(agent.pulse().owner()).isEqualTo(owner(second));
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(4);
    }

    @Test
    void a_secret_that_was_the_newest_when_it_was_cached_does_not_move_a_row_back() {
        String second = secret(rotate(3_600));
        assertThat(heartbeat(second)).isEqualTo(200);
        assertThat(read(second)).as("caches it").isEqualTo(200);
        String third = secret(rotate(3_600));
        assertThat(heartbeat(third)).isEqualTo(200);
        assertThat(heartbeat(second)).isEqualTo(200);
        assertThat(heartbeat(first)).isEqualTo(200);
        assertThat(agent.pulse().owner()).isEqualTo(owner(third));
    }

    @Test
    void the_sweep_replaces_what_is_left_before_the_overlap_ends() {
        Instant end = system.clock().instant().plusSeconds(250);
        String second = secret(rotate(250));
        assertThat(sweep().get("credentials_replaced")).isEqualTo(0L);
        advanceTo(end.minusSeconds(110));
        assertThat(heartbeat(first)).isEqualTo(200);
        assertThat(sweep().get("credentials_replaced")).isEqualTo(1L);
        assertThat(agent.pulse().owner()).isEqualTo(owner(second));
        assertThat(heartbeat(first)).as("the overlap has not ended").isEqualTo(200);
        advanceTo(end);
        assertThat(heartbeat(first)).isEqualTo(401);
        assertThat(sweep().get("credentials_replaced")).isEqualTo(0L);
        assertThat(heartbeat(second)).isEqualTo(200);
        agent.assertHistoryIsWhole("rotated");
    }

    @Test
    void a_rotation_without_overlap_ends_every_earlier_secret_with_the_next_sweep() {
        String second = secret(rotate(3_600));
        assertThat(heartbeat(second)).isEqualTo(200);
        register("of-first", first);
        String third = secret(rotate(0));
        assertThat(sweep().get("credentials_replaced")).isEqualTo(2L);
        system.clock().advanceSeconds(31);
        for (String ended : List.of(first, second)) {
            assertThat(read(ended)).isEqualTo(401);
            assertThat(heartbeat(ended)).isEqualTo(401);
        }
        assertThat(heartbeat(third)).isEqualTo(200);
        assertThat(agent.pulse().owner()).isEqualTo(owner(third));
        assertThat(new TestAgent(system, "of-first").pulse().owner()).isEqualTo(owner(third));
    }

    @Test
    void a_repeated_rotation_does_not_shorten_the_time_of_secrets_that_work() {
        Instant end = system.clock().instant().plusSeconds(1_000);
        String second = secret(rotate(1_000));
        JsonNode third = rotate(60).json();
        assertThat(third.path("earlier_secrets_end_at"))
                .extracting(JsonNode::textValue)
                .containsExactly(Timestamps.text(system.clock().instant().plusSeconds(60)), Timestamps.text(end));
        secret(rotate(1_000));
        for (String secret : List.of(first, second, third.path("api_key").asText())) {
            assertThat(heartbeat(secret)).isEqualTo(200);
        }
        Response refused = rotate(1_000);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("error").asText()).isEqualTo("too_many_secrets");
        system.clock().advanceSeconds(60);
        assertThat(rotate(1_000).status()).isEqualTo(200);
    }

    @Test
    void revoking_ends_all_secrets() {
        String second = secret(rotate(3_600));
        register("of-first", first);
        assertThat(heartbeat(second)).isEqualTo(200);
        assertThat(admin(system.api().delete(KEYS + "/" + keyId)).send().status())
                .isEqualTo(204);
        assertThat(sweep().get("credentials_cleared")).isEqualTo(2L);
        for (String secret : List.of(first, second)) {
            assertThat(heartbeat(secret)).isEqualTo(401);
        }
        assertThat(new TestAgent(system, "of-first").pulse().owner()).isEqualTo(new Owner(keyId, KeyHash.NONE));
        system.clock().advanceSeconds(31);
        assertThat(read(second)).isEqualTo(401);
        assertThat(rotate(60).status()).isEqualTo(404);
    }

    @Test
    void agents_and_their_leases_stay_with_the_key() {
        String lease = "{\"scope\":\"s\"}";
        assertThat(system.api()
                        .post("/api/v1/intents/i/leases")
                        .key(first)
                        .body(lease)
                        .send()
                        .status())
                .isEqualTo(201);
        String second = secret(rotate(3_600));
        for (String list : List.of("/api/v1/intents/i/leases", "/api/v1/intents/i/events")) {
            JsonNode found = system.api().get(list).key(second).send().json();
            assertThat(found.path("leases").size() + found.path("events").size())
                    .isEqualTo(1);
        }
        assertThat(system.api()
                        .delete("/api/v1/agents/agent")
                        .key(second)
                        .send()
                        .status())
                .isEqualTo(204);
        register("agent", second);
    }

    @Test
    void a_rotation_is_written_once_even_where_the_answer_is_lost() {
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        String second = secret(rotate(3_600));
        assertThat(heartbeat(second)).isEqualTo(200);
    }

    @Test
    void no_secret_is_stored_or_logged() {
        String second = secret(rotate(3_600));
        assertThat(heartbeat(second)).isEqualTo(200);
        assertThat(output.text()).contains("key_rotated", keyId, "3600");
        for (String text :
                List.of(output.text(), TableContents.of(system.tables()).toString(), keys())) {
            assertThat(text).doesNotContain(first, second);
        }
        assertThat(keys())
                .doesNotContain(
                        KeyHash.ofKey(first).hex(), KeyHash.ofKey(second).hex());
    }

    @Test
    void an_overlap_must_be_longer_than_secrets_are_cached() {
        for (String seconds : List.of("1", "59", "-1", "2592001", "\"x\"")) {
            Response refused = admin(system.api()
                            .post(KEYS + "/" + keyId + "/rotate")
                            .body("{\"overlap_seconds\":" + seconds + ",\"more\":1}"))
                    .send();
            assertThat(refused.status()).as(seconds).isEqualTo(400);
            assertThat(refused.json().findValuesAsText("field")).contains("overlap_seconds", "more");
        }
        assertThat(heartbeat(first)).isEqualTo(200);
        JsonNode byDefault =
                admin(system.api().post(KEYS + "/" + keyId + "/rotate")).send().json();
        assertThat(byDefault.path("earlier_secrets_end_at").get(0).textValue())
                .isEqualTo(Timestamps.text(system.clock().instant().plusSeconds(86_400)));
    }

    @Test
    void a_key_that_is_not_in_force_cannot_be_rotated_or_changed() {
        for (String id : List.of("key_unknown", "administrator")) {
            assertThat(admin(system.api().post(KEYS + "/" + id + "/rotate"))
                            .send()
                            .status())
                    .isEqualTo(404);
            assertThat(admin(system.api().patch(KEYS + "/" + id).body("{}"))
                            .send()
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void a_change_applies_to_every_secret_and_to_nothing_that_it_does_not_name() {
        String second = secret(rotate(3_600));
        JsonNode changed =
                change("{\"name\":\"billing\",\"provider_ids\":[\"acme\"]}").json();
        assertThat(changed.path("name").asText()).isEqualTo("billing");
        assertThat(changed.path("provider_ids").get(0).asText()).isEqualTo("acme");
        assertThat(changed.path("role").asText()).isEqualTo("agent");
        assertThat(changed.has("api_key")).isFalse();
        assertThat(change("{\"name\":null}").json().path("provider_ids")).hasSize(1);
        assertThat(change("{\"provider_ids\":null}").json().path("provider_ids"))
                .isEmpty();
        for (String secret : List.of(first, second)) {
            assertThat(new KeyStore(system.database())
                            .find(KeyHash.ofKey(secret))
                            .orElseThrow())
                    .isEqualTo(new KeyStore(system.database()).find(keyId).orElseThrow());
        }
        Response refused = change(
                """
                {"role":"administrator","role_ids":["r"],"provider_ids":["a b"]}\
                """);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().findValuesAsText("field"))
                .containsExactlyInAnyOrder("role", "role_ids", "provider_ids[0]");
    }

    private static Request admin(Request request) {
        return request.key(TestSystem.ADMINISTRATOR_KEY);
    }

    private Response change(String body) {
        return admin(system.api().patch(KEYS + "/" + keyId).body(body)).send();
    }

    private Response rotate(int overlapSeconds) {
        return admin(system.api()
                        .post(KEYS + "/" + keyId + "/rotate")
                        .body("{\"overlap_seconds\":" + overlapSeconds + "}"))
                .send();
    }

    private static String secret(Response rotated) {
        assertThat(rotated.status()).as(rotated.text()).isEqualTo(200);
        return rotated.json().path("api_key").asText();
    }

    private Owner owner(String secret) {
        return new Owner(keyId, KeyHash.ofKey(secret));
    }

    private Map<String, Object> sweep() {
        return sweep.passes(null).get(0);
    }

    private void advanceTo(Instant moment) {
        system.clock().advance(Duration.between(system.clock().instant(), moment));
    }

    private void register(String agentId, String key) {
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"" + agentId + "\",\"heartbeat_config\":{\"interval_seconds\":600,"
                                + "\"unhealthy_after_seconds\":6000,\"dead_after_seconds\":60000}}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private int heartbeat(String key) {
        return system.api()
                .post(agent.heartbeatPath())
                .key(key)
                .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()))
                .send()
                .status();
    }

    private int read(String key) {
        return system.api().get("/api/v1/agents/agent").key(key).send().status();
    }

    private String keys() {
        return admin(system.api().get(KEYS)).send().text();
    }
}
