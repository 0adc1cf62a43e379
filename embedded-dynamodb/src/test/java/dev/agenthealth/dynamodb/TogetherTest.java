package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Reads of one thread on one snapshot. */
class TogetherTest {

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
    private final DynamoDbClient client = database.client();

    @BeforeEach
    void create() {
        Things.create(client);
        put(1);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void put(int number) {
        client.putItem(request -> request.tableName(Things.TABLE).item(Things.item(number)));
    }

    /** Returns the number of items in the partition of this item. */
    private int items(int number) {
        return client.query(request -> request.tableName(Things.TABLE)
                        .consistentRead(true)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS("p" + number))))
                .count();
    }

    /** Returns the number of these items, read as a batch. */
    private int batch(Integer... numbers) {
        KeysAndAttributes keys = KeysAndAttributes.builder()
                .keys(List.of(numbers).stream()
                        .map(number ->
                                Map.of("pk", AttributeValue.fromS("p" + number), "sk", AttributeValue.fromS("s")))
                        .toList())
                .consistentRead(true)
                .build();
        return client.batchGetItem(request -> request.requestItems(Map.of(Things.TABLE, keys)))
                .responses()
                .get(Things.TABLE)
                .size();
    }

    @Test
    void reads_together_see_earlier_commits_and_no_commit_after_the_first_read() {
        assertThat(database.<List<Integer>>together(() -> {
                    int first = items(1);
                    put(2);
                    return List.of(first, items(2), batch(1, 2, 3));
                }))
                .containsExactly(1, 0, 1);
        assertThat(items(2)).isEqualTo(1);
        assertThat(batch(1, 2, 3)).isEqualTo(2);
    }

    @Test
    void reads_together_within_others_share_their_snapshot() {
        assertThat(database.<Integer>together(() -> {
                    items(1);
                    put(4);
                    return database.<Integer>together(() -> items(4)) + items(4);
                }))
                .isZero();
        assertThat(items(4)).isEqualTo(1);
    }

    @Test
    void reads_after_a_failure_see_later_commits() {
        assertThatThrownBy(() -> database.together(() -> {
                    items(1);
                    throw new IllegalArgumentException();
                }))
                .isInstanceOf(IllegalArgumentException.class);
        put(5);
        assertThat(items(5)).isEqualTo(1);
    }
}
