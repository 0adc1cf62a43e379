package dev.agenthealth.functions.operations.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Agents and keys that change between two imports, and the parts of a registry that move. */
class TransferEdgesTest {

    private static final String HEAD = "{\"format\":\"agent-health-configuration\",\"version\":1,";
    private static final String K1 = "key_01ARZ3NDEKTSV4RRFFQ69G5FA1";
    private static final String K2 = "key_01ARZ3NDEKTSV4RRFFQ69G5FA2";

    /** The items of objects that a document has. */
    private static final Set<ItemKind> EXPORTED = EnumSet.of(
            ItemKind.PROFILE,
            ItemKind.METADATA,
            ItemKind.AGENT_BLOCK,
            ItemKind.BLOCKED_AGENT,
            ItemKind.BLOCKED_PROVIDER,
            ItemKind.PROVIDER_BLOCK,
            ItemKind.STOPS,
            ItemKind.CONTAINMENT_RULE,
            ItemKind.AGENT_CREDENTIAL,
            ItemKind.PING_ADDRESS,
            ItemKind.WORKFLOW,
            ItemKind.LISTED_WORKFLOW,
            ItemKind.ROLE_DEFAULTS,
            ItemKind.API_KEY,
            ItemKind.LISTED_KEY,
            ItemKind.IDENTITY_PROVIDER,
            ItemKind.STATUS_PAGE,
            ItemKind.CONFIGURATION,
            ItemKind.HOST,
            ItemKind.LISTED_HOST,
            ItemKind.SPAN_NAME,
            ItemKind.TELEMETRY_SETTINGS,
            ItemKind.OWNER_LIMITS,
            ItemKind.SOURCE,
            ItemKind.NOTIFICATION_RULE,
            ItemKind.SILENCE,
            ItemKind.OWNER_SILENCE);

