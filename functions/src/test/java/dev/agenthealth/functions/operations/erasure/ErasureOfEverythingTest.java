package dev.agenthealth.functions.operations.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.EveryKindOfItem;
import dev.agenthealth.functions.testing.ItemKinds;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.testkit.TestTables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The effect of an erasure on every kind of item. */
@Tag("SYS-06")
class ErasureOfEverythingTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String PATH = "/v1/admin/agents/" + EveryKindOfItem.AGENT;

    /** What becomes of a kind of items. */
    private enum Decision {
        /** Those about the agent are deleted. */
        ERASED,
        /** Those about the agent are kept without any free text. */
        WITHOUT_TEXTS,
        /** They are about something else, and hold no text about the agent. */
        NOT_ABOUT_AGENTS
    }

    /** A new kind of items belongs in here, and what is decided for it into the documents. */
    private static final Map<ItemKind, Decision> DECISIONS = decisions();

    private static Map<ItemKind, Decision> decisions() {
        Map<ItemKind, Decision> decisions = new HashMap<>();
        for (ItemKind erased : List.of(
                ItemKind.PROFILE,
                ItemKind.METADATA,
                ItemKind.TASKS,
                ItemKind.LEASE_POINTER,
                ItemKind.SLICE,
                ItemKind.BATCH_ARRIVAL,
                ItemKind.CLOSED_SLICES,
                ItemKind.HEALTH,
                ItemKind.HISTORY_POINT,
                ItemKind.AGENT_DAY,
                ItemKind.COUNTED_EVIDENCE,
                ItemKind.AGENT_TRACK_RECORD,
                ItemKind.AGENT_INVOCATION,
                ItemKind.CAPABILITY_TAG,
                ItemKind.ROLE_TAG,
                ItemKind.OWNER_TAG,
                ItemKind.CATALOGUE_TAG,
                ItemKind.HOST,
                ItemKind.LISTED_HOST,
                ItemKind.SPAN_NAME,
                ItemKind.SILENCE,
                ItemKind.OWNER_SILENCE,
                ItemKind.AGENT_CREDENTIAL,
                ItemKind.PING_ADDRESS,
                ItemKind.PROBES,
                ItemKind.DECLARATION,
                ItemKind.TASK_ACCESS,
                ItemKind.OPEN_TASK,
                ItemKind.PUSH,
                ItemKind.PUSHES_OF_TASK,
                ItemKind.PUSHED,
                ItemKind.CONNECTION,
                ItemKind.CALL_HISTORY,
                ItemKind.OPEN_EXECUTIONS,
                ItemKind.USAGE_HOUR,
                ItemKind.USAGE_DAY,
                ItemKind.GHOST,
                ItemKind.UPSTREAM_CALLS,
                ItemKind.CALLER_OUTCOMES,
                ItemKind.CALL_SUMS,
                ItemKind.OTHER_INVOCATION,
                ItemKind.PROBLEM,
                ItemKind.DEFERRED_READING,
                ItemKind.RECEIPT,
                ItemKind.MESSAGE,
                ItemKind.OUTPUT)) {
            decisions.put(erased, Decision.ERASED);
        }
        for (ItemKind kept : List.of(
                ItemKind.TOMBSTONE,
                ItemKind.AGENT_EVENT,
                // An entry holds no text about an agent from the beginning.
                ItemKind.AUDIT_ENTRY,
                ItemKind.AGENT_BLOCK,
                ItemKind.BLOCKED_AGENT,
                ItemKind.STATUS_PAGE,
                ItemKind.STOPS,
                ItemKind.CONTAINMENT_CASE,
                ItemKind.GHOST_END,
                ItemKind.TRACE,
                ItemKind.REGISTRY_EVENT,
                ItemKind.NOTIFIED_SUBJECT,
                ItemKind.DIGEST,
                ItemKind.NOTIFICATION,
                ItemKind.LEASE,
                ItemKind.LOCK,
                ItemKind.LEASE_EVENT)) {
            decisions.put(kept, Decision.WITHOUT_TEXTS);
        }
        for (ItemKind other : List.of(
                ItemKind.PROVIDER_BLOCK,
                ItemKind.BLOCKED_PROVIDER,
                ItemKind.PROVIDER_TRACK_RECORD,
                ItemKind.PROVIDER_INVOCATION,
                ItemKind.ROLE_DEFAULTS,
                ItemKind.ROLE_NAME,
                ItemKind.PROVIDER_NAME,
                ItemKind.PLATFORM_NAME,
                ItemKind.GROUP_NUMBER,
                ItemKind.WORKFLOW,
                ItemKind.LISTED_WORKFLOW,
                ItemKind.POOL_BELOW_MINIMUM,
                ItemKind.WORSE_VERSION,
                ItemKind.UPSTREAM,
                ItemKind.SHARED_USAGE,
                ItemKind.OWNER_LIMITS,
                ItemKind.API_KEY,
                ItemKind.LISTED_KEY,
                ItemKind.REVOKED_KEY,
                ItemKind.EXPIRING_KEY,
                ItemKind.KEY_USE,
                ItemKind.PAGE_TOKEN_KEY,
                ItemKind.SWEEP_STATE,
                ItemKind.CONFIGURATION,
                ItemKind.FLEET_STATISTICS,
                ItemKind.FLEET_MINUTE,
                ItemKind.FLEET_HOUR,
                // Names of models stay, as names of providers do.
                ItemKind.USAGE_TOTAL,
                // Versions of programs stay, too.
                ItemKind.POOL_VERSION,
                ItemKind.NOTIFICATION_RULE,
                ItemKind.CONTAINMENT_RULE,
                ItemKind.CONTAINMENT_ACTS,
                ItemKind.DEFERRING_SILENCE,
                ItemKind.SOURCE,
                ItemKind.IDENTITY_PROVIDER,
                ItemKind.IDENTITY_CHANGES,
                ItemKind.ADMINISTRATOR_KEY,
                // What the source says in public: it keeps an erased agent from being imported again.
                ItemKind.SOURCE_ENTRY,
                ItemKind.NOTIFIED_GROUP,
                ItemKind.OPEN_PROBLEMS,
                ItemKind.LEASE_COUNTS,
                ItemKind.TELEMETRY_SETTINGS,
                ItemKind.CALLER_LIMIT,
                ItemKind.CALL_PERMITS,
                ItemKind.IDEMPOTENT_REQUEST)) {
            decisions.put(other, Decision.NOT_ABOUT_AGENTS);
        }
        return decisions;
    }

    @Test
    @Tag("slow")
    void no_text_of_a_caller_is_left_and_every_kind_of_item_is_treated_as_decided() {
        assertThat(List.of(ItemKind.values())).containsExactlyInAnyOrderElementsOf(DECISIONS.keySet());
        try (EveryKindOfItem everything = new EveryKindOfItem()) {
            assertThat(kindsOf(everything)).as("one of each stands").isEqualTo(DECISIONS.keySet());
            Set<Map<String, AttributeValue>> before = registry(everything);
            assertThat(withMarker(before)).as("there is something to erase").hasSizeGreaterThan(10);
            TestApi api = everything.api();
            JsonNode reputation = provider(everything, "trust");
            JsonNode figures = provider(everything, "health");
            assertThat(figures.path("failure_count").asInt())
                    .as("something that the agent left with its provider")
                    .isPositive();
            everything.send(409, api.delete(PATH).key(ADMIN));
            everything.send(
                    204, api.delete("/api/v1/agents/" + EveryKindOfItem.AGENT).key(ADMIN));
            everything.sweep();
            JsonNode begun = everything.send(202, api.delete(PATH).key(ADMIN));
            assertThat(begun.path("retry_after_seconds").asInt()).isEqualTo(120);
            assertErased(everything);
            everything.system().clock().advanceSeconds(119);
            everything.send(202, api.delete(PATH).key(ADMIN));
            everything.system().clock().advanceSeconds(1);
            everything.send(204, api.delete(PATH).key(ADMIN));
            everything.minute();
            assertErased(everything);
            assertThat(registry(everything))
                    .as("what is not about the agent stays")
                    .filteredOn(item -> text(item, "pk").equals("A#" + EveryKindOfItem.OTHER)
                            && Set.of("P", "M").contains(text(item, "sk")))
                    .hasSize(2);
            everything.send(204, api.delete(PATH).key(ADMIN));
            assertThat(provider(everything, "trust")).isEqualTo(reputation);
            assertThat(provider(everything, "health")).isEqualTo(figures);
            theIdGoesOn(everything);
        }
    }

    private void assertErased(EveryKindOfItem everything) {
        assertThat(withMarker(registry(everything))).isEmpty();
        assertThat(withMarker(pulses(everything))).isEmpty();
        assertThat(pulses(everything)).noneMatch(row -> row.get("id").s().equals(EveryKindOfItem.AGENT));
        for (Map<String, AttributeValue> item : registry(everything)) {
            if (isAbout(item)) {
                assertThat(DECISIONS.get(ItemKinds.of(item))).as("%s", item).isNotEqualTo(Decision.ERASED);
            }
        }
        for (String path : List.of(
                "/api/v1/agents/" + EveryKindOfItem.AGENT,
                "/api/v1/agents/" + EveryKindOfItem.AGENT + "/events",
                "/api/v1/agents/" + EveryKindOfItem.AGENT + "/health",
                "/v1/health/agents/" + EveryKindOfItem.AGENT,
                "/v1/receipts/" + everything.receipt(),
                "/agents/" + EveryKindOfItem.AGENT + "/.well-known/agent-health")) {
            assertThat(everything.api().get(path).key(ADMIN).send().status())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    /** The block holds and is shown, and neither incarnations nor events begin anew. */
    private static void theIdGoesOn(EveryKindOfItem everything) {
        String body = "{\"agent_id\":\"" + EveryKindOfItem.AGENT + "\",\"endpoint\":\"https://again.invalid/\"}";
        TestApi api = everything.api();
        JsonNode erased = api.get("/v1/trust/agents/" + EveryKindOfItem.AGENT)
                .key(ADMIN)
                .send()
                .json();
        assertThat(erased.path("blocked").booleanValue()).isTrue();
        assertThat(erased.path("block_reason").asText()).isEqualTo("erased");
        everything.send(
                403,
                api.post("/api/v1/agents").key(EveryKindOfItem.COORDINATOR_KEY).body(body));
        long last = registry(everything).stream()
                .filter(item -> text(item, "pk").equals("A#" + EveryKindOfItem.AGENT)
                        && text(item, "sk").startsWith("E#"))
                .mapToLong(item -> Long.parseLong(text(item, "sk").substring(2)))
                .max()
                .orElseThrow();
        JsonNode record = everything.send(
                201, api.post("/api/v1/agents").key(EveryKindOfItem.AGENT_KEY).body(body));
        assertThat(record.path("incarnation").asInt()).isEqualTo(2);
        assertThat(record.path("registered_at").asText())
                .isEqualTo(Timestamps.text(everything.system().clock().instant()));
        JsonNode events = everything
                .send(
                        200,
                        api.get("/api/v1/agents/" + EveryKindOfItem.AGENT + "/events")
                                .key(ADMIN))
                .path("events");
        assertThat(events.get(events.size() - 1).path("sequence").asLong()).isEqualTo(last + 1);
        JsonNode trust = everything.send(
                200, api.get("/v1/trust/agents/" + EveryKindOfItem.AGENT).key(ADMIN));
        assertThat(trust.path("blocked").asBoolean()).isTrue();
        assertThat(trust.path("reputation_score").asDouble()).isEqualTo(0.5);
        assertThat(trust.path("block_reason").asText()).isEqualTo("erased");
        everything.send(
                403,
                api.post("/v1/agents/" + EveryKindOfItem.AGENT + "/invoke")
                        .key(EveryKindOfItem.AGENT_KEY)
                        .body("{\"message\":\"Hello\"}"));
        // Its event, like all others, is held to its schema when the tables close.
        everything.send(
                200,
                api.post("/v1/admin/agents/" + EveryKindOfItem.AGENT + "/unblock")
                        .key(ADMIN));
    }

    private static JsonNode provider(EveryKindOfItem everything, String kind) {
        return everything.send(
                200, everything.api().get("/v1/" + kind + "/providers/acme").key(ADMIN));
    }

    private Set<ItemKind> kindsOf(EveryKindOfItem everything) {
        Set<ItemKind> found = new HashSet<>();
        registry(everything).forEach(item -> found.add(ItemKinds.of(item)));
        return found;
    }

    private static boolean isAbout(Map<String, AttributeValue> item) {
        return item.values().stream().anyMatch(value -> EveryKindOfItem.AGENT.equals(value.s()))
                || text(item, "pk").equals("A#" + EveryKindOfItem.AGENT);
    }

    private static List<Map<String, AttributeValue>> withMarker(Set<Map<String, AttributeValue>> items) {
        return items.stream()
                .filter(item -> item.toString().contains(EveryKindOfItem.MARKER))
                .toList();
    }

    private static Set<Map<String, AttributeValue>> registry(EveryKindOfItem everything) {
        return items(everything, TestTables.REGISTRY);
    }

    private static Set<Map<String, AttributeValue>> pulses(EveryKindOfItem everything) {
        return items(everything, TestTables.PULSES);
    }

    private static Set<Map<String, AttributeValue>> items(EveryKindOfItem everything, String table) {
        Set<Map<String, AttributeValue>> items = new HashSet<>();
        everything
                .system()
                .tables()
                .dynamoDb()
                .scanPaginator(r -> r.tableName(table).consistentRead(true))
                .items()
                .forEach(items::add);
        return items;
    }

    private static String text(Map<String, AttributeValue> item, String name) {
        return item.containsKey(name) ? item.get(name).s() : "";
    }
}
