package dev.agenthealth.functions.items;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.EveryKindOfItem;
import dev.agenthealth.functions.testing.ItemKinds;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Resources;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Two versions write side by side while traffic moves from one to the other, and items outlive both: today's code reads what the released layout
 * looks like, and what a newer one may look like, and loses of the latter only what the documents say.
 */
@Tag("SYS-06")
class ItemLayoutTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String UNKNOWN = "zz";

    /** Items written as a whole: attributes unknown to this version are lost. */
    private static final Set<ItemKind> WRITTEN_WHOLE = Set.of(
            ItemKind.PROFILE,
            ItemKind.METADATA,
            ItemKind.CLOSED_SLICES,
            ItemKind.PROBES,
            ItemKind.AGENT_BLOCK,
            ItemKind.BLOCKED_AGENT,
            ItemKind.UPSTREAM,
            ItemKind.CONTAINMENT_RULE,
            ItemKind.CONTAINMENT_CASE,
            ItemKind.LEASE,
            ItemKind.LOCK,
            ItemKind.WORKFLOW,
            ItemKind.LISTED_WORKFLOW,
            ItemKind.POOL_BELOW_MINIMUM,
            ItemKind.ROLE_DEFAULTS,
            ItemKind.HOST,
            ItemKind.LISTED_HOST,
            ItemKind.FLEET_STATISTICS,
            ItemKind.OPEN_PROBLEMS,
            ItemKind.PROBLEM,
            ItemKind.LEASE_COUNTS);

    @AutoClose
    private final DeployedSystem system = new DeployedSystem();

    private final JsonNode answers = Json.stored(Resources.text(ItemFixtures.FOLDER + ItemFixtures.ANSWERS));
    private final JsonNode items = Json.stored(Resources.text(ItemFixtures.FOLDER + ItemFixtures.ITEMS));

    @Test
    void every_kind_of_item_has_a_fixture() {
        Set<ItemKind> found = new HashSet<>();
        items.path(TestTables.REGISTRY).forEach(json -> found.add(ItemKinds.of(ItemFixtures.item(json))));
        assertThat(found).containsExactlyInAnyOrderElementsOf(List.of(ItemKind.values()));
        assertThat(items.path(TestTables.PULSES)).hasSizeGreaterThan(1);
    }

    @Test
    void every_item_has_the_schema_number() {
        for (String table : List.of(TestTables.PULSES, TestTables.REGISTRY)) {
            assertThat(items.path(table))
                    .allSatisfy(item -> assertThat(item.at("/v/N").asText())
                            .as(item.toString())
                            .isEqualTo("1"));
        }
    }

    @Test
    void items_of_the_released_version_are_read() {
        load(Map.of());
        assertSameAnswers();
    }

    @Test
    void a_request_that_the_released_version_answered_is_recognised() {
        load(Map.of());
        // Anything but the first answer would say that the agent is blocked.
        JsonNode again = EveryKindOfItem.invocation(system.api()).send().json();
        assertThat(again.path("receipt_id").asText()).isEqualTo(firstReceipt());
    }

    @Test
    void items_of_a_newer_version_are_read_and_keep_unknown_attributes_unless_written_as_a_whole() {
        load(Map.of("v", AttributeValue.fromN("2"), UNKNOWN, AttributeValue.fromS("of a newer version")));
        assertSameAnswers();
        liveOn();
        Set<ItemKind> lost = new TreeSet<>();
        Set<Map<String, AttributeValue>> before = keys();
        for (Map<String, AttributeValue> item : scan(TestTables.REGISTRY)) {
            Map<String, AttributeValue> key = Map.of("pk", item.get("pk"), "sk", item.get("sk"));
            if (before.contains(key) && !item.containsKey(UNKNOWN)) {
                lost.add(ItemKinds.of(item));
            }
        }
        assertThat(lost).as("kinds that lose attributes").containsExactlyInAnyOrderElementsOf(WRITTEN_WHOLE);
        assertThat(scan(TestTables.PULSES))
                .filteredOn(row -> Set.of(EveryKindOfItem.AGENT, EveryKindOfItem.OTHER)
                        .contains(row.get("id").s()))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row).containsKey(UNKNOWN));
    }

    @Test
    @Tag("slow")
    void items_of_today_have_what_the_released_version_reads() {
        load(Map.of());
        Map<String, Shapes> released = shapes(system.tables());
        try (EveryKindOfItem everything = new EveryKindOfItem()) {
            Map<String, Shapes> today = shapes(everything.system().tables());
            released.forEach((kind, shapes) -> {
                assertThat(today.get(kind).some()).as(kind).containsAll(shapes.some());
                assertThat(today.get(kind).every()).as("each " + kind).containsAll(shapes.every());
            });
        }
    }

    /**
     * The attributes of items of one kind, with their types: those that at least one item has, and those that all have.
     */
    private record Shapes(Set<String> some, Set<String> every) {

        private Shapes and(Shapes other) {
            Set<String> any = new TreeSet<>(some);
            any.addAll(other.some);
            Set<String> all = new TreeSet<>(every);
            all.retainAll(other.every);
            return new Shapes(any, all);
        }
    }

    private static Map<String, Shapes> shapes(TestTables tables) {
        Map<String, Shapes> shapes = new TreeMap<>();
        for (String table : List.of(TestTables.PULSES, TestTables.REGISTRY)) {
            scan(tables, table).forEach(item -> {
                Set<String> attributes = new TreeSet<>();
                addShapes("", AttributeValue.fromM(item), attributes);
                String kind = table.equals(TestTables.PULSES)
                        ? table
                        : ItemKinds.of(item).name();
                shapes.merge(kind, new Shapes(attributes, attributes), Shapes::and);
            });
        }
        return shapes;
    }

    private static void addShapes(String path, AttributeValue value, Set<String> shapes) {
        shapes.add(path + " " + value.type());
        if (value.hasM()) {
            value.m().forEach((name, inner) -> addShapes(path + "/" + name, inner, shapes));
        } else if (value.hasL()) {
            value.l().forEach(inner -> addShapes(path + "/", inner, shapes));
        }
    }

    private String firstReceipt() {
        String prefix = "/v1/receipts/";
        for (JsonNode answer : answers.path("answers")) {
            String path = answer.path("path").asText();
            if (path.startsWith(prefix)) {
                return path.substring(prefix.length());
            }
        }
        throw new AssertionError("no answer is about a receipt");
    }

    /** Everything that changes items of an agent that lives, and of what is around it. */
    private void liveOn() {
        TestApi api = system.api();
        String agent = "/api/v1/agents/" + EveryKindOfItem.AGENT;
        send(
                200,
                api.post(agent + "/heartbeat")
                        .key(EveryKindOfItem.AGENT_KEY)
                        .body(
                                "{\"status\":\"active\",\"current_load\":2,\"tasks_in_progress\":[\"other\"],\"client_timestamp\":\""
                                        + system.clock().instant() + "\"}"));
        send(200, api.patch(agent).key(ADMIN).header("if-match", "*").body("{\"name\":\"n\"}"));
        send(
                202,
                api.post(agent + "/outcomes")
                        .key(EveryKindOfItem.COORDINATOR_KEY)
                        .body(
                                """
                                {"batch_id":"newest","outcomes":[{"result":"success","latency_ms":12}]}\
                                """));
        JsonNode lease = api.get("/api/v1/intents/invoice/leases")
                .key(ADMIN)
                .send()
                .json()
                .path("leases")
                .get(0);
        send(
                200,
                api.patch("/api/v1/intents/invoice/leases/" + lease.path("id").asText())
                        .key(EveryKindOfItem.AGENT_KEY)
                        .body("{\"duration_seconds\":600}"));
        send(
                200,
                api.post("/v1/admin/agents/" + EveryKindOfItem.AGENT + "/block")
                        .key(ADMIN)
                        .body("{\"reason\":\"another\"}"));
        send(
                200,
                api.put("/v1/admin/hosts/" + EveryKindOfItem.HOST)
                        .key(ADMIN)
                        .body("{\"agent_id\":\"" + EveryKindOfItem.OTHER + "\"}"));
        JsonNode configuration =
                api.get("/v1/admin/configuration").key(ADMIN).send().json();
        send(200, api.put("/v1/admin/configuration").key(ADMIN).body(Json.text(configuration)));
        send(
                200,
                api.put("/api/v1/workflows/invoices")
                        .key(ADMIN)
                        .body("agents:\n  billing:\n    pool:\n      min_instances: 4\n"));
        send(
                201,
                api.post("/api/v1/agents")
                        .key(EveryKindOfItem.AGENT_KEY)
                        .body("{\"agent_id\":\"leaving\",\"role_id\":\"billing\"}"));
        send(
                201,
                api.post("/api/v1/agents")
                        .key(EveryKindOfItem.AGENT_KEY)
                        .body("{\"agent_id\":\"" + EveryKindOfItem.ARCHIVED + "\",\"role_id\":\"billing\"}"));
        system.clock().advanceSeconds(3_600);
        for (String beating : List.of(EveryKindOfItem.AGENT, EveryKindOfItem.OTHER)) {
            send(
                    200,
                    api.post("/api/v1/agents/" + beating + "/heartbeat")
                            .key(EveryKindOfItem.AGENT_KEY)
                            .body("{\"status\":\"active\",\"client_timestamp\":\""
                                    + system.clock().instant() + "\"}"));
        }
        system.invoke("SweepFunction", "{}");
        system.invoke("MeasurementFunction", "{}");
    }

    private void assertSameAnswers() {
        for (JsonNode answer : answers.path("answers")) {
            String path = answer.path("path").asText();
            assertSays(path, ItemFixtureWriterTest.ask(system.api(), path).json(), answer.path("body"));
        }
    }

    /** Fields may have come since; those that were there say the same. */
    private static void assertSays(String where, JsonNode actual, JsonNode expected) {
        if (expected.isObject()) {
            expected.properties()
                    .forEach(field ->
                            assertSays(where + " " + field.getKey(), actual.path(field.getKey()), field.getValue()));
        } else if (expected.isArray()) {
            assertThat(actual).as(where).hasSize(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                assertSays(where + "[" + i + "]", actual.get(i), expected.get(i));
            }
        } else {
            assertThat(actual).as(where).isEqualTo(expected);
        }
    }

    /** Puts the fixtures into the tables, each with {@code more}, and sets the clock to when they were written. */
    private void load(Map<String, AttributeValue> more) {
        Instant at = Instant.parse(answers.path("at").asText());
        system.clock().advance(Duration.between(system.clock().instant(), at));
        for (String table : List.of(TestTables.PULSES, TestTables.REGISTRY)) {
            List<WriteRequest> puts = new ArrayList<>();
            items.path(table).forEach(json -> {
                Map<String, AttributeValue> item = new HashMap<>(ItemFixtures.item(json));
                item.putAll(more);
                puts.add(WriteRequest.builder().putRequest(p -> p.item(item)).build());
            });
            for (int i = 0; i < puts.size(); i += 25) {
                List<WriteRequest> some = puts.subList(i, Math.min(i + 25, puts.size()));
                system.tables().dynamoDb().batchWriteItem(r -> r.requestItems(Map.of(table, some)));
            }
        }
    }

    private Set<Map<String, AttributeValue>> keys() {
        Set<Map<String, AttributeValue>> keys = new HashSet<>();
        items.path(TestTables.REGISTRY).forEach(json -> {
            Map<String, AttributeValue> item = ItemFixtures.item(json);
            keys.add(Map.of("pk", item.get("pk"), "sk", item.get("sk")));
        });
        return keys;
    }

    private List<Map<String, AttributeValue>> scan(String table) {
        return scan(system.tables(), table);
    }

    private static List<Map<String, AttributeValue>> scan(TestTables tables, String table) {
        return tables.dynamoDb().scanPaginator(r -> r.tableName(table).consistentRead(true)).items().stream()
                .toList();
    }

    private static void send(int status, Request request) {
        TestApi.Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
    }
}
