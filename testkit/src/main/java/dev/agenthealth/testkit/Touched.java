package dev.agenthealth.testkit;

import dev.agenthealth.dynamodb.expression.Arguments;
import dev.agenthealth.dynamodb.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The items that a request reads and writes. Two requests do not conflict if neither writes an item that the other touches; their order
 * then makes no difference.
 */
final class Touched {

    /** @param sort the sort key of an item; empty for all items of a partition of the table */
    private record Place(String table, String partition, Optional<String> sort, boolean written) {

        boolean conflicts(Place other) {
            return (written || other.written)
                    && table.equals(other.table)
                    && (partition.equals(other.partition) || partition.isEmpty() || other.partition.isEmpty())
                    && (sort.isEmpty() || other.sort.isEmpty() || sort.equals(other.sort));
        }
    }

    private final List<Place> places = new ArrayList<>();

    private Touched() {}

    /** Returns the items that a request touches; everything for a request that the API functions never send. */
    static Touched by(DynamoDbRequest request) {
        Touched touched = new Touched();
        if (request instanceof GetItemRequest get) {
            touched.add(get.tableName(), get.key(), false);
        } else if (request instanceof BatchGetItemRequest batch) {
            batch.requestItems().forEach((table, keys) -> keys.keys().forEach(key -> touched.add(table, key, false)));
        } else if (request instanceof QueryRequest query) {
            // An index's partition is not a table's partition: any write of the table may change it.
            touched.places.add(new Place(
                    query.tableName(), query.indexName() == null ? partition(query) : "", Optional.empty(), false));
        } else if (request instanceof PutItemRequest put) {
            touched.add(put.tableName(), put.item(), true);
        } else if (request instanceof UpdateItemRequest update) {
            touched.add(update.tableName(), update.key(), true);
        } else if (request instanceof DeleteItemRequest delete) {
            touched.add(delete.tableName(), delete.key(), true);
        } else if (request instanceof BatchWriteItemRequest batch) {
            batch.requestItems()
                    .forEach((table, writes) -> writes.forEach(write -> touched.add(
                            table,
                            write.putRequest() == null
                                    ? write.deleteRequest().key()
                                    : write.putRequest().item(),
                            true)));
        } else if (request instanceof TransactWriteItemsRequest transaction) {
            transaction.transactItems().forEach(touched::add);
        } else {
            throw new IllegalArgumentException(request.getClass().getSimpleName());
        }
        return touched;
    }

    private static String partition(QueryRequest query) {
        Arguments arguments = Arguments.of(query.expressionAttributeNames(), query.expressionAttributeValues());
        return Expressions.keyCondition(query.keyConditionExpression(), arguments).comparisons().stream()
                .filter(comparison -> comparison.attribute().equals("pk"))
                .map(comparison -> comparison.operands().get(0).s())
                .findFirst()
                .orElseThrow();
    }

    private void add(TransactWriteItem item) {
        if (item.put() != null) {
            add(item.put().tableName(), item.put().item(), true);
        } else if (item.update() != null) {
            add(item.update().tableName(), item.update().key(), true);
        } else if (item.delete() != null) {
            add(item.delete().tableName(), item.delete().key(), true);
        } else {
            add(item.conditionCheck().tableName(), item.conditionCheck().key(), false);
        }
    }

    private void add(String table, Map<String, AttributeValue> key, boolean written) {
        boolean single = key.containsKey("id") && !key.containsKey("pk");
        places.add(new Place(
                table,
                single ? key.get("id").s() : key.get("pk").s(),
                Optional.of(single ? "" : key.get("sk").s()),
                written));
    }

    boolean writes() {
        return places.stream().anyMatch(Place::written);
    }

    boolean conflicts(Touched other) {
        for (Place place : places) {
            for (Place theirs : other.places) {
                if (place.conflicts(theirs)) {
                    return true;
                }
            }
        }
        return false;
    }
}
