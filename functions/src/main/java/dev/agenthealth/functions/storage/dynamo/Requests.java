package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Sends requests to DynamoDB; no other class calls the client. Each request is retried while it fails for a temporary reason, and its
 * consumed capacity is counted. DynamoDB does not report the capacity of a refused request. Thread-safe.
 */
final class Requests {

    private final DynamoDbClient client;
    private final RequestRetries retries;
    private final StorageMeter meter;
    private final ReturnConsumedCapacity capacity;

    Requests(DynamoDbClient client, RequestRetries retries, StorageMeter meter) {
        this.client = client;
        this.retries = retries;
        this.meter = meter;
        this.capacity = meter.countsUnits() ? ReturnConsumedCapacity.TOTAL : ReturnConsumedCapacity.NONE;
    }

    GetItemResponse get(GetItemRequest.Builder request) {
        GetItemRequest counted = request.returnConsumedCapacity(capacity).build();
        return retries.call("GetItem", () -> {
            GetItemResponse response = client.getItem(counted);
            countRead(response.consumedCapacity());
            return response;
        });
    }

    /** Returns the items with these keys by table, at most 100 in total. Keys without an item are left out. */
    Map<String, List<Map<String, AttributeValue>>> getAll(
            Map<String, List<Map<String, AttributeValue>>> keys, boolean consistent) {
        Map<String, List<Map<String, AttributeValue>>> found = new HashMap<>();
        Map<String, KeysAndAttributes> left = new HashMap<>();
        keys.forEach((table, some) -> left.put(
                table,
                KeysAndAttributes.builder()
                        .keys(some)
                        .consistentRead(consistent)
                        .build()));
        return retries.call("BatchGetItem", () -> {
            BatchGetItemResponse response =
                    client.batchGetItem(r -> r.requestItems(left).returnConsumedCapacity(capacity));
            response.consumedCapacity().forEach(this::countRead);
            response.responses().forEach((table, items) -> found.computeIfAbsent(table, t -> new ArrayList<>())
                    .addAll(items));
            left.clear();
            left.putAll(response.unprocessedKeys());
            retryUnlessEmpty(left);
            return found;
        });
    }

    void put(PutItemRequest.Builder request) {
        PutItemRequest counted = request.returnConsumedCapacity(capacity).build();
        retries.call("PutItem", () -> {
            PutItemResponse response = client.putItem(counted);
            countWritten(response.consumedCapacity());
            return response;
        });
    }

    /** @param attempts counts how often the request is sent */
    UpdateItemResponse update(UpdateItemRequest.Builder request, AtomicInteger attempts) {
        UpdateItemRequest counted = request.returnConsumedCapacity(capacity).build();
        return retries.call("UpdateItem", () -> {
            attempts.incrementAndGet();
            UpdateItemResponse response = client.updateItem(counted);
            countWritten(response.consumedCapacity());
            return response;
        });
    }

    void delete(DeleteItemRequest.Builder request) {
        DeleteItemRequest counted = request.returnConsumedCapacity(capacity).build();
        retries.call("DeleteItem", () -> {
            DeleteItemResponse response = client.deleteItem(counted);
            countWritten(response.consumedCapacity());
            return response;
        });
    }

    /** Writes at most 25 items with different keys, without conditions. */
    void writeAll(String table, List<WriteRequest> writes) {
        Map<String, List<WriteRequest>> left = new HashMap<>(Map.of(table, writes));
        retries.call("BatchWriteItem", () -> {
            BatchWriteItemResponse response =
                    client.batchWriteItem(r -> r.requestItems(left).returnConsumedCapacity(capacity));
            response.consumedCapacity().forEach(this::countWritten);
            left.clear();
            left.putAll(response.unprocessedItems());
            retryUnlessEmpty(left);
            return left;
        });
    }

    QueryResponse query(QueryRequest.Builder request) {
        QueryRequest counted = request.returnConsumedCapacity(capacity).build();
        return retries.call("Query", () -> {
            QueryResponse response = client.query(counted);
            countRead(response.consumedCapacity());
            return response;
        });
    }

    ScanResponse scan(ScanRequest.Builder request) {
        ScanRequest counted = request.returnConsumedCapacity(capacity).build();
        return retries.call("Scan", () -> {
            ScanResponse response = client.scan(counted);
            countRead(response.consumedCapacity());
            return response;
        });
    }

    void transact(TransactWriteItemsRequest.Builder request) {
        TransactWriteItemsRequest counted =
                request.returnConsumedCapacity(capacity).build();
        retries.call("TransactWriteItems", () -> {
            TransactWriteItemsResponse response = client.transactWriteItems(counted);
            response.consumedCapacity().forEach(this::countWritten);
            return response;
        });
    }

    /** Sends the rest of a batch after a pause. DynamoDB leaves a part of a batch unprocessed if it is busy. */
    private static void retryUnlessEmpty(Map<?, ?> left) {
        if (!left.isEmpty()) {
            throw ProvisionedThroughputExceededException.builder()
                    .message("a part of the batch was not processed")
                    .build();
        }
    }

    private void countRead(ConsumedCapacity consumed) {
        if (isCounted(consumed)) {
            meter.read(consumed.capacityUnits());
        }
    }

    private void countWritten(ConsumedCapacity consumed) {
        if (isCounted(consumed)) {
            meter.written(consumed.capacityUnits());
        }
    }

    private static boolean isCounted(ConsumedCapacity consumed) {
        return consumed != null && consumed.capacityUnits() != null;
    }
}
