package dev.agenthealth.testkit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A real client that fails at a chosen write, counted from 1, in a chosen way. Thread-safe. */
public final class CrashingDynamoDb extends ForwardingDynamoDb {

    private final AtomicInteger writes = new AtomicInteger();
    private final ReadWriteLock onTheirWay = new ReentrantReadWriteLock();
    private final int fatal;
    private final Way way;
    private volatile boolean dead;

    public CrashingDynamoDb(DynamoDbClient delegate, int fatal, Way way) {
        super(delegate);
        this.fatal = fatal;
        this.way = way;
    }

    /** A kind of failure of a write. */
    public enum Way {
        /** The process crashes before the write: neither this request nor any later one reaches the storage. */
        CRASHES_BEFORE,
        /** The process crashes after the write. */
        CRASHES_AFTER,
        /** The write is rejected with an error that is not retryable; the process continues. */
        IS_REJECTED,
        /** The write is applied, its response is lost, and the process continues and may retry. */
        LOSES_RESPONSE
    }

    /** Thrown at the crash of the process. It is an {@link Error}, so that no handler of exceptions catches it. */
    public static final class Crash extends Error {

        private static final long serialVersionUID = 1;

        Crash() {
            super("the process ended");
        }
    }

    /** Waits for the requests in flight at the crash, since they may still be applied. */
    public void settle() {
        onTheirWay.writeLock().lock();
        onTheirWay.writeLock().unlock();
    }

    /** Returns true if the failing write was reached. */
    public boolean hasFailed() {
        return writes.get() >= fatal;
    }

    @Override
    <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
        onTheirWay.readLock().lock();
        try {
            return sent(request, operation);
        } finally {
            onTheirWay.readLock().unlock();
        }
    }

    private <T extends DynamoDbRequest, R> R sent(T request, Function<T, R> operation) {
        if (dead) {
            throw new Crash();
        }
        if (!isWrite(request) || writes.incrementAndGet() != fatal) {
            return operation.apply(request);
        }
        switch (way) {
            case CRASHES_BEFORE -> {
                dead = true;
                throw new Crash();
            }
            case CRASHES_AFTER -> {
                dead = true;
                operation.apply(request);
                throw new Crash();
            }
            case LOSES_RESPONSE -> {
                operation.apply(request);
                throw ApiCallTimeoutException.create(2_500);
            }
            case IS_REJECTED ->
                throw DynamoDbException.builder()
                        .message("User is not authorized to perform this")
                        .statusCode(400)
                        .build();
            default -> throw new IllegalStateException(way.name());
        }
    }

    private static boolean isWrite(DynamoDbRequest request) {
        return request instanceof PutItemRequest
                || request instanceof UpdateItemRequest
                || request instanceof DeleteItemRequest
                || request instanceof BatchWriteItemRequest
                || request instanceof TransactWriteItemsRequest;
    }
}
