package dev.agenthealth.dynamodb.table;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The key of a table or an index.
 *
 * @param attributes the partition key and, if the key has one, the sort key
 */
public record KeySchema(List<KeyAttribute> attributes) {

    public static final int MAX_PARTITION_BYTES = 2_048;
    public static final int MAX_SORT_BYTES = 1_024;

    public KeySchema {
        attributes = List.copyOf(attributes);
    }

    public KeyAttribute partition() {
        return attributes.get(0);
    }

    public Optional<KeyAttribute> sort() {
        return attributes.size() == 1 ? Optional.empty() : Optional.of(attributes.get(1));
    }

    public boolean has(String attribute) {
        return attributes.get(0).name().equals(attribute)
                || attributes.size() > 1 && attributes.get(1).name().equals(attribute);
    }

    /** Returns true if a value of the attribute may have this size. */
    public boolean fits(KeyAttribute attribute, int bytes) {
        return bytes > 0
                && bytes <= (attribute.name().equals(partition().name()) ? MAX_PARTITION_BYTES : MAX_SORT_BYTES);
    }

    /** Returns true if the item has every key attribute. */
    public boolean isIn(Map<String, AttributeValue> item) {
        for (KeyAttribute attribute : attributes) {
            if (!item.containsKey(attribute.name())) {
                return false;
            }
        }
        return true;
    }

    /** Copies the key attributes to {@code target}. */
    public void copy(Map<String, AttributeValue> item, Map<String, AttributeValue> target) {
        for (KeyAttribute attribute : attributes) {
            target.put(attribute.name(), item.get(attribute.name()));
        }
    }
}