    /** States, histories, events, counts, indexes and secrets, which belong to one registry. */
    private static final Set<ItemKind> STAYING = EnumSet.of(
            ItemKind.TASKS,
            ItemKind.TOMBSTONE,
            ItemKind.AGENT_EVENT,
            ItemKind.LEASE_POINTER,
            ItemKind.SLICE,
            ItemKind.BATCH_ARRIVAL,
            ItemKind.USAGE_HOUR,
            ItemKind.USAGE_DAY,
            ItemKind.USAGE_TOTAL,
            ItemKind.SHARED_USAGE,
            ItemKind.TRACE,
            ItemKind.CLOSED_SLICES,
            ItemKind.HEALTH,
            ItemKind.HISTORY_POINT,
            ItemKind.AGENT_DAY,
            ItemKind.TASK_ACCESS,
            ItemKind.PUSH,
            ItemKind.PUSHES_OF_TASK,
            ItemKind.PUSHED,
            ItemKind.PROBES,
            ItemKind.DECLARATION,
            ItemKind.OPEN_TASK,
            ItemKind.CALL_HISTORY,
            ItemKind.OPEN_EXECUTIONS,
            ItemKind.GHOST,
            ItemKind.GHOST_END,
            ItemKind.CONNECTION,
            ItemKind.CALLER_OUTCOMES,
            ItemKind.UPSTREAM,
            ItemKind.UPSTREAM_CALLS,
            ItemKind.CONTAINMENT_CASE,
            ItemKind.CONTAINMENT_ACTS,
            ItemKind.COUNTED_EVIDENCE,
            ItemKind.AGENT_TRACK_RECORD,
            ItemKind.AGENT_INVOCATION,
            ItemKind.OTHER_INVOCATION,
            ItemKind.CALL_SUMS,
            ItemKind.PROVIDER_TRACK_RECORD,
            ItemKind.PROVIDER_INVOCATION,
            ItemKind.LEASE,
            ItemKind.LOCK,
            ItemKind.LEASE_EVENT,
            ItemKind.CAPABILITY_TAG,
            ItemKind.ROLE_TAG,
            ItemKind.CATALOGUE_TAG,
            ItemKind.OWNER_TAG,
            ItemKind.ROLE_NAME,
            ItemKind.PROVIDER_NAME,
            ItemKind.PLATFORM_NAME,
            ItemKind.GROUP_NUMBER,
            ItemKind.POOL_BELOW_MINIMUM,
            ItemKind.WORSE_VERSION,
            ItemKind.POOL_VERSION,
            ItemKind.KEY_USE,
            ItemKind.ADMINISTRATOR_KEY,
            ItemKind.REVOKED_KEY,
            ItemKind.EXPIRING_KEY,
            ItemKind.IDENTITY_CHANGES,
            ItemKind.SWEEP_STATE,
            ItemKind.PAGE_TOKEN_KEY,
            ItemKind.FLEET_STATISTICS,
            ItemKind.FLEET_MINUTE,
            ItemKind.FLEET_HOUR,
            ItemKind.LEASE_COUNTS,
            ItemKind.OPEN_PROBLEMS,
            ItemKind.REGISTRY_EVENT,
            ItemKind.AUDIT_ENTRY,
            ItemKind.SOURCE_ENTRY,
            ItemKind.NOTIFIED_SUBJECT,
            ItemKind.NOTIFIED_GROUP,
            ItemKind.DIGEST,
            ItemKind.NOTIFICATION,
            ItemKind.PROBLEM,
            ItemKind.DEFERRING_SILENCE,
            ItemKind.DEFERRED_READING,
            ItemKind.RECEIPT,
            ItemKind.MESSAGE,
            ItemKind.OUTPUT,
            ItemKind.IDEMPOTENT_REQUEST,
            ItemKind.CALLER_LIMIT,
            ItemKind.CALL_PERMITS);

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void an_agent_that_died_before_its_process_came_keeps_the_number_of_its_registration() {
        String document = agents(3);
        imported(document);
        TestAgent agent = new TestAgent(system, "moved");
        agent.becomeDead();
        JsonNode early = imported(document);
        assertThat(early.at("/entries/0/result").asText()).isEqualTo("skipped");
        assertThat(early.at("/entries/0/reason").asText()).contains("Import it again");
        agent.finishCleanUp();

        assertThat(imported(document).at("/entries/0/result").asText()).isEqualTo("created");
        assertThat(agent.pulse().incarnation()).isEqualTo(3);
        assertThat(heartbeat(3)).isEqualTo(200);
        assertThat(heartbeat(2)).isEqualTo(410);
    }

    @Test
    void an_agent_whose_process_had_come_gets_a_new_number_after_its_death() {
        imported(agents(3));
        assertThat(heartbeat(3)).isEqualTo(200);
        TestAgent agent = new TestAgent(system, "moved");
        agent.becomeDead();
        agent.finishCleanUp();
        imported(agents(3));
        assertThat(agent.pulse().incarnation()).isEqualTo(4);
        assertThat(heartbeat(3)).isEqualTo(410);
    }

    @Test
    void an_archived_agent_keeps_its_number_too() {
        imported(agents(3));
        TestAgent agent = new TestAgent(system, "moved");
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        imported(agents(3));
        assertThat(heartbeat(3)).isEqualTo(200);
    }

    @Test
    void two_keys_never_get_one_secret_even_at_the_same_time() {
        imported(HEAD + "\"keys\":[" + key(K2, "b") + "]}");
        KeyStore keys = new KeyStore(system.database());
        ApiKey second = keys.find(K2).orElseThrow();
        // The second import has read the key, and then the first import creates the other key.
        imported(HEAD + "\"keys\":[" + key(K1, "a") + "]}");
        ApiKey first = keys.find(K1).orElseThrow();
        assertThat(keys.change(second, second.withSecretsOf(first).succeeding(second)))
                .isFalse();
        assertThat(keys.find(first.hash())).map(ApiKey::keyId).contains(K1);
        assertThat(keys.addIfUnknown(first)).isFalse();
    }

