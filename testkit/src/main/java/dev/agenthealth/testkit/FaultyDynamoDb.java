package dev.agenthealth.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A real client with injected failures that DynamoDB has and an embedded database does not. Thread-safe.
 */
public final class FaultyDynamoDb extends ForwardingDynamoDb {

    private final Deque<Fault> faults = new ArrayDeque<>();

    public FaultyDynamoDb(DynamoDbClient delegate) {
        super(delegate);
    }

    /** A failure of a request, before or after it is applied. */
    private record Fault(Class<? extends DynamoDbRequest> request, boolean applied, Supplier<SdkException> exception) {}

    /** The next request of this kind conflicts with a transaction on the same item. */
    public void conflictOn(Class<? extends DynamoDbRequest> request) {
        add(new Fault(request, false, Failures::conflict));
    }

    /** The next transaction is cancelled because of another one on the same item. */
    public void cancelByConflict(Class<? extends DynamoDbRequest> request) {
        add(new Fault(request, false, () -> Failures.cancelled(2, 0, "TransactionConflict")));
    }

    /** The next request of this kind is throttled, the SDK's retries included. */
    public void throttleOn(Class<? extends DynamoDbRequest> request) {
        add(new Fault(request, false, Failures::exceeded));
    }

    /** The next request of this kind is applied, but its response is lost. */
    public void loseAnswerOf(Class<? extends DynamoDbRequest> request) {
        add(new Fault(request, true, Failures::lost));
    }

    /** Removes all failures. */
    public void clear() {
        synchronized (faults) {
            faults.clear();
        }
    }

    @Override
    <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
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
