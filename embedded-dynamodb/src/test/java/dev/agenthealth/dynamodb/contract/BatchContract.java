package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.id;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** BatchGetItem and BatchWriteItem. */
abstract class BatchContract extends Contract {

    private static final int MAX_READS = 100;
    private static final int MAX_WRITES = 25;
    private static final int KILOBYTE = 1024;

    BatchContract(Backend backend) {
        super(backend);
    }

    private BatchGetItemResponse get(List<Map<String, AttributeValue>> keys) {
        return client.batchGetItem(r -> r.requestItems(Map.of(
                registry,
                KeysAndAttributes.builder().keys(keys).consistentRead(true).build())));
    }

    private BatchWriteItemResponse write(List<WriteRequest> writes) {
        return client.batchWriteItem(r -> r.requestItems(Map.of(registry, writes)));
    }

    private List<Map<String, AttributeValue>> keys(int number) {
        return IntStream.range(0, number).mapToObj(i -> key("k" + i)).toList();
    }

    private static WriteRequest deletion(Map<String, AttributeValue> key) {
        return WriteRequest.builder().deleteRequest(d -> d.key(key)).build();
    }

    private static List<WriteRequest> deletions(List<Map<String, AttributeValue>> keys) {
        return keys.stream().map(BatchContract::deletion).toList();
    }

    @Test
    void a_batch_reads_from_two_tables() {
        Map<String, AttributeValue> first = put("v", n(1));
        Map<String, AttributeValue> second = putAt("b");
        putPulse(pk, "v", n(2));

        BatchGetItemResponse response = client.batchGetItem(r -> r.requestItems(Map.of(
                registry,
                KeysAndAttributes.builder().keys(List.of(key("a"), key("b"))).build(),
                pulses,
                KeysAndAttributes.builder().keys(List.of(id(pk))).build())));

        assertThat(response.responses().get(registry)).containsExactlyInAnyOrder(first, second);
        assertThat(response.responses().get(pulses)).containsExactly(with(id(pk), "v", n(2)));
        assertThat(response.unprocessedKeys()).isEmpty();
    }

    @Test
    void missing_items_are_left_out() {
        Map<String, AttributeValue> item = put();

        BatchGetItemResponse response = get(List.of(key("a"), key("b")));

        assertThat(response.responses()).isEqualTo(Map.of(registry, List.of(item)));
        assertThat(response.unprocessedKeys()).isEmpty();
    }

    @Test
    void a_table_without_found_items_is_listed() {
        assertThat(get(List.of(key())).responses()).isEqualTo(Map.of(registry, List.of()));
    }

    @Test
    void a_batch_projects_attributes() {
        put("v", n(1), "status", s("UP"), "w", n(2));

        assertThat(client.batchGetItem(r -> r.requestItems(Map.of(
                                registry,
                                KeysAndAttributes.builder()
                                        .keys(List.of(key()))
                                        .projectionExpression("v, #s")
                                        .expressionAttributeNames(names("#s", "status"))
                                        .build())))
                        .responses()
                        .get(registry))
                .containsExactly(item("v", n(1), "status", s("UP")));
    }

    @Test
    void a_batch_reads_at_most_100_keys() {
        putAt("k99");

        assertThat(get(keys(MAX_READS)).responses().get(registry)).hasSize(1);
        assertInvalid(() -> get(keys(MAX_READS + 1)));
    }

    @Test
    void a_batch_reads_at_most_100_keys_of_all_tables_together() {
        assertInvalid(() -> client.batchGetItem(r -> r.requestItems(Map.of(
                registry,
                KeysAndAttributes.builder().keys(keys(MAX_READS)).build(),
                pulses,
                KeysAndAttributes.builder().keys(List.of(id("a"))).build()))));
    }

