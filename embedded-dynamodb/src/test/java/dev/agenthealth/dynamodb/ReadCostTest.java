package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** Memory that a page of items allocates for each item, which does not depend on the machine's speed. */
class ReadCostTest {

    private static final int ITEMS = 100;
    private static final long MAX_PROJECTED = 1_200;
    private static final long MAX_WHOLE = 1_400;
    private static final long MAX_COUNTED = 850;
    private static final long MAX_SINGLE = 4_900;

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
    private final DynamoDbClient client = database.client();

    @BeforeEach
    void putItems() {
        Things.create(client);
        for (int i = 0; i < ITEMS; i++) {
            int number = i;
            client.putItem(request -> request.tableName(Things.TABLE).item(Things.item(number)));
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void attributes_outside_the_projection_are_not_decoded() {
        assertThat(Allocation.of(() -> client.scan(
                                request -> request.tableName(Things.TABLE).projectionExpression("pk, n")))
                        / ITEMS)
                .isLessThan(MAX_PROJECTED);
    }

    @Test
    void equal_values_of_a_page_are_decoded_once() {
        assertThat(Allocation.of(() -> client.scan(request -> request.tableName(Things.TABLE))) / ITEMS)
                .isLessThan(MAX_WHOLE);
    }

    @Test
    void items_that_are_only_counted_are_not_decoded() {
        assertThat(Allocation.of(() -> client.scan(
                                request -> request.tableName(Things.TABLE).select(Select.COUNT)))
                        / ITEMS)
                .isLessThan(MAX_COUNTED);
    }

    @Test
    void a_page_of_one_item_remembers_nothing() {
        assertThat(Allocation.of(() -> client.query(request -> request.tableName(Things.TABLE)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS("p1"))))))
                .isLessThan(MAX_SINGLE);
    }
}
