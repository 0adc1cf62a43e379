package dev.agenthealth.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

class DiskGuardTest {

    private static final String TABLE = "Things";

    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Refused(String reason) {
            super(reason);
        }
    }

    private final AtomicLong usableBytes = new AtomicLong(Long.MAX_VALUE);
    private final AtomicBoolean failed = new AtomicBoolean();
    private Runnable barrier = () -> {};
    private AmazonDynamoDBLocal local;
    private DynamoDbClient client;

    @BeforeEach
    void open(@TempDir Path folder) {
        local = DynamoDBEmbedded.create(folder.resolve("tables.db").toFile(), true);
        DynamoDbClient database = local.dynamoDbClient();
        database.createTable(request -> request.tableName(TABLE)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("pk")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName("pk")
                        .keyType(KeyType.HASH)
                        .build()));
        client = DiskGuard.guarded(
                database, new DiskGuard.Disk(usableBytes::get, failed::get, () -> barrier.run()), Refused::new);
    }

    @AfterEach
    void close() {
        local.shutdown();
    }

    private static Map<String, AttributeValue> thing(String key) {
        return Map.of("pk", AttributeValue.fromS(key));
    }

    private void put(String key) {
        client.putItem(request -> request.tableName(TABLE).item(thing(key)));
    }

    private void transact(String key) {
        Put put = Put.builder().tableName(TABLE).item(thing(key)).build();
        client.transactWriteItems(request -> request.transactItems(
                List.of(TransactWriteItem.builder().put(put).build())));
    }

    private boolean exists(String key) {
        return client.getItem(request -> request.tableName(TABLE).key(thing(key)))
                .hasItem();
    }

    @Test
    void a_nearly_full_disk_refuses_writes_and_answers_reads() {
        put("before");
        usableBytes.set(DiskGuard.RESERVED_BYTES - 1);
        assertThatThrownBy(() -> put("more")).isInstanceOf(Refused.class).hasMessageContaining("bytes free");
        assertThatThrownBy(() -> transact("more")).isInstanceOf(Refused.class);
        assertThat(exists("before")).isTrue();
        assertThat(exists("more")).isFalse();
        usableBytes.set(DiskGuard.RESERVED_BYTES);
        put("more");
        transact("most");
        assertThat(exists("more") && exists("most")).isTrue();
    }

    @Test
    void a_transaction_whose_commit_fails_is_not_acknowledged_and_nothing_is_after_it() {
        transact("before");
        barrier = () -> failed.set(true);
        assertThatThrownBy(() -> transact("lost")).isInstanceOf(Refused.class);
        failed.set(false);
        barrier = () -> {};
        assertThatThrownBy(() -> put("after")).isInstanceOf(Refused.class).hasMessageContaining("restart");
        assertThat(exists("after")).isFalse();
        assertThat(exists("before")).isTrue();
    }

    @Test
    void a_condition_that_does_not_hold_is_no_failure_of_the_disk() {
        put("one");
        assertThatThrownBy(() -> client.putItem(request ->
                        request.tableName(TABLE).item(thing("one")).conditionExpression("attribute_not_exists(pk)")))
                .isInstanceOf(ConditionalCheckFailedException.class);
        put("two");
        assertThat(exists("two")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "[13] DB[1] exec() database or disk is full, true",
        "[778] DB[1] step() disk I/O error, true",
        "[1] DB[1] exec() cannot rollback - no transaction is active, false",
        "interrupted, false"
    })
    void errors_of_the_disk_are_found_in_the_log_of_sqlite(String message, boolean ofTheDisk) {
        DiskErrors errors = DiskErrors.watched();
        try {
            Logger.getLogger("com.almworks.sqlite4java")
                    .log(Level.WARNING, "job exception", new IllegalStateException(message));
            assertThat(errors.happened()).isEqualTo(ofTheDisk);
        } finally {
            errors.close();
        }
    }
}
