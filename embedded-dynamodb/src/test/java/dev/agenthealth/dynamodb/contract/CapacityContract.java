package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.id;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The capacity that requests report. */
abstract class CapacityContract extends Contract {

    private static final int KILOBYTE = 1024;

    CapacityContract(Backend backend) {
        super(backend);
    }

    private static AttributeValue kilobytes(double number) {
        return s("x".repeat((int) (number * KILOBYTE)));
    }

    private double units(ConsumedCapacity consumed) {
        assertThat(consumed.tableName()).isEqualTo(registry);
        return consumed.capacityUnits();
    }

    private double read(boolean consistent) {
        return units(client.getItem(r -> r.tableName(registry)
                        .key(key())
                        .consistentRead(consistent)
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                .consumedCapacity());
    }

    private ConsumedCapacity putting(ReturnConsumedCapacity mode, Object... attributes) {
        return client.putItem(
                        r -> r.tableName(registry).item(with(key(), attributes)).returnConsumedCapacity(mode))
                .consumedCapacity();
    }

    private double put(ReturnConsumedCapacity mode, Object... attributes) {
        return units(putting(mode, attributes));
    }

    private ConsumedCapacity updating(String expression, Object... values) {
        return client.updateItem(r -> r.tableName(registry)
                        .key(key())
                        .updateExpression(expression)
                        .expressionAttributeValues(values.length == 0 ? null : item(values))
                        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES))
                .consumedCapacity();
    }

