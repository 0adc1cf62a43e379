package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Memory that writes allocate, which does not depend on the machine's speed. A statement that is prepared for each write would be in it. */
class WriteCostTest {

    private static final long MAX_UPDATE = 8_000;
    private static final long MAX_TRANSACTION = 88_000;

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
    private final DynamoDbClient client = database.client();
    private final AtomicInteger number = new AtomicInteger();

    @BeforeEach
    void createTable() {
        Things.create(client);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void an_update_allocates_little() {
        client.putItem(request -> request.tableName(Things.TABLE).item(Things.item(0)));
        assertThat(Allocation.of(() -> client.updateItem(request -> request.tableName(Things.TABLE)
                        .key(Map.of("pk", AttributeValue.fromS("p0"), "sk", AttributeValue.fromS("s")))
                        .updateExpression("ADD n :one")
                        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))))))
                .isLessThan(MAX_UPDATE);
    }

    @Test
    void a_transaction_of_nine_new_items_allocates_little() {
        assertThat(Allocation.of(() -> client.transactWriteItems(request -> request.transactItems(puts()))))
                .isLessThan(MAX_TRANSACTION);
    }

    private List<TransactWriteItem> puts() {
        int first = number.getAndAdd(9);
        return IntStream.range(first, first + 9)
                .mapToObj(i -> TransactWriteItem.builder()
                        .put(put -> put.tableName(Things.TABLE)
                                .item(Things.item(i))
                                .conditionExpression("attribute_not_exists(pk)"))
                        .build())
                .toList();
    }
}
