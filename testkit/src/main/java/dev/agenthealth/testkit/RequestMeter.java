package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The requests of a {@link TestDynamoDb} with their consumed capacity, including indexes. Tests assert budgets on these figures. Thread-safe. */
public final class RequestMeter implements RequestInterceptor {

    private final List<Metered> requests = Collections.synchronizedList(new ArrayList<>());

    RequestMeter() {}

    /**
     * A request.
     *
     * @param operation such as {@code UpdateItem}
     * @param units capacity units of all tables and indexes; 0 if the request failed
     * @param indexUnits the part of them that indexes consumed
     */
    public record Call(String operation, double units, double indexUnits) {

        boolean isRead() {
            return operation.matches("(Batch|Transact)?Get.*|Query|Scan");
        }
    }

    private record Metered(Call call, Map<String, Double> byTable) {}

    /** Discards all requests so far. */
    public void reset() {
        requests.clear();
    }

    /** Returns all requests since the last reset, in order. */
    public List<Call> calls() {
        return requests().stream().map(Metered::call).toList();
    }

    private List<Metered> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    /** Returns the operations since the last reset, in order. */
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

    /** Returns the read units of one table with its indexes. */
    public double readUnits(String table) {
        return units(table, true);
    }

    /** Returns the write units of one table with its indexes. An update with a failed condition reports nothing and counts as one unit. */
    public double writeUnits(String table) {
        return units(table, false);
    }

    /** Returns the units of one operation on one table with its indexes. */
    public double units(String table, String operation) {
        return requests().stream()
                .filter(request -> request.call().operation().equals(operation))
                .mapToDouble(request -> request.byTable().getOrDefault(table, 0.0))
                .sum();
    }

    private double units(String table, boolean read) {
        return requests().stream()
                .filter(request -> request.call().isRead() == read)
                .mapToDouble(request -> request.byTable().getOrDefault(table, 0.0))
                .sum();
    }

    /** Returns the units consumed by indexes. */
    public double indexUnits() {
        return calls().stream().mapToDouble(Call::indexUnits).sum();
    }

    @Override
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
        String name = request.getClass().getSimpleName().replace("Request", "");
        Metered metered = new Metered(new Call(name, 0, 0), Map.of());
        try {
            R response = operation.apply(CapacityReports.requested(request));
            metered = metered(name, CapacityReports.of(response));
            return response;
        } catch (ConditionalCheckFailedException e) {
            if (request instanceof UpdateItemRequest update) {
                metered = new Metered(metered.call(), Map.of(update.tableName(), 1.0));
            }
            throw e;
        } finally {
            requests.add(metered);
        }
    }

    private static Metered metered(String operation, List<ConsumedCapacity> consumed) {
        Map<String, Double> byTable = consumed.stream()
                .collect(Collectors.toMap(ConsumedCapacity::tableName, ConsumedCapacity::capacityUnits, Double::sum));
        double units =
                byTable.values().stream().mapToDouble(Double::doubleValue).sum();
        double indexUnits =
                consumed.stream().mapToDouble(RequestMeter::indexUnits).sum();
        return new Metered(new Call(operation, units, indexUnits), byTable);
    }

    private static double indexUnits(ConsumedCapacity consumed) {
        return consumed.globalSecondaryIndexes().values().stream()
                .mapToDouble(Capacity::capacityUnits)
                .sum();
    }
}