    private double delete() {
        return units(client.deleteItem(
                        r -> r.tableName(registry).key(key()).returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                .consumedCapacity());
    }

    private double query(Consumer<QueryRequest.Builder> request) {
        return units(client.query(r -> r.tableName(registry)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(item(":pk", s(pk)))
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                        .applyMutation(request))
                .consumedCapacity());
    }

    @Test
    void capacity_is_not_reported_unless_asked() {
        assertThat(client.putItem(r -> r.tableName(registry).item(key())).consumedCapacity())
                .isNull();
        assertThat(client.getItem(r -> r.tableName(registry).key(key())).consumedCapacity())
                .isNull();
        assertThat(putting(ReturnConsumedCapacity.NONE)).isNull();
        assertThat(client.transactWriteItems(r -> r.transactItems(putting(key())))
                        .hasConsumedCapacity())
                .isFalse();
    }

    @ParameterizedTest(name = "{0} KB")
    @CsvSource({"0.1, 1", "3.9, 1", "4.1, 2", "8.1, 3"})
    void a_consistent_read_is_charged_by_4_kilobytes(double size, double units) {
        put("v", kilobytes(size));

        assertThat(read(true)).isEqualTo(units);
    }

    @ParameterizedTest(name = "{0} KB")
    @CsvSource({"0.1, 0.5", "3.9, 0.5", "4.1, 1", "8.1, 1.5"})
    void an_eventually_consistent_read_is_charged_half(double size, double units) {
        put("v", kilobytes(size));

        assertThat(read(false)).isEqualTo(units);
    }

    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({"4096, 1", "4097, 2", "8192, 2", "8193, 3"})
    void a_read_of_whole_units_is_charged_no_further_one(int size, double units) {
        int overhead = "pk".length() + pk.length() + "sk".length() + "a".length() + "v".length();
        put("v", s("x".repeat(size - overhead)));

        assertThat(read(true)).isEqualTo(units);
    }

    @Test
    void the_read_of_a_missing_item_is_charged() {
        assertThat(read(true)).isEqualTo(1);
        assertThat(read(false)).isEqualTo(0.5);
    }

    @Test
    void a_projection_is_charged_like_the_whole_item() {
        put("v", kilobytes(8.1));

        assertThat(units(client.getItem(r -> r.tableName(registry)
                                .key(key())
                                .consistentRead(true)
                                .projectionExpression("pk")
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .consumedCapacity()))
                .isEqualTo(3);
    }

    @ParameterizedTest(name = "{0} KB")
    @CsvSource({"0.1, 1", "0.9, 1", "1.1, 2", "4.1, 5"})
    void a_put_is_charged_by_kilobytes(double size, double units) {
        assertThat(put(ReturnConsumedCapacity.TOTAL, "v", kilobytes(size))).isEqualTo(units);
    }

    @Test
    void a_put_is_charged_by_the_larger_of_the_old_and_the_new_item() {
        put("v", kilobytes(3.1));

        assertThat(put(ReturnConsumedCapacity.TOTAL)).isEqualTo(4);
        assertThat(put(ReturnConsumedCapacity.TOTAL)).isEqualTo(1);
    }

    @Test
    void an_update_is_charged_by_the_larger_of_the_old_and_the_new_item() {
        put("v", kilobytes(3.1));

        assertThat(units(updating("SET w = :w", ":w", n(1)))).isEqualTo(4);
        assertThat(units(updating("REMOVE v"))).isEqualTo(4);
        assertThat(units(updating("REMOVE w"))).isEqualTo(1);
    }

    @Test
    void a_delete_is_charged_by_the_size_of_the_item() {
        put("v", kilobytes(3.1));

        assertThat(delete()).isEqualTo(4);
    }

    @Test
    void a_delete_of_a_missing_item_is_charged() {
        assertThat(delete()).isEqualTo(1);
    }

    @Test
    void a_write_to_an_index_is_charged() {
        ConsumedCapacity consumed =
                putting(ReturnConsumedCapacity.INDEXES, "fp", s("p"), "fs", s("1"), "v", kilobytes(1.1));

        assertThat(consumed.capacityUnits()).isEqualTo(4);
        assertThat(consumed.table().capacityUnits()).isEqualTo(2);
        assertThat(consumed.globalSecondaryIndexes())
                .isEqualTo(Map.of("feed", Capacity.builder().capacityUnits(2.0).build()));
    }

    @Test
    void a_total_includes_the_indexes_and_does_not_list_them() {
        ConsumedCapacity consumed =
                putting(ReturnConsumedCapacity.TOTAL, "fp", s("p"), "fs", s("1"), "dp", s("p"), "ds", s("1"));

        assertThat(consumed.capacityUnits()).isEqualTo(3);
        assertThat(consumed.table()).isNull();
        assertThat(consumed.hasGlobalSecondaryIndexes()).isFalse();
    }

    @Test
    void an_index_that_does_not_change_is_not_charged() {
        put("dp", s("p"), "ds", s("1"), "v", n(1));

        ConsumedCapacity consumed = updating("SET v = :v", ":v", n(2));

        assertThat(consumed.capacityUnits()).isEqualTo(1);
        assertThat(consumed.globalSecondaryIndexes()).isEmpty();
    }

    @Test
    void an_index_whose_projected_attributes_change_is_charged_once() {
        put("fp", s("p"), "fs", s("1"), "v", n(1));

        assertThat(updating("SET v = :v", ":v", n(2)).capacityUnits()).isEqualTo(2);
    }

    @Test
    void an_index_whose_key_changes_is_charged_twice() {
        put("dp", s("p"), "ds", s("1"));

        ConsumedCapacity consumed = updating("SET ds = :v", ":v", s("2"));

        assertThat(consumed.capacityUnits()).isEqualTo(3);
        assertThat(consumed.globalSecondaryIndexes().get("due").capacityUnits()).isEqualTo(2);
    }

    @Test
    void the_removal_from_an_index_is_charged_once() {
        put("dp", s("p"), "ds", s("1"));

        assertThat(updating("REMOVE dp, ds").capacityUnits()).isEqualTo(2);
    }

    @Test
    void a_delete_is_charged_for_the_indexes() {
        put("fp", s("p"), "fs", s("1"), "dp", s("p"), "ds", s("1"));

        assertThat(delete()).isEqualTo(3);
    }

    @Test
    void a_transaction_is_charged_twice() {
        List<ConsumedCapacity> consumed = client.transactWriteItems(
                        r -> r.transactItems(putting(with(key("a"), "v", kilobytes(1.1))), putting(key("b")))
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                .consumedCapacity();

        assertThat(consumed).hasSize(1);
        assertThat(units(consumed.get(0))).isEqualTo(6);
    }

    @Test
    void a_transaction_is_charged_by_table() {
        assertThat(client.transactWriteItems(r -> r.transactItems(
                                        putting(key()),
                                        TransactWriteItem.builder()
                                                .put(p -> p.tableName(pulses).item(id(pk)))
                                                .build())
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .consumedCapacity())
                .extracting(ConsumedCapacity::tableName, ConsumedCapacity::capacityUnits)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(registry, 2.0),
                        org.assertj.core.groups.Tuple.tuple(pulses, 2.0));
    }

    @Test
    void a_query_is_charged_by_the_sum_of_its_items() {
        for (int i = 0; i < 10; i++) {
            putAt("k" + i, "v", kilobytes(0.9));
        }

        // 9 KB together, and not 10 times 4 KB.
        assertThat(query(r -> r.consistentRead(true))).isEqualTo(3);
        assertThat(query(r -> {})).isEqualTo(1.5);
    }

    @Test
    void a_query_is_charged_before_filter_and_projection() {
        for (int i = 0; i < 10; i++) {
            putAt("k" + i, "v", kilobytes(0.9));
        }

        assertThat(query(r -> r.filterExpression("attribute_exists(w)"))).isEqualTo(1.5);
        assertThat(query(r -> r.projectionExpression("sk"))).isEqualTo(1.5);
        assertThat(query(r -> r.limit(1))).isEqualTo(0.5);
    }

    @Test
    void a_query_without_items_is_charged() {
        assertThat(query(r -> {})).isEqualTo(0.5);
        assertThat(query(r -> r.consistentRead(true))).isEqualTo(1);
    }

    @Test
    void a_query_of_an_index_of_keys_is_charged_by_the_keys() {
        for (int i = 0; i < 10; i++) {
            putAt("k" + i, "dp", s(pk), "ds", s("1"), "v", kilobytes(3));
        }

        ConsumedCapacity consumed = client.query(r -> r.tableName(registry)
                        .indexName("due")
                        .keyConditionExpression("dp = :p")
                        .expressionAttributeValues(item(":p", s(pk)))
                        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES))
                .consumedCapacity();

        assertThat(consumed.capacityUnits()).isEqualTo(0.5);
        assertThat(consumed.globalSecondaryIndexes().get("due").capacityUnits()).isEqualTo(0.5);
    }

    @Test
    void a_scan_is_charged_by_the_sum_of_its_items() {
        String table = ContractTables.createPulses(backend);
        for (int i = 0; i < 10; i++) {
            Map<String, AttributeValue> item = with(id("agent-" + i), "v", kilobytes(0.9));
            client.putItem(r -> r.tableName(table).item(item));
        }

        assertThat(client.scan(r -> r.tableName(table)
                                .projectionExpression("id")
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .consumedCapacity()
                        .capacityUnits())
                .isEqualTo(1.5);
    }

    @Test
    void a_batch_of_reads_is_charged_by_item() {
        putAt("a", "v", kilobytes(0.1));
        putAt("b", "v", kilobytes(4.1));

        assertThat(client.batchGetItem(r -> r.requestItems(Map.of(
                                        registry,
                                        KeysAndAttributes.builder()
                                                .keys(List.of(key("a"), key("b"), key("missing")))
                                                .consistentRead(true)
                                                .build()))
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .consumedCapacity())
                .extracting(this::units)
                .containsExactly(4.0);
    }

    @Test
    void a_batch_of_deletes_is_charged_by_item() {
        putAt("a", "v", kilobytes(1.1));

        assertThat(client.batchWriteItem(r -> r.requestItems(Map.of(
                                        registry,
                                        List.of(
                                                WriteRequest.builder()
                                                        .deleteRequest(d -> d.key(key("a")))
                                                        .build(),
                                                WriteRequest.builder()
                                                        .deleteRequest(d -> d.key(key("missing")))
                                                        .build())))
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .consumedCapacity())
                .extracting(this::units)
                .containsExactly(3.0);
    }

    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({"1023, 1", "1024, 1", "1025, 2", "2048, 2", "2049, 3"})
    void a_write_is_charged_by_each_kilobyte_begun(int bytes, double units) {
        int others = "pk".length() + pk.length() + "sk".length() + "a".length() + "v".length();

        assertThat(put(ReturnConsumedCapacity.TOTAL, "v", s("x".repeat(bytes - others))))
                .isEqualTo(units);
    }
}
