package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Updates of unsynced attributes that precede their commit. */
class DeferredUpdatesTest {

    private static final Map<String, AttributeValue> KEY = Map.of("pk", AttributeValue.fromS("a"));

    @TempDir
    private Path folder;

    private static void create(DynamoDbClient client) {
        client.createTable(request -> request.tableName("Pulses")
                .keySchema(KeySchemaElement.builder()
                        .attributeName("pk")
                        .keyType(KeyType.HASH)
                        .build())
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("pk")
                        .attributeType(ScalarAttributeType.S)
                        .build()));
    }

    private static void update(DynamoDbClient client, String attribute, int value) {
        client.updateItem(request -> request.tableName("Pulses")
                .key(KEY)
                .updateExpression("SET " + attribute + " = :value")
                .expressionAttributeValues(Map.of(":value", AttributeValue.fromN(Integer.toString(value)))));
    }

    private static String read(DynamoDbClient client) {
        Map<String, AttributeValue> item = client.getItem(
                        request -> request.tableName("Pulses").key(KEY).consistentRead(true))
                .item();
        return item.containsKey("heartbeat") ? item.get("heartbeat").n() : "";
    }

    @Test
    void a_thread_reads_its_deferred_updates_and_others_read_them_after_their_commit() throws Exception {
        try (EmbeddedDynamoDb database =
                EmbeddedDynamoDb.inFile(folder.resolve("a.db"), false, Set.of("heartbeat"), Clock.systemUTC())) {
            DynamoDbClient client = database.client();
            create(client);
            update(client, "x", 1);
            database.defer();
            update(client, "heartbeat", 7);
            assertThat(database.hasDeferred()).isTrue();
            assertThat(database.isCommitted()).isFalse();
            assertThat(readByOther(client)).isEmpty();
            assertThat(read(client)).isEqualTo("7");
            assertThat(database.isCommitted()).isTrue();
            assertThat(readByOther(client)).isEqualTo("7");
            assertThat(database.commitDeferred()).isTrue();
            assertThat(database.hasDeferred()).isFalse();
        }
    }

    private static String readByOther(DynamoDbClient client) throws InterruptedException {
        StringBuilder value = new StringBuilder();
        Thread other = new Thread(() -> value.append(read(client)));
        other.start();
        other.join();
        return value.toString();
    }
}
