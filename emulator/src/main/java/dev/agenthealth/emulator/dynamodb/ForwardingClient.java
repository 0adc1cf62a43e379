package dev.agenthealth.emulator.dynamodb;

import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveResponse;

/**
 * Forwards the operations that functions and tests use, and supports no others. A proxy of the interface would do the same, but on Java 17 it
 * loads the requests of all operations with 600 lambdas at each start.
 */
abstract class ForwardingClient implements DynamoDbClient {

    /**
     * Sends a request.
     *
     * @param operation sends it to the client that it is called with
     */
    abstract <R> R send(Object request, Function<DynamoDbClient, R> operation);

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    /** Does nothing: the owner of the database closes it. */
    @Override
    public void close() {}

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
        return send(request, to -> to.batchGetItem(request));
    }

    @Override
    public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
        return send(request, to -> to.batchWriteItem(request));
    }

    @Override
    public CreateTableResponse createTable(CreateTableRequest request) {
        return send(request, to -> to.createTable(request));
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest request) {
        return send(request, to -> to.deleteItem(request));
    }

    @Override
    public DeleteTableResponse deleteTable(DeleteTableRequest request) {
        return send(request, to -> to.deleteTable(request));
    }

    @Override
    public DescribeTableResponse describeTable(DescribeTableRequest request) {
        return send(request, to -> to.describeTable(request));
    }

    @Override
    public DescribeTimeToLiveResponse describeTimeToLive(DescribeTimeToLiveRequest request) {
        return send(request, to -> to.describeTimeToLive(request));
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        return send(request, to -> to.getItem(request));
    }

    @Override
    public PutItemResponse putItem(PutItemRequest request) {
        return send(request, to -> to.putItem(request));
    }

    @Override
    public QueryResponse query(QueryRequest request) {
        return send(request, to -> to.query(request));
    }

    @Override
    public ScanResponse scan(ScanRequest request) {
        return send(request, to -> to.scan(request));
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        return send(request, to -> to.transactWriteItems(request));
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return send(request, to -> to.updateItem(request));
    }

    @Override
    public UpdateTableResponse updateTable(UpdateTableRequest request) {
        return send(request, to -> to.updateTable(request));
    }

    @Override
    public UpdateTimeToLiveResponse updateTimeToLive(UpdateTimeToLiveRequest request) {
        return send(request, to -> to.updateTimeToLive(request));
    }
}
