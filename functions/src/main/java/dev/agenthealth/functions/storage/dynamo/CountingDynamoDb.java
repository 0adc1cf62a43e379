package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.observation.StorageMeter;
import java.util.List;
import java.util.function.DoubleConsumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
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

/**
 * Asks with every request what it costs and counts that. It stands before whatever client there is, so that what the tests and the local
 * run count is what is counted when deployed, which an interceptor of the SDK's own client would not do. What a refused request cost is
 * not told by DynamoDB and not counted. A kind of request that is not below is not made by this system. Thread-safe.
 */
public final class CountingDynamoDb implements DynamoDbClient {

    private static final ReturnConsumedCapacity TOTAL = ReturnConsumedCapacity.TOTAL;

    private final DynamoDbClient client;
    private final StorageMeter meter;

    public CountingDynamoDb(DynamoDbClient client, StorageMeter meter) {
        this.client = client;
        this.meter = meter;
    }

    @Override
    public String serviceName() {
        return client.serviceName();
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        GetItemResponse response =
                client.getItem(request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::read);
        return response;
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
        BatchGetItemResponse response = client.batchGetItem(
                request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::read);
        return response;
    }

    @Override
    public QueryResponse query(QueryRequest request) {
        QueryResponse response =
                client.query(request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::read);
        return response;
    }

    @Override
    public ScanResponse scan(ScanRequest request) {
        ScanResponse response =
                client.scan(request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::read);
        return response;
    }

    @Override
    public PutItemResponse putItem(PutItemRequest request) {
        PutItemResponse response =
                client.putItem(request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::written);
        return response;
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        UpdateItemResponse response = client.updateItem(
                request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::written);
        return response;
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest request) {
        DeleteItemResponse response = client.deleteItem(
                request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::written);
        return response;
    }

    @Override
    public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
        BatchWriteItemResponse response = client.batchWriteItem(
                request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::written);
        return response;
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        TransactWriteItemsResponse response = client.transactWriteItems(
                request.toBuilder().returnConsumedCapacity(TOTAL).build());
        count(response.consumedCapacity(), meter::written);
        return response;
    }

    private static void count(ConsumedCapacity consumed, DoubleConsumer units) {
        if (consumed != null && consumed.capacityUnits() != null) {
            units.accept(consumed.capacityUnits());
        }
    }

    private static void count(List<ConsumedCapacity> consumed, DoubleConsumer units) {
        consumed.forEach(one -> count(one, units));
    }
}
