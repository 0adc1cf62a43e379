package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.id;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Scan. */
abstract class ScanContract extends Contract {

    private static final int ITEMS = 40;
    private static final int KILOBYTE = 1024;

    ScanContract(Backend backend) {
        super(backend);
    }

    @BeforeAll
    void putItems() {
        for (int i = 0; i < ITEMS; i++) {
            putPulse("agent-" + i, "v", n(i), "x", s("UP"));
        }
    }

    private ScanResponse scan(Consumer<ScanRequest.Builder> request) {
        return client.scan(r -> r.tableName(pulses).consistentRead(true).applyMutation(request));
    }

    private List<String> ids(List<Map<String, AttributeValue>> items) {
        return items.stream().map(item -> item.get("id").s()).toList();
    }

    private List<String> all() {
        return IntStream.range(0, ITEMS).mapToObj(i -> "agent-" + i).toList();
    }

    private List<String> pages(Consumer<ScanRequest.Builder> request) {
        List<String> ids = new ArrayList<>();
        Map<String, AttributeValue> start = null;
        do {
            Map<String, AttributeValue> from = start;
            ScanResponse page = scan(r -> r.exclusiveStartKey(from).applyMutation(request));
            ids.addAll(ids(page.items()));
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);
        return ids;
    }

    @Test
    void a_scan_reads_the_whole_table() {
        ScanResponse response = scan(r -> {});

        assertThat(ids(response.items())).containsExactlyInAnyOrderElementsOf(all());
        assertThat(response.count()).isEqualTo(ITEMS);
        assertThat(response.scannedCount()).isEqualTo(ITEMS);
        assertThat(response.hasLastEvaluatedKey()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {1, 7, 40, 100})
    void pages_are_chained(int limit) {
        assertThat(pages(r -> r.limit(limit))).containsExactlyInAnyOrderElementsOf(all());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {1, 2, 3, 16})
    void segments_are_disjoint_and_complete(int total) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < total; i++) {
            int segment = i;
            ids.addAll(pages(r -> r.segment(segment).totalSegments(total)));
        }

        assertThat(ids).containsExactlyInAnyOrderElementsOf(all());
    }

    @Test
    void pages_of_segments_are_disjoint_and_complete() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int segment = i;
            ids.addAll(pages(r -> r.segment(segment).totalSegments(3).limit(4).projectionExpression("id")));
        }

        assertThat(ids).containsExactlyInAnyOrderElementsOf(all());
    }

    @Test
    void a_limit_that_is_hit_exactly_leaves_a_last_key() {
        ScanResponse response = scan(r -> r.limit(ITEMS));

        assertThat(response.items()).hasSize(ITEMS);
        assertThat(response.lastEvaluatedKey())
                .isEqualTo(id(response.items().get(ITEMS - 1).get("id").s()));
        ScanResponse next = scan(r -> r.exclusiveStartKey(response.lastEvaluatedKey()));
        assertThat(next.items()).isEmpty();
        assertThat(next.hasLastEvaluatedKey()).isFalse();
    }

    @Test
    void a_scan_continues_after_an_item_that_is_gone() {
        String table = ContractTables.createPulses(backend);
        for (int i = 0; i < 10; i++) {
            Map<String, AttributeValue> item = id("agent-" + i);
            client.putItem(r -> r.tableName(table).item(item));
        }
        ScanResponse first = scan(r -> r.tableName(table).limit(5));
        client.deleteItem(r -> r.tableName(table).key(first.lastEvaluatedKey()));

        ScanResponse rest = scan(r -> r.tableName(table).exclusiveStartKey(first.lastEvaluatedKey()));

        assertThat(rest.items()).hasSize(5).doesNotContainAnyElementsOf(first.items());
    }

    @Test
    void a_filter_is_applied_after_the_limit() {
        ScanResponse response =
                scan(r -> r.limit(10).filterExpression("v < :v").expressionAttributeValues(item(":v", n(0))));

        assertThat(response.items()).isEmpty();
        assertThat(response.scannedCount()).isEqualTo(10);
        assertThat(response.hasLastEvaluatedKey()).isTrue();
    }

    @Test
    void a_filter_may_name_the_key() {
        assertThat(ids(scan(r -> r.filterExpression("id = :id").expressionAttributeValues(item(":id", s("agent-7"))))
                        .items()))
                .containsExactly("agent-7");
    }

    @Test
    void a_projection_selects_attributes() {
        assertThat(scan(r -> r.projectionExpression("v")
                                .filterExpression("id = :id")
                                .expressionAttributeValues(item(":id", s("agent-7"))))
                        .items())
                .containsExactly(item("v", n(7)));
    }

    @Test
    void a_page_ends_at_1_megabyte_before_filter_and_projection() {
        String table = ContractTables.createPulses(backend);
        for (String id : List.of("a", "b", "c", "d")) {
            client.putItem(r -> r.tableName(table).item(item("id", s(id), "v", s("x".repeat(390 * KILOBYTE)))));
        }

        ScanResponse projected = scan(r -> r.tableName(table).projectionExpression("id"));
        ScanResponse filtered = scan(r -> r.tableName(table).filterExpression("attribute_exists(w)"));

        assertThat(projected.count()).isIn(2, 3);
        assertThat(projected.hasLastEvaluatedKey()).isTrue();
        assertThat(filtered.items()).isEmpty();
        assertThat(filtered.scannedCount()).isIn(2, 3);
        assertThat(filtered.hasLastEvaluatedKey()).isTrue();
    }

    @Test
    void an_empty_table_has_no_items() {
        String table = ContractTables.createRegistry(backend);

        ScanResponse response = scan(r -> r.tableName(table));

        assertThat(response.items()).isEmpty();
        assertThat(response.hasLastEvaluatedKey()).isFalse();
    }

    @Test
    void segments_that_are_not_valid_are_refused() {
        assertInvalid(() -> scan(r -> r.segment(0)));
        assertInvalid(() -> scan(r -> r.totalSegments(2)));
        assertInvalid(() -> scan(r -> r.segment(2).totalSegments(2)));
        assertInvalid(() -> scan(r -> r.segment(-1).totalSegments(2)));
        assertInvalid(() -> scan(r -> r.segment(0).totalSegments(0)));
        assertInvalid(() -> scan(r -> r.segment(0).totalSegments(1_000_001)));
    }

    @Test
    void a_start_key_of_another_segment_is_refused() {
        Map<String, AttributeValue> first =
                scan(r -> r.segment(0).totalSegments(2).limit(1)).lastEvaluatedKey();

        assertInvalid(() -> scan(r -> r.segment(1).totalSegments(2).exclusiveStartKey(first)));
    }

    @Test
    void a_limit_or_start_key_that_is_not_valid_is_refused() {
        assertInvalid(() -> scan(r -> r.limit(0)));
        assertInvalid(() -> scan(r -> r.exclusiveStartKey(item("v", n(1)))));
        assertInvalid(() -> scan(r -> r.exclusiveStartKey(item("id", n(1)))));
    }

    @Test
    void a_scan_of_an_unknown_table_is_refused() {
        assertCode("ResourceNotFoundException", () -> scan(r -> r.tableName(backend.unusedName("unknown"))));
    }
}
