package dev.agenthealth.dynamodb.expression;

import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A condition or filter of one request. Thread-safe. */
public interface Condition {

    /**
     * Returns true where the item satisfies the condition.
     *
     * @param item in normal form; empty where there is no item
     */
    boolean holds(Map<String, AttributeValue> item);

    /** The names of the top-level attributes that it refers to. */
    default Set<String> attributes() {
        return Set.of();
    }
}
