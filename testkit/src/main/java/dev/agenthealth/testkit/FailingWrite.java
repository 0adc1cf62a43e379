package dev.agenthealth.testkit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Fails at a chosen write, counted from 1, in a chosen way. Thread-safe. */
final class FailingWrite implements RequestInterceptor {

    private final AtomicInteger writes = new AtomicInteger();
    private final ReadWriteLock onTheirWay = new ReentrantReadWriteLock();
    private final int fatal;
    private final WriteFailure failure;
    private volatile boolean dead;

    FailingWrite(int fatal, WriteFailure failure) {
        this.fatal = fatal;
        this.failure = failure;
    }

    /** Waits for the requests in flight at the crash, since they may still be applied. */
    void settle() {
        onTheirWay.writeLock().lock();
        onTheirWay.writeLock().unlock();
    }

    /** Returns true if the failing write was reached. */
    boolean hasFailed() {
        return writes.get() >= fatal;
    }

    @Override
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
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
        switch (failure) {
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
            default -> throw new IllegalStateException(failure.name());
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
