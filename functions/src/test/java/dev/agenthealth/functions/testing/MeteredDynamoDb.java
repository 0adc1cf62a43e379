package dev.agenthealth.functions.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * A real client that also counts: every request is made to report the capacity it consumed, indexes included, which is what the
 * budgets are asserted on. Thread-safe.
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
     * @param indexUnits those of them that indexes took
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

    /** Forgets all requests up to now. */
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

    /** What indexes took of the units. */
    public double indexUnits() {
        return calls().stream().mapToDouble(Call::indexUnits).sum();
    }

    @Override
    <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
        String name = request.getClass().getSimpleName().replace("Request", "");
        boolean answered = false;
        try {
            R response = operation.apply(metered(request));
            List<ConsumedCapacity> consumed = consumed(response);
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

    @SuppressWarnings("unchecked")
    private static <T extends SdkRequest> T metered(T request) {
        ReturnConsumedCapacity detailed = ReturnConsumedCapacity.INDEXES;
        SdkRequest metered = request;
        if (request instanceof GetItemRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof BatchGetItemRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof QueryRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof ScanRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof TransactGetItemsRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof PutItemRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof UpdateItemRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof DeleteItemRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof BatchWriteItemRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof TransactWriteItemsRequest r) {
            metered = r.toBuilder().returnConsumedCapacity(detailed).build();
        }
        return (T) metered;
    }

    private static List<ConsumedCapacity> consumed(Object response) {
        List<ConsumedCapacity> consumed = List.of();
        if (response instanceof GetItemResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof BatchGetItemResponse r) {
            consumed = r.consumedCapacity();
        } else if (response instanceof QueryResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof ScanResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof TransactGetItemsResponse r) {
            consumed = r.consumedCapacity();
        } else if (response instanceof PutItemResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof UpdateItemResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof DeleteItemResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof BatchWriteItemResponse r) {
            consumed = r.consumedCapacity();
        } else if (response instanceof TransactWriteItemsResponse r) {
            consumed = r.consumedCapacity();
        }
        return consumed;
    }

    private static double indexUnits(ConsumedCapacity consumed) {
        return consumed.globalSecondaryIndexes().values().stream()
                .mapToDouble(Capacity::capacityUnits)
                .sum();
    }

    private static List<ConsumedCapacity> one(ConsumedCapacity consumed) {
        return consumed == null ? List.of() : List.of(consumed);
    }
}
