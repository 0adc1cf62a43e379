package dev.agenthealth.functions.storage.dynamo;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Conditions, updates, queries and batches as DynamoDB evaluates them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TableTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @AutoClose
    private TestSystem system;

    private TestDynamoDb faulty;
    private Database database;
    private Table table;
    private int items;

    @BeforeAll
    void open() {
        system = new TestSystem();
        faulty = new TestDynamoDb(system.dynamoDb());
        database = system.databaseThrough(faulty);
        table = database.registry();
    }

    static List<Condition> conditionsThatHold() {
        return List.of(
                Condition.NONE,
                Condition.exists("number"),
                Condition.absent("missing"),
                Condition.absentOrExpired(NOW),
                Condition.unexpired(NOW.minusSeconds(1)),
                Condition.equal("number", n(7)),
                Condition.numberOrAbsent("number", 7),
                Condition.numberOrAbsent("missing", 0),
                Condition.lessThan("number", n(8)),
                Condition.atMost("number", n(7)),
                Condition.moreThan("number", n(6)),
                Condition.atLeast("number", n(7)),
                Condition.between("number", n(7), n(8)),
                Condition.in("number", List.of(n(6), n(7))),
                Condition.beginsWith("text", s("ab")),
                Condition.contains("set", bytes("x")),
                Condition.sizeLessThan("set", 3),
                Condition.exists("missing").not(),
                Condition.exists("missing").or(Condition.exists("number")),
                Condition.exists("text").and(Condition.equal("number", n(7))),
                // AND binds closer than OR: an alternative keeps its own boundaries.
                Condition.exists("missing")
                        .and(Condition.exists("number").or(Condition.exists("text")))
                        .not());
    }

    private static AttributeValue bytes(String text) {
        return AttributeValue.fromB(SdkBytes.fromUtf8String(text));
    }

    @ParameterizedTest
    @MethodSource("conditionsThatHold")
    void a_condition_that_holds_lets_the_write_through_and_its_negation_does_not(Condition condition) {
        Map<String, AttributeValue> item = newItem();
        item.put("number", n(7));
        item.put("text", s("abc"));
        item.put("set", AttributeValue.fromBs(List.of(bytes("x").b(), bytes("y").b())));
        item.put(Attributes.EXPIRES, n(NOW.getEpochSecond()));
        table.put(item);
        assertThat(table.put(item, condition)).isTrue();
        if (condition != Condition.NONE) {
            assertThat(table.put(item, condition.not())).isFalse();
            assertThat(table.delete(Attributes.keyOf(item), condition.not())).isFalse();
            assertThat(table.putUnlessPresent(Attributes.keyOf(item), condition.not()))
                    .contains(item);
        }
        assertThat(table.delete(Attributes.keyOf(item), condition)).isTrue();
        assertThat(table.get(Attributes.keyOf(item))).isEmpty();
        assertThat(table.find(Attributes.keyOf(item))).isEmpty();
    }

    @Test
    void an_update_sets_removes_and_adds_in_one_write() {
        Map<String, AttributeValue> item = newItem();
        item.put("old", s("removed"));
        item.put("count", n(2));
        item.put("kept", s("first"));
        item.put("replaced", s("before"));
        item.put("dropped", s("before"));
        table.put(item);
        Update update = Update.of(Attributes.keyOf(item))
                .set("text", s("new"))
                .setAll(Map.of("one", n(1), "two", n(2)))
                .setIfAbsent("kept", s("second"))
                .setIfAbsent("fresh", s("second"))
                .replace(List.of("replaced", "dropped"), Map.of("replaced", s("after")))
                .remove("old")
                .add("count", n(3))
                .when(Condition.exists("old"))
                .when(Condition.equal("count", n(2)));
        UpdateResult result = table.updateAndGet(update);
        assertThat(result.applied()).isTrue();
        assertThat(result.retried()).isFalse();
        assertThat(result.item()).isEqualTo(table.get(Attributes.keyOf(item)));
        assertThat(result.item()).doesNotContainKeys("old", "dropped");
        assertThat(List.of(
                        text(result.item(), "text"),
                        text(result.item(), "kept"),
                        text(result.item(), "fresh"),
                        text(result.item(), "replaced")))
                .containsExactly("new", "first", "second", "after");
        assertThat(number(result.item(), "count", 0)).isEqualTo(5);
        assertThat(table.updateAndGetPrevious(Update.of(Attributes.keyOf(item)).set("other", s("value"))))
                .contains(result.item());
        table.update(Update.of(Attributes.keyOf(item)).remove("other"));
        UpdateResult refused = table.updateAndGet(update);
        assertThat(refused.applied()).isFalse();
        assertThat(refused.item()).isEqualTo(result.item());
        assertThat(table.update(update)).isFalse();
        assertThat(table.updateAndGetPrevious(update)).isEmpty();
        assertThat(table.updateAndGetPrevious(Update.of(newItem()).set("text", s("new"))))
                .contains(Map.of());
    }

    @Test
    void a_lost_response_shows_as_a_retried_update() {
        Map<String, AttributeValue> item = newItem();
        faulty.loseAnswerOf(UpdateItemRequest.class);
        UpdateResult result = table.updateAndGet(
                Update.of(Attributes.keyOf(item)).set("text", s("once")).when(Condition.absent(Attributes.PK)));
        assertThat(result.applied()).isFalse();
        assertThat(result.retried()).isTrue();
        assertThat(text(result.item(), "text")).isEqualTo("once");
    }

    @Test
    void a_query_reads_the_chosen_part_of_a_partition_in_order() {
        for (int i = 0; i < 10; i++) {
            Map<String, AttributeValue> item = new HashMap<>(Attributes.key("query", "k" + i));
            item.put("number", n(i));
            item.put("text", s("t"));
            table.put(item);
        }
        Query all = Query.partition("query").consistent();
        assertThat(sortKeys(table.all(all).toList())).hasSize(10).isSorted();
        assertThat(sortKeys(table.first(3, all))).containsExactly("k0", "k1", "k2");
        assertThat(sortKeys(table.first(2, all.after("k3")))).containsExactly("k4", "k5");
        assertThat(sortKeys(table.first(20, all.after("")))).hasSize(10);
        assertThat(sortKeys(table.all(all.before("k2")).toList())).containsExactly("k0", "k1");
        assertThat(sortKeys(table.all(all.between("k2", "k3")).toList())).containsExactly("k2", "k3");
        assertThat(sortKeys(table.all(all.startingWith("k9")).toList())).containsExactly("k9");
        assertThat(sortKeys(table.all(all.startingWith("k", "")).toList())).hasSize(10);
        assertThat(sortKeys(table.first(3, all.startingWith("k", "4")))).containsExactly("k5", "k6", "k7");
        // The place may be that of an item that is gone.
        assertThat(sortKeys(table.all(all.startingWith("k", "75")).toList())).containsExactly("k8", "k9");
        assertThat(sortKeys(table.first(1, all.descending()))).containsExactly("k9");
        assertThat(sortKeys(
                        table.all(all.filter(Condition.atLeast("number", n(8)))).toList()))
                .containsExactly("k8", "k9");
        assertThat(table.first(1, all.project("number")).get(0)).isEqualTo(Map.of("number", n(0)));
        Page page = table.page(all, 4, Map.of());
        assertThat(page.hasMore()).isTrue();
        assertThat(sortKeys(table.page(all, 20, page.lastKey()).items())).startsWith("k4");
    }

    @Test
    void more_than_one_page_is_read_to_the_end() {
        String text = "x".repeat(300_000);
        for (int i = 0; i < 8; i++) {
            Map<String, AttributeValue> item = new HashMap<>(Attributes.key("pages", "k" + i));
            item.put("text", s(text));
            table.put(item);
        }
        assertThat(table.page(Query.partition("pages"), 8, Map.of()).hasMore()).isTrue();
        assertThat(sortKeys(table.all(Query.partition("pages")).toList())).hasSize(8);
        assertThat(sortKeys(table.first(7, Query.partition("pages")))).hasSize(7);
        Set<String> scanned = new HashSet<>();
        for (int segment = 0; segment < 3; segment++) {
            table.scan(segment, 3, List.of(Attributes.SK), item -> {
                assertThat(item).containsOnlyKeys(Attributes.SK);
                scanned.add(text(item, Attributes.SK));
            });
        }
        assertThat(scanned).contains("k0", "k7");
    }

    @Test
    void batches_of_any_size_are_read_and_deleted() {
        List<Map<String, AttributeValue>> keys = IntStream.range(0, 130)
                .mapToObj(i -> Attributes.key("batch", "k" + i))
                .toList();
        keys.forEach(table::put);
        assertThat(table.getAll(keys, true)).hasSize(130);
        table.deleteAll(keys);
        assertThat(table.getAll(keys, true)).isEmpty();
    }

    @Test
    void every_kind_of_item_fills_its_key_from_the_parts_given() {
        assertThat(ItemKind.PROFILE.key("a")).isEqualTo(Attributes.key("A#a", "P"));
        assertThat(ItemKind.SLICE.key("a", "1", "60", "0")).isEqualTo(Attributes.key("A#a", "O#1#60#0"));
        assertThat(ItemKind.PROVIDER_INVOCATION.key("p", "3", "17", "r")).isEqualTo(Attributes.key("V#p#3", "F#17#r"));
        assertThat(ItemKind.LISTED_KEY.partition()).isEqualTo("KEYS");
        assertThat(ItemKind.LISTED_KEY.prefix()).isEmpty();
        assertThat(ItemKind.AGENT_EVENT.prefix()).isEqualTo("E#");
        assertThat(ItemKind.AGENT_EVENT.sortKey("000000000001")).isEqualTo("E#000000000001");
        assertThat(ItemKind.AGENT_EVENT.afterPrefix(ItemKind.AGENT_EVENT.key("a", "5")))
                .isEqualTo("5");
        assertThat(ItemKind.PROFILE.ofPartition(ItemKind.PROFILE.key("a"))).isEqualTo("a");
    }

    private Map<String, AttributeValue> newItem() {
        return new HashMap<>(Attributes.key("table", "item" + items++));
    }

    private static List<String> sortKeys(List<Map<String, AttributeValue>> found) {
        return found.stream().map(item -> text(item, Attributes.SK)).toList();
    }
}
