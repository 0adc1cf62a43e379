package dev.agenthealth.functions.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.testkit.RequestMeter;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The last use of a key is noted once a day, after the request was accepted. */
class KeyUseTest {

    private static final String ADDRESS = "203.0.113.9";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestDynamoDb dynamoDb = new TestDynamoDb(system.tables().dynamoDb());
    private final RequestMeter meter = dynamoDb.meter();

    private final TestApi api = instance();

    @Test
    void the_first_use_of_a_day_is_shown_with_its_address() {
        assertThat(used().path("last_used_on").isNull()).isTrue();
        assertThat(used().path("last_used_from").isNull()).isTrue();
        me(ADDRESS);
        me("198.51.100.9");
        assertThat(used().path("last_used_on").asText()).isEqualTo("2026-02-08");
        assertThat(used().path("last_used_from").asText()).isEqualTo(ADDRESS);
        system.clock().advanceSeconds(86_400);
        me("198.51.100.9");
        assertThat(used().path("last_used_on").asText()).isEqualTo("2026-02-09");
        assertThat(used().path("last_used_from").asText()).isEqualTo("198.51.100.9");
    }

    @Test
    void a_heartbeat_writes_once_a_day_more_than_its_row() {
        TestAgent.registered(system, "a");
        for (int day = 0; day < 2; day++) {
            assertThat(heartbeat()).containsExactly("UpdateItem", "UpdateItem");
            assertThat(heartbeat()).containsExactly("UpdateItem");
            assertThat(heartbeat()).containsExactly("UpdateItem");
            system.clock().advanceSeconds(86_400 - 3);
            system.api()
                    .post("/api/v1/agents")
                    .key(TestSystem.AGENT_KEY)
                    .body("{\"agent_id\":\"a\",\"replace\":true}")
                    .send();
        }
        assertThat(used().path("last_used_on").asText()).isEqualTo("2026-02-09");
    }

    @Test
    void another_instance_keeps_the_day() {
        me(ADDRESS);
        instance()
                .get("/api/v1/me")
                .key(TestSystem.AGENT_KEY)
                .from("198.51.100.9")
                .send();
        assertThat(used().path("last_used_from").asText()).isEqualTo(ADDRESS);
    }

    @Test
    void a_refused_request_is_no_use() {
        assertThat(api.get("/v1/admin/keys").key(TestSystem.AGENT_KEY).send().status())
                .isEqualTo(403);
        assertThat(api.get("/api/v1/agents/unknown")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(404);
        assertThat(used().path("last_used_on").isNull()).isTrue();
        assertThat(notes()).isZero();
    }

    @Test
    void a_canary_of_the_self_check_has_no_key_whose_use_is_noted() {
        new CanaryStore(system.database())
                .place(
                        "canary-1",
                        KeyHash.ofKey("its credential"),
                        system.clock().instant());
        meter.reset();
        assertThat(api.post("/api/v1/agents/canary-1/heartbeat")
                        .key("its credential")
                        .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()))
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(meter.operations()).containsExactly("UpdateItem");
    }

    @Test
    void the_note_ends_with_the_key_and_the_deployment_s_key_has_none() {
        me(ADDRESS);
        assertThat(notes()).isOne();
        api.delete("/v1/admin/keys/" + TestSystem.keyId(TestSystem.AGENT_KEY))
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        assertThat(notes()).isZero();
    }

    private TestApi instance() {
        return system.apiThrough(dynamoDb, Map.of("NOTE_KEY_USES", "true"));
    }

    private long notes() {
        return system.database()
                .registry()
                .all(Query.partition(ItemKind.KEY_USE.partition()))
                .count();
    }

    private void me(String address) {
        assertThat(api.get("/api/v1/me")
                        .key(TestSystem.AGENT_KEY)
                        .from(address)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private List<String> heartbeat() {
        system.clock().advanceSeconds(1);
        meter.reset();
        assertThat(api.post("/api/v1/agents/a/heartbeat")
                        .key(TestSystem.AGENT_KEY)
                        .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()))
                        .send()
                        .status())
                .isEqualTo(200);
        return meter.operations();
    }

    private JsonNode used() {
        for (JsonNode key : api.get("/v1/admin/keys")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("keys")) {
            if (key.path("key_id").asText().equals(TestSystem.keyId(TestSystem.AGENT_KEY))) {
                return key;
            }
        }
        throw new AssertionError("the key is not listed");
    }
}
