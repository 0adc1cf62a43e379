package dev.agenthealth.dynamodb.expression;

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
    Map<String, AttributeValue> applied(Map<String, AttributeValue> item);

    /** Returns the names of the attributes that the update may change. */
    Set<String> attributes();
}
