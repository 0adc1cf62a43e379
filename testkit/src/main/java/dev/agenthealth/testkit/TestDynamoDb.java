package dev.agenthealth.testkit;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
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
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The test double of the database: a real client with switches. Each switch observes, changes, delays or fails requests, as DynamoDB does and
 * an embedded database does not. Without a switch it only forwards.
 *
 * <pre>{@code
 * TestDynamoDb dynamoDb = new TestDynamoDb(tables.dynamoDb());
 * RequestMeter meter = dynamoDb.meter();
 * dynamoDb.throttleOn(GetItemRequest.class);
 * }</pre>
 *
 * <p>The switch that was turned on last sees a request first, and prepared failures come before all switches. Thread-safe.
 */
public final class TestDynamoDb implements DynamoDbClient {

    private final DynamoDbClient delegate;
    private final List<RequestInterceptor> switches = new CopyOnWriteArrayList<>();
    private final PreparedFailures failures = new PreparedFailures();
    private Optional<FailingWrite> failingWrite = Optional.empty();

    public TestDynamoDb(DynamoDbClient delegate) {
        this.delegate = delegate;
    }

    /** Passes each request to a hook before it is sent. The hook may inspect the request, wait, throw, or send its own requests. */
    public TestDynamoDb before(Consumer<DynamoDbRequest> hook) {
        return with(new RequestInterceptor() {
            @Override
            public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> next) {
                hook.accept(request);
                return next.apply(request);
            }
        });
    }

    /** Fails the write with this number, counted from 1. */
    public TestDynamoDb failAt(int write, WriteFailure failure) {
        FailingWrite failing = new FailingWrite(write, failure);
        failingWrite = Optional.of(failing);
        return with(failing);
    }

    /** Returns true if the write of {@link #failAt} was reached. */
    public boolean hasFailed() {
        return failingWrite.orElseThrow().hasFailed();
    }

    /** Waits for the requests in flight at the crash of {@link #failAt}, since they may still be applied. */
    public void settle() {
        failingWrite.orElseThrow().settle();
    }

    /** Lets the next request of this kind conflict with a transaction on the same item. */
    public void conflictOn(Class<? extends DynamoDbRequest> request) {
        failures.conflictOn(request);
    }

    /** Lets the next transaction be cancelled because of another transaction on the same item. */
    public void cancelByConflict(Class<? extends DynamoDbRequest> request) {
        failures.cancelByConflict(request);
    }

    /** Lets the next request of this kind be throttled, including the SDK's retries. */
    public void throttleOn(Class<? extends DynamoDbRequest> request) {
        failures.throttleOn(request);
    }

    /** Applies the next request of this kind and loses its response. */
    public void loseAnswerOf(Class<? extends DynamoDbRequest> request) {
        failures.loseAnswerOf(request);
    }

    /** Removes all prepared failures. */
    public void clear() {
        failures.clear();
    }

    /** Answers only in part: a query or a scan ends early, and a batch leaves keys or writes unprocessed. */
    public TestDynamoDb answerInPart(int maxItems) {
        return with(new PartialAnswers(maxItems));
    }

    /**
     * Splits the first batch read.
     *
     * @param isReadFirst selects the keys that are read before {@code between} runs
     */
    public TestDynamoDb tearFirstBatchRead(Predicate<Map<String, AttributeValue>> isReadFirst, Runnable between) {
        return with(new TornReads(isReadFirst, between));
    }

    /** Changes or removes the writes of transactions. */
    public TestDynamoDb changeTransactions(Function<TransactWriteItem, Optional<TransactWriteItem>> changed) {
        return with(ChangedTransactions.with(changed));
    }

    /** Sends transactions without their tokens. */
    public TestDynamoDb dropTokens() {
        return with(ChangedTransactions.withoutTokens());
    }

    /** Adds the permissions that each request needs on AWS to a set. */
    public TestDynamoDb recordPermissions(Set<Permission> uses) {
        return with(new PermissionRecorder(uses));
    }

    /** Compares the answers of items in memory, which this client is for, with answers of the embedded database. */
    public TestDynamoDb compareAnswers(MemoryDynamoDb memory, DynamoDbClient embedded) {
        return with(new ComparedAnswers(memory, embedded));
    }

    /** Records requests and their consumed capacity. */
    public RequestMeter meter() {
        RequestMeter meter = new RequestMeter();
        with(meter);
        return meter;
    }

    /** Prepares the troubles of DynamoDB, which begin with {@link RandomTroubles#start}. */
    public RandomTroubles troubles(Clock clock) {
        return troubles(clock, (trouble, request) -> {});
    }

    /**
     * Prepares the troubles of DynamoDB, which begin with {@link RandomTroubles#start}.
     *
     * @param hits receives each trouble and its request
     */
    public RandomTroubles troubles(Clock clock, BiConsumer<Trouble, DynamoDbRequest> hits) {
        RandomTroubles troubles = new RandomTroubles(delegate, clock, hits);
        with(troubles);
        return troubles;
    }

    /** Turns on a switch. */
    TestDynamoDb with(RequestInterceptor added) {
        switches.add(0, added);
        return this;
    }

    private <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
        Function<T, R> chain = operation;
        for (int i = switches.size() - 1; i >= 0; i--) {
            RequestInterceptor interceptor = switches.get(i);
            Function<T, R> next = chain;
            chain = sent -> interceptor.intercept(sent, next);
        }
        return failures.intercept(request, chain);
    }

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
