package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A real client that records every request with the capacity it consumed, indexes included. Budgets are asserted on these figures.
 * Thread-safe.
 */
public final class MeteredDynamoDb extends ForwardingDynamoDb {

    private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());

    public MeteredDynamoDb(DynamoDbClient delegate) {
        super(delegate);
    }

    /**
     * One request.
     *
     * @param operation such as {@code UpdateItem}
     * @param units capacity units of all tables and indexes; 0 where the request failed
     * @param indexUnits the part of them consumed by indexes
     */
    public record Call(String operation, double units, double indexUnits) {

        boolean isRead() {
            return operation.equals("GetItem")
                    || operation.equals("BatchGetItem")
                    || operation.equals("Query")
                    || operation.equals("Scan")
                    || operation.equals("TransactGetItems");
        }
    }

    /** Discards all requests so far. */
    public void reset() {
        calls.clear();
    }

    /** All requests since the last reset, in order. */
    public List<Call> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    /** The operations since the last reset, in order. */
    public List<String> operations() {
        return calls().stream().map(Call::operation).toList();
    }

    public double readUnits() {
        return calls().stream().filter(Call::isRead).mapToDouble(Call::units).sum();
    }

    public double writeUnits() {
        return calls().stream()
                .filter(c -> !c.isRead())
                .mapToDouble(Call::units)
                .sum();
    }

    /** The units consumed by indexes. */
    public double indexUnits() {
        return calls().stream().mapToDouble(Call::indexUnits).sum();
    }

    @Override
    <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
        String name = request.getClass().getSimpleName().replace("Request", "");
        boolean answered = false;
        try {
            R response = operation.apply(CapacityReports.asked(request));
            List<ConsumedCapacity> consumed = CapacityReports.of(response);
            calls.add(new Call(
                    name,
                    consumed.stream()
                            .mapToDouble(ConsumedCapacity::capacityUnits)
                            .sum(),
                    consumed.stream().mapToDouble(MeteredDynamoDb::indexUnits).sum()));
            answered = true;
            return response;
        } finally {
            if (!answered) {
                calls.add(new Call(name, 0, 0));
            }
        }
    }

    private static double indexUnits(ConsumedCapacity consumed) {
        return consumed.globalSecondaryIndexes().values().stream()
                .mapToDouble(Capacity::capacityUnits)
                .sum();
    }
}
