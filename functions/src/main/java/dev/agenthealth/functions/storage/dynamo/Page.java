package dev.agenthealth.functions.storage.dynamo;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items that one request reads.
 *
 * @param items possibly none, although more follow: a filter may leave them out
 * @param lastKey where the next page begins; empty where there is none
 */
public record Page(List<Map<String, AttributeValue>> items, Map<String, AttributeValue> lastKey) {

    /** Returns whether more items may follow. */
    public boolean hasMore() {
        return !lastKey.isEmpty();
    }
}
