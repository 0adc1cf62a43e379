package dev.agenthealth.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

class EmbeddedDynamoDbTest {

    private static final String TABLE = "Things";
    private static final Map<String, AttributeValue> THING = Map.of("pk", AttributeValue.fromS("one"));

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inMemory();

    @AfterEach
    void close() {
        database.close();
    }

    private void createTable() {
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
    }

    @Test
    void failures_are_those_of_the_sdk() {
        assertThatThrownBy(() -> database.describeTable(request -> request.tableName(TABLE)))
                .isInstanceOf(ResourceNotFoundException.class);
        createTable();
        database.putItem(request -> request.tableName(TABLE).item(THING));
        assertThatThrownBy(() -> database.putItem(request -> request.tableName(TABLE)
                        .item(THING)
                        .conditionExpression("attribute_not_exists(pk)")
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)))
                .isInstanceOfSatisfying(ConditionalCheckFailedException.class, failure -> assertThat(failure.item())
                        .isEqualTo(THING));
        TransactWriteItem again = TransactWriteItem.builder()
                .put(put -> put.tableName(TABLE).item(THING).conditionExpression("attribute_not_exists(pk)"))
                .build();
        assertThatThrownBy(() -> database.transactWriteItems(request -> request.transactItems(again)))
                .isInstanceOfSatisfying(TransactionCanceledException.class, failure -> assertThat(
                                failure.cancellationReasons().get(0).code())
                        .isEqualTo("ConditionalCheckFailed"));
    }

    @Test
    void transactions_of_many_threads_write_each_item_once() {
        createTable();
        long written = IntStream.range(0, 4 * 25)
                .parallel()
                .filter(number -> isWritten("item-" + number % 25))
                .count();
        assertThat(written).isEqualTo(25);
        assertThat(database.scan(request -> request.tableName(TABLE)).count()).isEqualTo(25);
    }

    private boolean isWritten(String key) {
        try {
            database.transactWriteItems(request -> request.transactItems(TransactWriteItem.builder()
                    .put(put -> put.tableName(TABLE)
                            .item(Map.of("pk", AttributeValue.fromS(key)))
                            .conditionExpression("attribute_not_exists(pk)"))
                    .build()));
            return true;
        } catch (TransactionCanceledException e) {
            assertThat(e.cancellationReasons())
                    .extracting(CancellationReason::code)
                    .containsOnly("ConditionalCheckFailed");
            return false;
        }
    }

    @Test
    void a_closed_database_refuses_requests() {
        createTable();
        database.close();
        database.close();
        assertThatThrownBy(() -> database.describeTable(request -> request.tableName(TABLE)))
                .isInstanceOf(AwsServiceException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void a_client_can_be_used_before_the_database_is_open() {
        CompletableFuture<DynamoDbClient> opening = new CompletableFuture<>();
        DynamoDbClient later = EmulatedTables.later(opening::join);
        CompletableFuture<Boolean> found = CompletableFuture.supplyAsync(() ->
                later.getItem(request -> request.tableName(TABLE).key(THING)).hasItem());
        createTable();
        database.putItem(request -> request.tableName(TABLE).item(THING));
        opening.complete(database);
        assertThat(found.join()).isTrue();
    }
}
