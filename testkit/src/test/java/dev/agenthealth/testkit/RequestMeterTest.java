package dev.agenthealth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

class RequestMeterTest {

    @AutoClose
    private final TestTables tables = TestTables.create();

    private final TestDynamoDb dynamoDb = new TestDynamoDb(tables.dynamoDb());
    private final RequestMeter meter = dynamoDb.meter();

    @Test
    void each_item_of_a_transaction_is_charged_twice_with_its_index_entries() {
        Map<String, AttributeValue> big = new HashMap<>(key(1));
        big.put("text", AttributeValue.fromS("x".repeat(1_500)));
        Map<String, AttributeValue> indexed = new HashMap<>(key(2));
        indexed.put("fp", AttributeValue.fromS("a"));
        indexed.put("fs", AttributeValue.fromS("b"));
        dynamoDb.transactWriteItems(r -> r.transactItems(
                TransactWriteItem.builder()
                        .put(p -> p.tableName(TestTables.REGISTRY).item(big))
                        .build(),
                TransactWriteItem.builder()
                        .put(p -> p.tableName(TestTables.REGISTRY).item(indexed))
                        .build(),
                TransactWriteItem.builder()
                        .conditionCheck(c -> c.tableName(TestTables.PULSES)
                                .key(Map.of("id", AttributeValue.fromS("nobody")))
                                .conditionExpression("attribute_not_exists(id)"))
                        .build()));
        assertThat(meter.writeUnits(TestTables.REGISTRY)).isEqualTo(2 * 2 + 2 + 2);
        assertThat(meter.writeUnits(TestTables.PULSES)).isEqualTo(2);
        assertThat(meter.readUnits(TestTables.REGISTRY)).isZero();
    }

    @Test
    void a_condition_that_fails_is_charged_and_reads_are_by_table() {
        Map<String, AttributeValue> id = Map.of("id", AttributeValue.fromS("nobody"));
        assertThatThrownBy(() -> dynamoDb.updateItem(r -> r.tableName(TestTables.PULSES)
                        .key(id)
                        .updateExpression("SET a = :a")
                        .conditionExpression("attribute_exists(id)")
                        .expressionAttributeValues(Map.of(":a", AttributeValue.fromN("1")))))
                .isInstanceOf(ConditionalCheckFailedException.class);
        dynamoDb.getItem(r -> r.tableName(TestTables.PULSES).key(id).consistentRead(true));
        dynamoDb.getItem(r -> r.tableName(TestTables.REGISTRY).key(key(0)));
        assertThat(List.of(
                        meter.writeUnits(TestTables.PULSES),
                        meter.readUnits(TestTables.PULSES),
                        meter.readUnits(TestTables.REGISTRY)))
                .containsExactly(1.0, 1.0, 0.5);
        meter.reset();
        assertThat(meter.writeUnits(TestTables.PULSES)).isZero();
    }

    private Map<String, AttributeValue> key(int number) {
        return Map.of("pk", AttributeValue.fromS("P#" + number), "sk", AttributeValue.fromS("S"));
    }
}
