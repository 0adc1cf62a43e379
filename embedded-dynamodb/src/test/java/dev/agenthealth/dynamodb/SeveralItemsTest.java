package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Requests with more keys than a statement reads. The stored items are large, small or absent. */
class SeveralItemsTest {

    private static final int KEYS = 40;
    private static final String OTHER = "Other";

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
    private final DynamoDbClient client = database.client();

    @BeforeEach
    void store() {
        Things.create(client);
        for (int i = 0; i < KEYS; i++) {
            if (isStored(i)) {
                Map<String, AttributeValue> item = item(i);
                client.putItem(request -> request.tableName(Things.TABLE).item(item));
            }
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static boolean isStored(int number) {
        return number % 3 > 0;
    }

    private static Map<String, AttributeValue> item(int number) {
        Map<String, AttributeValue> item = Things.item(number);
        if (number % 2 == 0) {
            item.remove("text");
        }
        return item;
    }

    private static Map<String, AttributeValue> key(int number) {
        return Map.of("pk", AttributeValue.fromS("p" + number), "sk", AttributeValue.fromS("s"));
    }

    @Test
    void a_batch_returns_each_stored_item_in_the_order_of_its_keys() {
        List<Map<String, AttributeValue>> keys =
                IntStream.range(0, KEYS).mapToObj(i -> key(KEYS - 1 - i)).toList();
        assertThat(client.batchGetItem(request -> request.requestItems(Map.of(
                                Things.TABLE,
                                KeysAndAttributes.builder().keys(keys).build())))
                        .responses()
                        .get(Things.TABLE))
                .isEqualTo(IntStream.range(0, KEYS)
                        .map(i -> KEYS - 1 - i)
                        .filter(SeveralItemsTest::isStored)
                        .mapToObj(SeveralItemsTest::item)
                        .toList());
    }

    @Test
    void each_condition_of_a_transaction_is_about_its_own_item() {
        client.createTable(request -> request.tableName(OTHER)
                .keySchema(KeySchemaElement.builder()
                        .attributeName("pk")
                        .keyType(KeyType.HASH)
                        .build())
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("pk")
                        .attributeType(ScalarAttributeType.S)
                        .build()));
        client.putItem(request -> request.tableName(OTHER).item(other(7)));
        List<TransactWriteItem> checks = IntStream.range(0, KEYS)
                .boxed()
                .flatMap(i -> Stream.of(check(Things.TABLE, key(i), i), check(OTHER, other(i), i)))
                .toList();
        assertThat(catchThrowableOfType(
                                TransactionCanceledException.class,
                                () -> client.transactWriteItems(request -> request.transactItems(checks)))
                        .cancellationReasons())
                .extracting(CancellationReason::code)
                .isEqualTo(IntStream.range(0, KEYS)
                        .boxed()
                        .flatMap(i -> Stream.of(code(isStored(i)), code(i == 7)))
                        .toList());
    }

    private static Map<String, AttributeValue> other(int number) {
        return Map.of("pk", AttributeValue.fromS("other" + number));
    }

    /** Returns a condition that an item has its number, or exists in the other table. */
    private static TransactWriteItem check(String table, Map<String, AttributeValue> key, int number) {
        return TransactWriteItem.builder()
                .conditionCheck(check -> {
                    check.tableName(table).key(key);
                    if (table.equals(OTHER)) {
                        check.conditionExpression("attribute_exists(pk)");
                    } else {
                        check.conditionExpression("n = :n")
                                .expressionAttributeValues(
                                        Map.of(":n", AttributeValue.fromN(Integer.toString(number))));
                    }
                })
                .build();
    }

    private static String code(boolean fulfilled) {
        return fulfilled ? "None" : "ConditionalCheckFailed";
    }
}