    @Test
    void a_credential_moves_without_its_token() {
        String agent = "{\"agent_id\":\"moved\",\"owner_key_id\":\"administrator\",\"endpoint\":\"https://a.example/\","
                + "\"credential\":{\"endpoint\":\"https://a.example/\"}}";
        JsonNode first = imported(HEAD + "\"agents\":[" + agent + "]}");
        assertThat(first.at("/secrets_to_set/0/id").asText()).isEqualTo("moved");
        assertThat(first.at("/secrets_to_set/0/fields/0").asText()).isEqualTo("credential.bearer_token");
        assertThat(admin(system.api().put("/v1/agents/moved/credential"))
                        .body("{\"bearer_token\":\"very-secret\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(imported(HEAD + "\"agents\":[" + agent + "]}").path("secrets_to_set"))
                .isEmpty();
        JsonNode exported = admin(system.api().get("/v1/admin/export")).send().json();
        assertThat(exported.at("/agents/0/credential/endpoint").asText()).isEqualTo("https://a.example/");
        assertThat(exported.toString()).doesNotContain("very-secret");
    }

    @Test
    void blocks_and_stops_are_in_force_from_the_first_call_on() {
        JsonNode report = imported(HEAD + "\"blocks\":[{\"agent_id\":\"moved\",\"reason\":\"odd\"}],"
                + "\"stops\":[{\"role_id\":\"halted\",\"reason\":\"odd\"}],"
                + "\"agents\":[{\"agent_id\":\"moved\",\"owner_key_id\":\"administrator\"},"
                + "{\"agent_id\":\"other\",\"owner_key_id\":\"administrator\",\"role_id\":\"halted\"}]}");
        assertThat(report.at("/counts/created").asInt())
                .as(report.toPrettyString())
                .isEqualTo(4);
        assertThat(new TestAgent(system, "moved").pulse().coordination().blockedUntil())
                .isAfter(system.clock().instant());
        assertThat(new TestAgent(system, "other")
                        .pulse()
                        .coordination()
                        .pendingDrain()
                        .isPending())
                .isTrue();
    }

    @Test
    void a_block_that_is_over_and_a_stop_of_an_unknown_key_are_skipped() {
        JsonNode report = imported(HEAD + "\"blocks\":[{\"agent_id\":\"a\",\"until\":\"2020-01-01T00:00:00Z\"}],"
                + "\"stops\":[{\"key_id\":\"" + K1 + "\",\"reason\":\"odd\"}]}");
        assertThat(report.at("/counts/skipped").asInt())
                .as(report.toPrettyString())
                .isEqualTo(2);
    }

    /** If this test fails, add a section for the new kind of item, or add the kind to the items that stay. */
    @Test
    void every_kind_of_item_moves_or_stays() {
        Set<ItemKind> all = EnumSet.copyOf(EXPORTED);
        all.addAll(STAYING);
        assertThat(all).isEqualTo(EnumSet.allOf(ItemKind.class));
    }

    private String agents(int incarnation) {
        return HEAD + "\"agents\":[{\"agent_id\":\"moved\",\"owner_key_id\":\"administrator\",\"incarnation\":"
                + incarnation + "}]}";
    }

    private static String key(String keyId, String digit) {
        return "{\"key_id\":\"" + keyId + "\",\"role\":\"agent\",\"secret_sha256\":\"" + digit.repeat(64) + "\"}";
    }

    private JsonNode imported(String document) {
        return admin(system.api().post("/v1/admin/import"))
                .body(Json.stored(document).toString())
                .send()
                .json();
    }

    private int heartbeat(int incarnation) {
        return admin(system.api().post("/api/v1/agents/moved/heartbeat"))
                .body(TestAgent.HEARTBEAT_BODY
                        .formatted(system.clock().instant())
                        .replace("{", "{\"incarnation\":" + incarnation + ","))
                .send()
                .status();
    }

    private static Request admin(Request request) {
        return request.key(TestSystem.ADMINISTRATOR_KEY);
    }
}
