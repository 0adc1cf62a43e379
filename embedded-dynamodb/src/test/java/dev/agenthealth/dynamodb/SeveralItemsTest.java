package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Requests with more keys than a statement reads. The stored items are large, small or absent. */
class SeveralItemsTest {

    private static final int KEYS = 40;

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
        List<TransactWriteItem> checks = IntStream.range(0, KEYS)
                .mapToObj(i -> TransactWriteItem.builder()
                        .conditionCheck(check -> check.tableName(Things.TABLE)
                                .key(key(i))
                                .conditionExpression("n = :n")
                                .expressionAttributeValues(Map.of(":n", AttributeValue.fromN(Integer.toString(i)))))
                        .build())
                .toList();
        assertThat(catchThrowableOfType(
                                TransactionCanceledException.class,
                                () -> client.transactWriteItems(request -> request.transactItems(checks)))
                        .cancellationReasons())
                .extracting(CancellationReason::code)
                .isEqualTo(IntStream.range(0, KEYS)
                        .mapToObj(i -> isStored(i) ? "None" : "ConditionalCheckFailed")
                        .toList());
    }
}
