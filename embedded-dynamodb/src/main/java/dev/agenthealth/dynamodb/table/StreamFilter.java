package dev.agenthealth.dynamodb.table;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/** Decides which changes of items the streams store. A change that no consumer of a stream takes needs no record. Thread-safe. */
@FunctionalInterface
public interface StreamFilter {

    /** Stores every change, as DynamoDB does. */
    StreamFilter ALL = (table, change, item) -> true;

    /**
     * Returns true if the stream of a table stores a change.
     *
     * @param item the new item, or the removed item
     */
    boolean stores(Table table, OperationType change, Map<String, AttributeValue> item);
}