    @Test
    void the_same_key_twice_in_a_batch_is_refused() {
        assertInvalid(() -> get(List.of(key(), key())));
        assertInvalid(() -> write(deletions(List.of(key(), key()))));
        assertInvalid(() -> write(List.of(
                deletion(key()),
                WriteRequest.builder().putRequest(p -> p.item(key())).build())));
    }

    @Test
    void an_empty_batch_is_refused() {
        assertInvalid(() -> client.batchGetItem(r -> r.requestItems(Map.of())));
        assertInvalid(() -> client.batchWriteItem(r -> r.requestItems(Map.of())));
        assertInvalid(() -> get(List.of()));
        assertInvalid(() -> write(List.of()));
    }

    @Test
    void a_batch_with_a_key_that_does_not_match_the_schema_is_refused() {
        put();

        assertInvalid(() -> get(List.of(item("pk", s(pk)))));
        assertInvalid(() -> write(List.of(deletion(key()), deletion(item("pk", s(pk))))));
        assertThat(get()).isNotEmpty();
    }

    @Test
    void a_batch_on_an_unknown_table_is_refused() {
        String unknown = backend.unusedName("unknown");

        assertCode(
                "ResourceNotFoundException",
                () -> client.batchGetItem(r -> r.requestItems(Map.of(
                        unknown,
                        KeysAndAttributes.builder().keys(List.of(key())).build()))));
        assertCode(
                "ResourceNotFoundException",
                () -> client.batchWriteItem(r -> r.requestItems(Map.of(unknown, List.of(deletion(key()))))));
    }

    @Test
    void a_batch_deletes_at_most_25_items() {
        List<Map<String, AttributeValue>> keys = keys(MAX_WRITES + 1);
        putAll("k0", "k24", "k25");

        assertInvalid(() -> write(deletions(keys)));
        BatchWriteItemResponse response = write(deletions(keys.subList(0, MAX_WRITES)));

        assertThat(response.unprocessedItems()).isEmpty();
        assertThat(get(keys).responses().get(registry)).containsExactly(key("k25"));
    }

    @Test
    void a_page_of_a_batch_ends_at_16_megabytes() {
        List<Map<String, AttributeValue>> keys = keys(45);
        String text = "x".repeat(390 * KILOBYTE);
        keys.forEach(key -> putAt(key.get("sk").s(), "v", s(text)));

        Set<Map<String, AttributeValue>> found = new HashSet<>();
        List<Map<String, AttributeValue>> left = new ArrayList<>(keys);
        int requests = 0;
        while (!left.isEmpty()) {
            BatchGetItemResponse response = get(left);
            response.responses().get(registry).forEach(item -> found.add(Values.only(item, "pk", "sk")));
            left = response.unprocessedKeys().containsKey(registry)
                    ? response.unprocessedKeys().get(registry).keys()
                    : List.of();
            requests++;
        }

        assertThat(requests).isEqualTo(2);
        assertThat(found).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void a_page_of_a_batch_of_two_tables_ends_at_16_megabytes() {
        String text = "x".repeat(390 * KILOBYTE);
        List<Map<String, AttributeValue>> keys = keys(25);
        keys.forEach(key -> putAt(key.get("sk").s(), "v", s(text)));
        List<Map<String, AttributeValue>> ids =
                IntStream.range(0, 25).mapToObj(i -> id(pk + "-" + i)).toList();
        ids.forEach(id -> putPulse(id.get("id").s(), "v", s(text)));

        BatchGetItemResponse response = client.batchGetItem(r -> r.requestItems(Map.of(
                registry,
                KeysAndAttributes.builder().keys(keys).build(),
                pulses,
                KeysAndAttributes.builder().keys(ids).build())));

        int read = response.responses().values().stream().mapToInt(List::size).sum();
        int left = response.unprocessedKeys().values().stream()
                .mapToInt(some -> some.keys().size())
                .sum();
        assertThat(read).isBetween(40, 43);
        assertThat(left).isEqualTo(50 - read);
    }
}
