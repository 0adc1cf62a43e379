package dev.agenthealth.testkit;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Causes the troubles of DynamoDB, each at its own rate, and none before it is started. The same seed and the same order of requests give
 * the same troubles. Thread-safe.
 */
public final class RandomTroubles implements RequestInterceptor, AutoCloseable {

    /** More requests than the retries of one request within {@code Retries.MAX_DURATION}. */
    private static final int OUTAGE_REQUESTS = 40;

    /** The maximum number of items on a short page or in a batch. */
    private static final int MAX_ITEMS = 3;

    private final Random random = new Random();
    private final LaggingReplica replica;
    private final BiConsumer<Trouble, DynamoDbRequest> hits;
    private volatile Map<Trouble, Double> rates = Map.of();
    private int refusals;

    /** @param hits receives each trouble and its request */
    RandomTroubles(DynamoDbClient leader, Clock clock, BiConsumer<Trouble, DynamoDbRequest> hits) {
        this.hits = hits;
        this.replica = new LaggingReplica(leader, clock, random);
    }

    /**
     * Starts to cause troubles.
     *
     * @param rates the probability of each trouble for a request; 0 if it is missing
     */
    public synchronized void start(long seed, Map<Trouble, Double> rates) {
        random.setSeed(seed);
        refusals = 0;
        if (rates.containsKey(Trouble.STALE_READ)) {
            replica.copy();
        }
        this.rates = Map.copyOf(rates);
    }

    /** Stops causing troubles. */
    public void stop() {
        rates = Map.of();
    }

    @Override
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
        if (rates.isEmpty()) {
            return operation.apply(request);
        }
        refuse(request);
        if (happens(Trouble.LOST_REQUEST, request)) {
            throw unanswered();
        }
        R response = apply(request, operation);
        if (rates.containsKey(Trouble.STALE_READ)) {
            replica.written(request);
        }
        if (happens(Trouble.LOST_RESPONSE, request)) {
            throw unanswered();
        }
        return response;
    }

    private SdkException unanswered() {
        return random.nextBoolean() ? Failures.lost() : Failures.internal();
    }

    /** Closes the copy for stale reads; the caller owns the database. */
    @Override
    public void close() {
        replica.close();
    }

    private synchronized void refuse(DynamoDbRequest request) {
        if (refusals == 0 && happens(Trouble.OUTAGE, request)) {
            refusals = OUTAGE_REQUESTS;
        }
        if (refusals > 0) {
            refusals--;
            throw throttled(request);
        }
        if (happens(Trouble.THROTTLING, request)) {
            throw throttled(request);
        }
        if (isWriteOfItems(request) && happens(Trouble.CONFLICT, request)) {
            throw request instanceof TransactWriteItemsRequest transaction
                    ? cancelled(transaction, "TransactionConflict")
                    : Failures.conflict();
        }
    }

    private static boolean isWriteOfItems(DynamoDbRequest request) {
        return request instanceof PutItemRequest
                || request instanceof UpdateItemRequest
                || request instanceof DeleteItemRequest
                || request instanceof TransactWriteItemsRequest;
    }

    private SdkException throttled(DynamoDbRequest request) {
        boolean exceeded = random.nextBoolean();
        if (request instanceof TransactWriteItemsRequest transaction) {
            return cancelled(transaction, exceeded ? "ProvisionedThroughputExceeded" : "ThrottlingError");
        }
        return exceeded ? Failures.exceeded() : Failures.throttled();
    }

    private SdkException cancelled(TransactWriteItemsRequest transaction, String reason) {
        int items = transaction.transactItems().size();
        return Failures.cancelled(items, random.nextInt(items), reason);
    }

    private <T extends DynamoDbRequest, R> R apply(T request, Function<T, R> operation) {
        Function<T, R> source = mayBeStale(request) && happens(Trouble.STALE_READ, request) ? this::stale : operation;
        if (isOfPages(request) && happens(Trouble.SHORT_PAGE, request)) {
            return random.nextInt(MAX_ITEMS + 1) == 0 && hasStart(request) ? empty(request) : some(request, source);
        }
        if (isBatch(request) && happens(Trouble.UNPROCESSED, request)) {
            return some(request, source);
        }
        return source.apply(request);
    }

    private <T extends DynamoDbRequest, R> R some(T request, Function<T, R> source) {
        return new PartialAnswers(1 + random.nextInt(MAX_ITEMS)).intercept(request, source);
    }

    private static boolean isOfPages(DynamoDbRequest request) {
        return request instanceof QueryRequest || request instanceof ScanRequest;
    }

    private static boolean isBatch(DynamoDbRequest request) {
        return request instanceof BatchGetItemRequest || request instanceof BatchWriteItemRequest;
    }

    private static boolean hasStart(DynamoDbRequest request) {
        return request instanceof QueryRequest query && query.hasExclusiveStartKey()
                || request instanceof ScanRequest scan && scan.hasExclusiveStartKey();
    }

    /** Returns a page on which a request made no progress. */
    @SuppressWarnings("unchecked")
    private static <R> R empty(DynamoDbRequest request) {
        return request instanceof QueryRequest query
                ? (R) QueryResponse.builder()
                        .items(List.of())
                        .count(0)
                        .scannedCount(0)
                        .lastEvaluatedKey(query.exclusiveStartKey())
                        .build()
                : (R) ScanResponse.builder()
                        .items(List.of())
                        .count(0)
                        .scannedCount(0)
                        .lastEvaluatedKey(((ScanRequest) request).exclusiveStartKey())
                        .build();
    }

    private static boolean mayBeStale(DynamoDbRequest request) {
        return request instanceof GetItemRequest get && !Boolean.TRUE.equals(get.consistentRead())
                || request instanceof QueryRequest query && !Boolean.TRUE.equals(query.consistentRead())
                || request instanceof ScanRequest scan && !Boolean.TRUE.equals(scan.consistentRead())
                || request instanceof BatchGetItemRequest batch
                        && batch.requestItems().values().stream()
                                .noneMatch(keys -> Boolean.TRUE.equals(keys.consistentRead()));
    }

    @SuppressWarnings("unchecked")
    private <T extends DynamoDbRequest, R> R stale(T request) {
        DynamoDbClient copy = replica.advance();
        if (request instanceof GetItemRequest get) {
            return (R) copy.getItem(get);
        }
        if (request instanceof BatchGetItemRequest batch) {
            return (R) copy.batchGetItem(batch);
        }
        return request instanceof QueryRequest query ? (R) copy.query(query) : (R) copy.scan((ScanRequest) request);
    }

    private boolean happens(Trouble trouble, DynamoDbRequest request) {
        double rate = rates.getOrDefault(trouble, 0.0);
        if (rate <= 0 || random.nextDouble() >= rate) {
            return false;
        }
        hits.accept(trouble, request);
        return true;
    }
}
