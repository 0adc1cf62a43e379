package dev.agenthealth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The rule by which transactions are charged is held against what DynamoDB Local reports of single writes, which it knows. */
class CapacityLedgerTest {

    private static final int WRITES = 150;

    @AutoClose
    private final TestTables tables = TestTables.create();

    private final DynamoDbClient dynamoDb = tables.dynamoDb();
    private final CapacityLedger ledger = new CapacityLedger(dynamoDb);
    private final Random random = new Random(17);

    @Test
    void the_rule_agrees_with_what_single_writes_report() {
        TableDescription table =
                dynamoDb.describeTable(r -> r.tableName(TestTables.REGISTRY)).table();
        int indexWrites = 0;
        for (int i = 0; i < WRITES; i++) {
            Map<String, AttributeValue> key = key(random.nextInt(4));
            Map<String, AttributeValue> before = item(key);
            double reported;
            if (random.nextInt(4) == 0) {
                reported = dynamoDb.deleteItem(r -> r.tableName(TestTables.REGISTRY)
                                .key(key)
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .consumedCapacity()
                        .capacityUnits();
            } else {
                Map<String, AttributeValue> item = anyItem(key);
                reported = dynamoDb.putItem(r -> r.tableName(TestTables.REGISTRY)
                                .item(item)
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                        .consumedCapacity()
                        .capacityUnits();
            }
            WriteCharge charge = WriteCharge.of(table, before, item(key));
            indexWrites += charge.indexes();
            assertThat((double) charge.total())
                    .as("%s, %d bytes before, %d after", key, ItemSize.of(before), ItemSize.of(item(key)))
                    .isEqualTo(reported);
        }
        assertThat(indexWrites).isGreaterThan(WRITES);
    }

    @Test
    void each_item_of_a_transaction_is_charged_twice_with_its_index_entries() {
        Map<String, AttributeValue> big = new HashMap<>(key(1));
        big.put("text", AttributeValue.fromS("x".repeat(1_500)));
        Map<String, AttributeValue> indexed = new HashMap<>(key(2));
        indexed.put("fp", AttributeValue.fromS("a"));
        indexed.put("fs", AttributeValue.fromS("b"));
        ledger.transactWriteItems(r -> r.transactItems(
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
        assertThat(ledger.writeUnits(TestTables.REGISTRY)).isEqualTo(2 * 2 + 2 + 2);
        assertThat(ledger.writeUnits(TestTables.PULSES)).isEqualTo(2);
        assertThat(ledger.readUnits(TestTables.REGISTRY))
                .as("looking is not charged")
                .isZero();
    }

    @Test
    void a_condition_that_fails_is_charged_and_reads_are_by_table() {
        Map<String, AttributeValue> id = Map.of("id", AttributeValue.fromS("nobody"));
        assertThatThrownBy(() -> ledger.updateItem(r -> r.tableName(TestTables.PULSES)
                        .key(id)
                        .updateExpression("SET a = :a")
                        .conditionExpression("attribute_exists(id)")
                        .expressionAttributeValues(Map.of(":a", AttributeValue.fromN("1")))))
                .isInstanceOf(ConditionalCheckFailedException.class);
        ledger.getItem(r -> r.tableName(TestTables.PULSES).key(id).consistentRead(true));
        ledger.getItem(r -> r.tableName(TestTables.REGISTRY).key(key(0)));
        assertThat(List.of(
                        ledger.writeUnits(TestTables.PULSES),
                        ledger.readUnits(TestTables.PULSES),
                        ledger.readUnits(TestTables.REGISTRY)))
                .containsExactly(1.0, 1.0, 0.5);
        ledger.reset();
        assertThat(ledger.writeUnits(TestTables.PULSES)).isZero();
    }

    private Map<String, AttributeValue> key(int number) {
        return Map.of("pk", AttributeValue.fromS("P#" + number), "sk", AttributeValue.fromS("S"));
    }

    private Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        return dynamoDb.getItem(r -> r.tableName(TestTables.REGISTRY).key(key).consistentRead(true))
                .item();
    }

    /** With or without the keys of the indexes, of up to 4 KB. */
    private Map<String, AttributeValue> anyItem(Map<String, AttributeValue> key) {
        Map<String, AttributeValue> item = new HashMap<>(key);
        item.put("text", AttributeValue.fromS("x".repeat(random.nextInt(4_000))));
        item.put("number", AttributeValue.fromN(Long.toString(random.nextLong())));
        for (String index : List.of("f", "d")) {
            if (random.nextBoolean()) {
                item.put(index + "p", AttributeValue.fromS("p" + random.nextInt(2)));
                item.put(index + "s", AttributeValue.fromS("s" + random.nextInt(2)));
            }
        }
        return item;
    }
}
