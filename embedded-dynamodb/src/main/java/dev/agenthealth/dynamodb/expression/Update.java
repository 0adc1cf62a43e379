package dev.agenthealth.dynamodb.expression;

import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An update of one request. Thread-safe. */
public interface Update {

    /**
     * The item after the update, which is a new map.
     *
     * @param item as before the update, in normal form; empty where there is no item
     * @throws software.amazon.awssdk.services.dynamodb.model.DynamoDbException where an attribute is absent or has the wrong type
     */
    Map<String, AttributeValue> applied(Map<String, AttributeValue> item);

    /** The names of the attributes that it may change. */
    Set<String> attributes();
}
