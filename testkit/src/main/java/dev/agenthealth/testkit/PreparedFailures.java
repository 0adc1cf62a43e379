package dev.agenthealth.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Fails the next requests in ways that DynamoDB has and an embedded database does not have. Thread-safe. */
final class PreparedFailures implements RequestInterceptor {

    private final Deque<Fault> faults = new ArrayDeque<>();

    /** A failure of a request, before or after it is applied. */
    private record Fault(Class<? extends DynamoDbRequest> request, boolean applied, Supplier<SdkException> exception) {}

    /** Lets the next request of this kind conflict with a transaction on the same item. */
    void conflictOn(Class<? extends DynamoDbRequest> request) {
        add(new Fault(request, false, Failures::conflict));
    }

    /** Lets the next transaction be cancelled because of another transaction on the same item. */
    void cancelByConflict(Class<? extends DynamoDbRequest> request) {
        add(new Fault(request, false, () -> Failures.cancelled(2, 0, "TransactionConflict")));
    }

    /** Lets the next request of this kind be throttled, including the SDK's retries. */
    void throttleOn(Class<? extends DynamoDbRequest> request) {
        add(new Fault(request, false, Failures::exceeded));
    }

    /** Applies the next request of this kind and loses its response. */
    void loseAnswerOf(Class<? extends DynamoDbRequest> request) {
        add(new Fault(request, true, Failures::lost));
    }

    /** Removes all failures. */
    void clear() {
        synchronized (faults) {
            faults.clear();
        }
    }

    @Override
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
        Fault fault = next(request);
        if (fault == null) {
            return operation.apply(request);
        }
        if (fault.applied()) {
            operation.apply(request);
        }
        throw fault.exception().get();
    }

    private void add(Fault fault) {
        synchronized (faults) {
            faults.add(fault);
        }
    }

    private Fault next(DynamoDbRequest request) {
        synchronized (faults) {
            Fault first = faults.peek();
            return first != null && first.request().isInstance(request) ? faults.poll() : null;
        }
    }
}
