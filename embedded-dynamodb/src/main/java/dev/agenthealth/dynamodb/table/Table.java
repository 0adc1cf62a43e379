package dev.agenthealth.dynamodb.table;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A table. Immutable.
 *
 * @param id part of the names of its SQLite tables
 * @param streamView {@code NEW_IMAGE} and so on; empty without a stream
 * @param ttlAttribute holds an item's expiry in epoch seconds; empty if items do not expire
 */
public record Table(
        long id,
        String name,
        KeySchema keys,
        List<Index> indexes,
        String streamView,
        String ttlAttribute,
        Instant createdAt) {

    public Table {
        indexes = List.copyOf(indexes);
    }

    public boolean hasStream() {
        return !streamView.isEmpty();
    }

    public Optional<Index> index(String indexName) {
        for (Index index : indexes) {
            if (index.name().equals(indexName)) {
                return Optional.of(index);
            }
        }
        return Optional.empty();
    }

    public Table withTtl(String attribute) {
        return new Table(id, name, keys, indexes, streamView, attribute, createdAt);
    }

    public Table withIndexes(List<Index> newIndexes) {
        return new Table(id, name, keys, newIndexes, streamView, ttlAttribute, createdAt);
    }

    /** Returns the stream's label of the SDK, which is the time of its creation. */
    public String streamLabel() {
        return createdAt.toString();
    }

    public String arn() {
        return "arn:aws:dynamodb:us-east-1:000000000000:table/" + name;
    }

    public String streamArn() {
        return arn() + "/stream/" + streamLabel();
    }

    /** Returns whether the item has an expiry. */
    public boolean expires(Map<String, AttributeValue> item) {
        return expirySeconds(item) != Long.MAX_VALUE;
    }

    /** Returns the item's expiry in epoch seconds; {@link Long#MAX_VALUE} if it has no expiry, or the expiry is not a number. */
    public long expirySeconds(Map<String, AttributeValue> item) {
        AttributeValue value = item.get(ttlAttribute);
        if (value == null || value.n() == null) {
            return Long.MAX_VALUE;
        }
        try {
            return Long.parseLong(value.n());
        } catch (NumberFormatException e) {
            return (long) Double.parseDouble(value.n());
        }
    }
}
