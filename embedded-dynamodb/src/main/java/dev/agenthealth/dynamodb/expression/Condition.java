package dev.agenthealth.dynamodb.expression;

import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A condition or filter of one request. Thread-safe. */
public interface Condition {

    /**
     * Returns true if the item satisfies the condition.
     *
     * @param item in normal form; empty if it is absent
     */
    boolean holds(Map<String, AttributeValue> item);

    /** Returns the names of the top-level attributes in the condition. */
    default Set<String> attributes() {
        return Set.of();
    }
}
