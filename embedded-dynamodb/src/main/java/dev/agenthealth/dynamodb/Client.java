package dev.agenthealth.dynamodb;

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

/** The client. An operation that it lacks throws the {@link UnsupportedOperationException} of the SDK's interface. Thread-safe. */
final class Client implements DynamoDbClient {

    private final SingleItems items;
    private final Batches batches;
    private final Transactions transactions;
    private final Queries queries;
    private final TableControl tables;

    Client(Engine engine, Tokens tokens) {
        this.items = new SingleItems(engine);
        this.batches = new Batches(engine);
        this.transactions = new Transactions(engine, tokens);
        this.queries = new Queries(engine);
        this.tables = new TableControl(engine);
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    /** Does nothing: the owner closes the database. */
    @Override
    public void close() {}

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        return items.get(request);
    }

    @Override
    public PutItemResponse putItem(PutItemRequest request) {
        return items.put(request);
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return items.update(request);
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest request) {
        return items.delete(request);
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
        return batches.get(request);
    }

    @Override
    public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
        return batches.write(request);
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        return transactions.write(request);
    }

    @Override
    public QueryResponse query(QueryRequest request) {
        return queries.query(request);
    }

    @Override
    public ScanResponse scan(ScanRequest request) {
        return queries.scan(request);
    }

    @Override
    public CreateTableResponse createTable(CreateTableRequest request) {
        return tables.create(request);
    }

    @Override
    public DescribeTableResponse describeTable(DescribeTableRequest request) {
        return tables.describe(request);
    }

    @Override
    public DeleteTableResponse deleteTable(DeleteTableRequest request) {
        return tables.delete(request);
    }

    @Override
    public UpdateTableResponse updateTable(UpdateTableRequest request) {
        return tables.update(request);
    }

    @Override
    public UpdateTimeToLiveResponse updateTimeToLive(UpdateTimeToLiveRequest request) {
        return tables.updateTimeToLive(request);
    }

    @Override
    public DescribeTimeToLiveResponse describeTimeToLive(DescribeTimeToLiveRequest request) {
        return tables.describeTimeToLive(request);
    }
}
