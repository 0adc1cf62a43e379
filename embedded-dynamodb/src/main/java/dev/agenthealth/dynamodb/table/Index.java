package dev.agenthealth.dynamodb.table;

import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.dynamodb.value.Values;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A global secondary index.
 *
 * @param id part of the name of its SQLite table
 * @param projectsAll true if its entries have all attributes, which are read from the table; false for the keys only
 */
public record Index(long id, String name, KeySchema keys, boolean projectsAll) {

    /** Returns true if the item has an entry. An item older than the index may have values of other types in the index's keys. */
    public boolean has(Map<String, AttributeValue> item) {
        for (KeyAttribute attribute : keys.attributes()) {
            AttributeValue value = item.get(attribute.name());
            if (value == null || !attribute.isOf(value) || !keys.fits(attribute, Sizes.of(value))) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if two versions of an item, which both have an entry, have the same entry. */
    public boolean hasSameKeys(Map<String, AttributeValue> one, Map<String, AttributeValue> other) {
        for (KeyAttribute attribute : keys.attributes()) {
            if (!Values.equal(one.get(attribute.name()), other.get(attribute.name()))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the entry of an item that has the keys of the index. */
    public Map<String, AttributeValue> entry(KeySchema tableKeys, Map<String, AttributeValue> item) {
        if (projectsAll) {
            return item;
        }
        Map<String, AttributeValue> entry = new HashMap<>();
        tableKeys.copy(item, entry);
        keys.copy(item, entry);
        return entry;
    }

    /** Returns the key of the item's entry, which is unique per item. */
    public byte[] key(KeySchema tableKeys, Map<String, AttributeValue> item) {
        return Keys.concat(Keys.of(keys, item), Keys.of(tableKeys, item));
    }
}
