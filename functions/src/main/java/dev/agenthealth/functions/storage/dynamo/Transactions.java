package dev.agenthealth.functions.storage.dynamo;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Writes that happen together or not at all.
 *
 * <p>Each transaction carries one client request token through all its repetitions, so that a time-out after the write was
 * applied is not mistaken for a lost race. Thread-safe.
 */
public final class Transactions {

    private final DynamoDbClient dynamoDb;
    private final Retries retries;

    public Transactions(DynamoDbClient dynamoDb, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.retries = retries;
    }

    /**
     * Writes all of {@code items}.
     *
     * @return whether they were written; {@code false} where a condition did not hold: somebody else was faster
     * @throws StorageBusyException where conflicts or throttling outlast the patience there is
     */
    public boolean write(String name, List<TransactWriteItem> items) {
        TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
                .transactItems(items)
                .clientRequestToken(UUID.randomUUID().toString())
                .build();
        try {
            retries.call(name, () -> dynamoDb.transactWriteItems(request));
            return true;
        } catch (TransactionCanceledException e) {
            if (e.cancellationReasons().stream().anyMatch(r -> "ConditionalCheckFailed".equals(r.code()))) {
                return false;
            }
            throw e;
        }
    }

    /** Collects the items of a transaction. */
    public static final class Items {

        private final List<TransactWriteItem> items = new ArrayList<>();

        public Items put(Put.Builder put) {
            items.add(TransactWriteItem.builder().put(put.build()).build());
            return this;
        }

        public Items put(String table, Map<String, AttributeValue> item) {
            return put(Put.builder().tableName(table).item(item));
        }

        /** Puts an item where none is, or only one that has expired. */
        public Items putNew(String table, Map<String, AttributeValue> item, Instant now) {
            return put(Put.builder()
                    .tableName(table)
                    .item(item)
                    .conditionExpression("attribute_not_exists(#pk) OR #ttl <= :now")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#ttl", RegistryKeys.EXPIRES))
                    .expressionAttributeValues(Map.of(":now", n(now.getEpochSecond()))));
        }

        public Items check(ConditionCheck.Builder check) {
            items.add(TransactWriteItem.builder().conditionCheck(check.build()).build());
            return this;
        }

        public Items update(Update.Builder update) {
            items.add(TransactWriteItem.builder().update(update.build()).build());
            return this;
        }

        public Items delete(Delete.Builder delete) {
            items.add(TransactWriteItem.builder().delete(delete.build()).build());
            return this;
        }

        public Items delete(String table, Map<String, AttributeValue> key) {
            return delete(Delete.builder().tableName(table).key(key));
        }

        public List<TransactWriteItem> list() {
            return List.copyOf(items);
        }
    }
}
