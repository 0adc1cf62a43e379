package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.observation.StorageUse;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Whatever is asked of the storage is passed on and counted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CountingDynamoDbTest {

    private static final String TABLE = TestTables.PULSES;
    private static final Map<String, AttributeValue> KEY = Map.of(PulseItem.ID, Values.s("an-agent"));

    private final TestTables tables = TestTables.create();
    private final StorageMeter meter = new StorageMeter();
    private final DynamoDbClient counting = new CountingDynamoDb(tables.dynamoDb(), meter);

    /** One item of less than a kilobyte, in no index. */
    enum Kind {
        GET(0.5, 0, db -> db.getItem(r -> r.tableName(TABLE).key(KEY))),
        BATCH_GET(
                0.5,
                0,
                db -> db.batchGetItem(r -> r.requestItems(Map.of(
                        TABLE, KeysAndAttributes.builder().keys(List.of(KEY)).build())))),
        QUERY(
                0.5,
                0,
                db -> db.query(r -> r.tableName(TABLE)
                        .keyConditionExpression("id = :id")
                        .expressionAttributeValues(Map.of(":id", KEY.get(PulseItem.ID))))),
        SCAN(0.5, 0, db -> db.scan(r -> r.tableName(TABLE))),
        PUT(0, 1, db -> db.putItem(r -> r.tableName(TABLE).item(KEY))),
        UPDATE(
                0,
                1,
                db -> db.updateItem(r -> r.tableName(TABLE)
                        .key(KEY)
                        .updateExpression("SET n = :n")
                        .expressionAttributeValues(Map.of(":n", Values.n(1))))),
        DELETE(0, 1, db -> db.deleteItem(r -> r.tableName(TABLE).key(KEY))),
        BATCH_WRITE(
                0,
                1,
                db -> db.batchWriteItem(r -> r.requestItems(Map.of(
                        TABLE,
                        List.of(WriteRequest.builder()
                                .putRequest(p -> p.item(KEY))
                                .build()))))),
        TRANSACTION(
                0,
                2,
                db -> db.transactWriteItems(r -> r.transactItems(TransactWriteItem.builder()
                        .put(p -> p.tableName(TABLE).item(KEY))
                        .build())));

        private final StorageUse use;
        private final Consumer<DynamoDbClient> request;

        Kind(double readUnits, double writeUnits, Consumer<DynamoDbClient> request) {
            this.use = new StorageUse(readUnits, writeUnits, 0);
            this.request = request;
        }
    }

    private void storeAnItem() {
        tables.dynamoDb().putItem(r -> r.tableName(TABLE).item(KEY));
    }

    @AfterAll
    void close() {
        tables.close();
    }

    @ParameterizedTest
    @EnumSource
    void every_kind_of_request_is_passed_on_and_counted(Kind kind) {
        storeAnItem();
        StorageMeter.Tally tally = new StorageMeter.Tally();
        meter.during(tally, () -> {
            kind.request.accept(counting);
            return tally;
        });
        assertThat(tally.use()).isEqualTo(kind.use);
    }
}
