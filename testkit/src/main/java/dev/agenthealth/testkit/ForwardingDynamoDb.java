package dev.agenthealth.testkit;

import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** A client that forwards the requests of this system to another client, one by one through {@link #forward}. */
abstract class ForwardingDynamoDb implements DynamoDbClient {

    private final DynamoDbClient delegate;

    ForwardingDynamoDb(DynamoDbClient delegate) {
        this.delegate = delegate;
    }

    /** Forwards one request. */
    abstract <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation);

    @Override
    public String serviceName() {
        return delegate.serviceName();
    }

    @Override
    public void close() {
        delegate.close();
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        return forward(request, delegate::getItem);
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
        return forward(request, delegate::batchGetItem);
    }

    @Override
    public QueryResponse query(QueryRequest request) {
        return forward(request, delegate::query);
    }

    @Override
    public ScanResponse scan(ScanRequest request) {
        return forward(request, delegate::scan);
    }

    @Override
    public TransactGetItemsResponse transactGetItems(TransactGetItemsRequest request) {
        return forward(request, delegate::transactGetItems);
    }

    @Override
    public PutItemResponse putItem(PutItemRequest request) {
        return forward(request, delegate::putItem);
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return forward(request, delegate::updateItem);
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest request) {
        return forward(request, delegate::deleteItem);
    }

    @Override
    public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
        return forward(request, delegate::batchWriteItem);
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        return forward(request, delegate::transactWriteItems);
    }
}
