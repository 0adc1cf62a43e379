package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A real client that sums up the read and write units charged to each table, indexes included. An update whose condition fails, which
 * reports nothing, is charged one unit. Thread-safe.
 */
public final class CapacityLedger extends ForwardingDynamoDb {

    private final List<Charge> charges = new ArrayList<>();

    public CapacityLedger(DynamoDbClient delegate) {
        super(delegate);
    }

    /**
     * The charge of one request to one table.
     *
     * @param table its name
     * @param readUnits of table and indexes
     * @param writeUnits of table and indexes
     */
    public record Charge(String table, double readUnits, double writeUnits) {}

    /** Discards all charges so far. */
    public void reset() {
        synchronized (charges) {
            charges.clear();
        }
    }

    /** The read units that a table was charged since the last reset. */
    public double readUnits(String table) {
        return of(table).stream().mapToDouble(Charge::readUnits).sum();
    }

    /** The write units that a table was charged since the last reset. */
    public double writeUnits(String table) {
        return of(table).stream().mapToDouble(Charge::writeUnits).sum();
    }

    private List<Charge> of(String table) {
        synchronized (charges) {
            return charges.stream().filter(c -> c.table().equals(table)).toList();
        }
    }

    @Override
    <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
        try {
            R response = operation.apply(CapacityReports.asked(request));
            CapacityReports.of(response).forEach(consumed -> charge(request, consumed));
            return response;
        } catch (ConditionalCheckFailedException e) {
            if (request instanceof UpdateItemRequest update) {
                charge(update.tableName(), 0, 1);
            }
            throw e;
        }
    }

    private void charge(DynamoDbRequest request, ConsumedCapacity consumed) {
        boolean read = request instanceof GetItemRequest
                || request instanceof BatchGetItemRequest
                || request instanceof QueryRequest
                || request instanceof ScanRequest;
        double units = consumed.capacityUnits();
        charge(consumed.tableName(), read ? units : 0, read ? 0 : units);
    }

    private void charge(String table, double readUnits, double writeUnits) {
        synchronized (charges) {
            charges.add(new Charge(table, readUnits, writeUnits));
        }
    }
}
