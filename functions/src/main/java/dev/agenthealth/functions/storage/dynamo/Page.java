package dev.agenthealth.functions.storage.dynamo;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items that one request reads.
 *
 * @param items the items; possibly empty although more follow, because a filter may exclude them
 * @param lastKey the position of the next page; empty if there is none
 */
public record Page(List<Map<String, AttributeValue>> items, Map<String, AttributeValue> lastKey) {

    /** Returns whether more items may follow. */
    public boolean hasMore() {
        return !lastKey.isEmpty();
    }
}
