package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Changes of tables while items are written. */
class TableChangesTest {

    private static final String TABLE = "Things";

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
    private final DynamoDbClient client = database.client();

    @BeforeEach
    void create() {
        create(TABLE);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void create(String name) {
        client.createTable(
                request -> request.tableName(name).keySchema(key("pk")).attributeDefinitions(string("pk")));
    }

    private static KeySchemaElement key(String name) {
        return KeySchemaElement.builder()
                .attributeName(name)
                .keyType(KeyType.HASH)
                .build();
    }

    private static AttributeDefinition string(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static GlobalSecondaryIndexUpdate creation(String attribute) {
        return GlobalSecondaryIndexUpdate.builder()
                .create(index -> index.indexName("by-" + attribute)
                        .keySchema(key(attribute))
                        .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY)))
                .build();
    }

    private void update(GlobalSecondaryIndexUpdate... changes) {
        client.updateTable(request -> request.tableName(TABLE)
                .attributeDefinitions(string("pk"), string("x"))
                .globalSecondaryIndexUpdates(changes));
    }

    private void enableTtl(boolean enabled) {
        client.updateTimeToLive(request -> request.tableName(TABLE)
                .timeToLiveSpecification(ttl -> ttl.attributeName("ttl").enabled(enabled)));
    }

    private static Map<String, AttributeValue> item(int number) {
        return Map.of(
                "pk", AttributeValue.fromS("p" + number),
                "x", AttributeValue.fromS("x"),
                "ttl", AttributeValue.fromN("9999999999"));
    }

    @Test
    void items_that_are_written_meanwhile_are_in_new_indexes_and_lists() throws InterruptedException {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger next = new AtomicInteger();
        List<RuntimeException> failures = new CopyOnWriteArrayList<>();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread writer = new Thread(() -> {
                try {
                    while (!ended.get()) {
                        int number = next.getAndIncrement() % 200;
                        client.putItem(request -> request.tableName(TABLE).item(item(number)));
                        client.deleteItem(request -> request.tableName(TABLE)
                                .key(Map.of("pk", AttributeValue.fromS("p" + (number + 100) % 200))));
                    }
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            });
            writers.add(writer);
            writer.start();
        }
        for (int i = 0; i < 60; i++) {
            update(creation("x"));
            enableTtl(true);
            assertThat(database.check()).isEmpty();
            enableTtl(false);
            update(GlobalSecondaryIndexUpdate.builder()
                    .delete(index -> index.indexName("by-x"))
                    .build());
        }
        ended.set(true);
        for (Thread writer : writers) {
            writer.join();
        }

        assertThat(failures).isEmpty();
    }

    @Test
    void tables_that_are_created_at_the_same_time_are_created_once() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            String name = "Table" + round;
            AtomicInteger refused = new AtomicInteger();
            List<RuntimeException> others = new CopyOnWriteArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> {
                    try {
                        create(name);
                    } catch (ResourceInUseException e) {
                        refused.incrementAndGet();
                    } catch (RuntimeException e) {
                        others.add(e);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(refused).hasValue(3);
            assertThat(others).isEmpty();
        }
    }

    @Test
    void a_change_that_is_refused_changes_nothing() {
        GlobalSecondaryIndexUpdate unknown = GlobalSecondaryIndexUpdate.builder()
                .delete(index -> index.indexName("unknown"))
                .build();

        assertThatThrownBy(() -> update(creation("x"), unknown)).isInstanceOf(ResourceNotFoundException.class);

        update(creation("x"));
        client.putItem(request -> request.tableName(TABLE).item(item(1)));
        assertThat(database.check()).isEmpty();
    }

    @Test
    void a_new_index_leaves_out_items_whose_attributes_cannot_be_its_key() {
        int number = 0;
        for (AttributeValue x : List.of(
                AttributeValue.fromS("valid"),
                AttributeValue.fromN("1"),
                AttributeValue.fromS(""),
                AttributeValue.fromL(List.of()),
                AttributeValue.fromS("x".repeat(70_000)))) {
            String pk = "p" + number++;
            client.putItem(request -> request.tableName(TABLE).item(Map.of("pk", AttributeValue.fromS(pk), "x", x)));
        }

        update(creation("x"));

        assertThat(client.scan(request -> request.tableName(TABLE).indexName("by-x"))
                        .items())
                .containsExactly(Map.of("pk", AttributeValue.fromS("p0"), "x", AttributeValue.fromS("valid")));
        assertThat(database.check()).isEmpty();
    }
}
