package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A real client that computes the read and write units charged to each table, indexes included. DynamoDB Local reports one item per table
 * for a transaction, so this reads the items before and after, and charges each item and index entry twice, DynamoDB's maximum. An update
 * whose condition fails is charged one unit. Thread-safe, but a transaction's items must not be written concurrently.
 */
public final class CapacityLedger extends ForwardingDynamoDb {

    private static final int TRANSACTION_FACTOR = 2;

    private final DynamoDbClient delegate;
    private final List<Charge> charges = new ArrayList<>();
    private final Map<String, TableDescription> tables = new ConcurrentHashMap<>();

    public CapacityLedger(DynamoDbClient delegate) {
        super(delegate);
        this.delegate = delegate;
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
        if (request instanceof TransactWriteItemsRequest transaction) {
            List<Item> items =
                    transaction.transactItems().stream().map(this::item).toList();
            List<Map<String, AttributeValue>> before =
                    items.stream().map(this::image).toList();
            R response = operation.apply(request);
            for (int i = 0; i < items.size(); i++) {
                TableDescription table = table(items.get(i).table());
                WriteCharge once = WriteCharge.of(table, before.get(i), image(items.get(i)));
                charge(items.get(i).table(), 0, TRANSACTION_FACTOR * once.total());
            }
            return response;
        }
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

    /** An item of a transaction. */
    private record Item(String table, Map<String, AttributeValue> key) {}

    private Item item(TransactWriteItem element) {
        if (element.put() != null) {
            String table = element.put().tableName();
            return new Item(table, key(table, element.put().item()));
        }
        if (element.update() != null) {
            return new Item(element.update().tableName(), element.update().key());
        }
        if (element.delete() != null) {
            return new Item(element.delete().tableName(), element.delete().key());
        }
        return new Item(
                element.conditionCheck().tableName(), element.conditionCheck().key());
    }

    private Map<String, AttributeValue> key(String table, Map<String, AttributeValue> item) {
        List<String> names = table(table).keySchema().stream()
                .map(KeySchemaElement::attributeName)
                .toList();
        return names.stream().collect(Collectors.toMap(name -> name, item::get));
    }

    private Map<String, AttributeValue> image(Item item) {
        return delegate.getItem(r -> r.tableName(item.table()).key(item.key()).consistentRead(true))
                .item();
    }

    private TableDescription table(String name) {
        return tables.computeIfAbsent(
                name, n -> delegate.describeTable(r -> r.tableName(n)).table());
    }
}
