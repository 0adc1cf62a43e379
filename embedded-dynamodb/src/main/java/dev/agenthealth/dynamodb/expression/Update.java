package dev.agenthealth.dynamodb.expression;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An update of one request. Thread-safe. */
public interface Update {

    /**
     * Returns the updated item as a new map.
     *
     * @param item the item before the update, in normal form; empty if it is absent
     * @throws software.amazon.awssdk.services.dynamodb.model.DynamoDbException if an attribute is absent or has the wrong type
     */
    default Map<String, AttributeValue> applied(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> changed = new HashMap<>(item);
        apply(item, changed);
        return changed;
    }

    /**
     * Changes a copy of an item.
     *
     * @param item the item before the update, in normal form; empty if it is absent
     * @param changed the copy, which has all attributes of the item
     * @throws software.amazon.awssdk.services.dynamodb.model.DynamoDbException if an attribute is absent or has the wrong type
     */
    void apply(Map<String, AttributeValue> item, Map<String, AttributeValue> changed);

    /** Returns the names of the attributes that the update may change. */
    Set<String> attributes();
}
