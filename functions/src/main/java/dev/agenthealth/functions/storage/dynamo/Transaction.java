package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Writes that are applied together or not at all: at most 100 writes, each to a different item. Not thread-safe. */
public final class Transaction {

    /** DynamoDB's limit. */
    static final int MAX_WRITES = 100;

    private final Requests requests;
    private final List<TransactWriteItem> items = new ArrayList<>();

    Transaction(Requests requests) {
        this.requests = requests;
    }

    public Transaction put(Table table, Map<String, AttributeValue> item) {
        return put(table, item, Condition.NONE);
    }

    public Transaction put(Table table, Map<String, AttributeValue> item, Condition condition) {
        Placeholders placeholders = new Placeholders();
        return add(TransactWriteItem.builder()
                .put(Put.builder()
                        .tableName(table.name())
                        .item(item)
                        .conditionExpression(condition.render(placeholders))
                        .expressionAttributeNames(placeholders.names())
                        .expressionAttributeValues(placeholders.values())
                        .build()));
    }

    public Transaction update(Table table, Update change) {
        Placeholders placeholders = new Placeholders();
        return add(TransactWriteItem.builder()
                .update(software.amazon.awssdk.services.dynamodb.model.Update.builder()
                        .tableName(table.name())
                        .key(change.key())
                        .updateExpression(change.render(placeholders))
                        .conditionExpression(change.condition().render(placeholders))
                        .expressionAttributeNames(placeholders.names())
                        .expressionAttributeValues(placeholders.values())
                        .build()));
    }

    public Transaction delete(Table table, Map<String, AttributeValue> key) {
        return delete(table, key, Condition.NONE);
    }

    public Transaction delete(Table table, Map<String, AttributeValue> key, Condition condition) {
        Placeholders placeholders = new Placeholders();
        return add(TransactWriteItem.builder()
                .delete(Delete.builder()
                        .tableName(table.name())
                        .key(key)
                        .conditionExpression(condition.render(placeholders))
                        .expressionAttributeNames(placeholders.names())
                        .expressionAttributeValues(placeholders.values())
                        .build()));
    }

    /** Adds a condition on an item that is not written. The transaction is applied only if the condition holds. */
    public Transaction check(Table table, Map<String, AttributeValue> key, Condition condition) {
        Placeholders placeholders = new Placeholders();
        return add(TransactWriteItem.builder()
                .conditionCheck(ConditionCheck.builder()
                        .tableName(table.name())
                        .key(key)
                        .conditionExpression(condition.render(placeholders))
                        .expressionAttributeNames(placeholders.names())
                        .expressionAttributeValues(placeholders.values())
                        .build()));
    }

    /**
     * Applies the writes.
     *
     * @return {@code false} if a condition did not hold; then nothing was written
     * @throws StorageBusyException if conflicts or throttling last longer than requests are retried
     */
    public boolean commit() {
        // All attempts share one token: a time-out after the write was applied is not mistaken for a failed
        // condition.
        String token = UUID.randomUUID().toString();
        try {
            requests.transact(
                    TransactWriteItemsRequest.builder().transactItems(items).clientRequestToken(token));
            return true;
        } catch (TransactionCanceledException e) {
            if (e.cancellationReasons().stream().anyMatch(reason -> "ConditionalCheckFailed".equals(reason.code()))) {
                return false;
            }
            throw e;
        }
    }

    private Transaction add(TransactWriteItem.Builder write) {
        items.add(write.build());
        return this;
    }
}
