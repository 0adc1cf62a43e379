package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;
import static dev.agenthealth.dynamodb.value.DynamoDbErrors.unsupported;

import dev.agenthealth.dynamodb.expression.Arguments;
import dev.agenthealth.dynamodb.expression.Condition;
import dev.agenthealth.dynamodb.expression.Expressions;
import dev.agenthealth.dynamodb.sqlite.Readers;
import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.sqlite.SeveralItems;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.Keys;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.Values;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.util.DefaultSdkAutoConstructMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Reads and writes batches of items; each item is independent of the others. Thread-safe. */
final class Batches {

    private static final Condition ALWAYS = item -> true;

    /** The number of keys from which on a snapshot costs less than its statements. */
    private static final int MIN_KEYS_OF_SNAPSHOT = 3;

    private final Engine engine;

    Batches(Engine engine) {
        this.engine = engine;
    }

    /** The keys to read from one table, and the attributes to return. */
    private record Part(Table table, List<byte[]> keys, Set<String> projection, boolean consistent) {}

    BatchGetItemResponse get(BatchGetItemRequest request) {
        List<Part> parts = new ArrayList<>();
        int count = 0;
        for (Map.Entry<String, KeysAndAttributes> entry : request.requestItems().entrySet()) {
            Part part = part(engine.catalogue().table(entry.getKey()), entry.getValue());
            count += part.keys().size();
            parts.add(part);
        }
        if (count == 0) {
            throw invalid(
                    "1 validation error detected: Value at 'requestItems' failed to satisfy constraint: Member must have"
                            + " length greater than or equal to 1");
        }
        if (count > Limits.MAX_ITEMS) {
            throw invalid("Too many items requested for the BatchGetItem call");
        }
        Map<String, List<Map<String, AttributeValue>>> found = new HashMap<>();
        Map<String, KeysAndAttributes> left = new HashMap<>();
        boolean counts = Capacities.isWanted(request.returnConsumedCapacity());
        List<ConsumedCapacity> consumed = new ArrayList<>();
        List<List<byte[]>> read = read(parts, count);
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            List<Map<String, AttributeValue>> items = new ArrayList<>();
            Capacities.Units units = new Capacities.Units(part.table());
            List<byte[]> stored = read.get(i);
            for (byte[] item : stored) {
                int size = size(item);
                units.add(Capacities.read(size, part.consistent()));
                if (size > 0) {
                    items.add(projected(item, part.projection()));
                }
            }
            if (stored.size() < part.keys().size()) {
                left.put(
                        part.table().name(),
                        rest(request.requestItems().get(part.table().name()), stored.size()));
            }
            found.put(part.table().name(), items);
            if (counts) {
                consumed.add(units.consumed(request.returnConsumedCapacity()));
            }
        }
        BatchGetItemResponse.Builder response =
                BatchGetItemResponse.builder().responses(found).unprocessedKeys(left);
        if (counts) {
            response.consumedCapacity(consumed);
        }
        return response.build();
    }

    private static Part part(Table table, KeysAndAttributes keys) {
        if (keys.hasAttributesToGet()) {
            throw unsupported("AttributesToGet");
        }
        Arguments arguments = Arguments.of(keys.expressionAttributeNames(), DefaultSdkAutoConstructMap.getInstance());
        Set<String> projection = keys.projectionExpression() == null
                ? Set.of()
                : Expressions.projection(keys.projectionExpression(), arguments);
        arguments.checkAllUsed();
        List<byte[]> stored = new ArrayList<>();
        Set<ItemKey> seen = new HashSet<>();
        for (Map<String, AttributeValue> key : keys.keys()) {
            Map<String, AttributeValue> normal = Values.normalized(key);
            KeyCheck.checkKey(table.keys(), normal);
            byte[] bytes = Keys.of(table.keys(), normal);
            if (!seen.add(new ItemKey(table, bytes))) {
                throw invalid("Provided list of item keys contains duplicates");
            }
            stored.add(bytes);
        }
        return new Part(table, stored, projection, Boolean.TRUE.equals(keys.consistentRead()));
    }

    /**
     * Reads the items of each part's first keys, up to a number of bytes, so that they fit into memory; an absent item is empty. Several
     * keys are read on one snapshot, since SQLite locks its log once for each snapshot.
     */
    private List<List<byte[]>> read(List<Part> parts, int keys) {
        Readers.Read<List<List<byte[]>>> read = session -> {
            long left = Limits.MAX_BATCH;
            List<List<byte[]>> found = new ArrayList<>(parts.size());
            for (Part part : parts) {
                List<byte[]> items = new ArrayList<>(part.keys().size());
                left -= readUpTo(left, session, part, items);
                found.add(items);
            }
            return found;
        };
        return keys < MIN_KEYS_OF_SNAPSHOT ? engine.read(read) : engine.snapshot(read);
    }

    /** Reads the items of a part's first keys, up to a number of bytes. Returns the number of bytes. */
    private static long readUpTo(long maxBytes, Session session, Part part, List<byte[]> items) throws SQLException {
        long bytes = 0;
        List<byte[]> keys = part.keys();
        while (items.size() < keys.size()) {
            boolean allFit = bytes + (long) SeveralItems.MAX_KEYS * Limits.MAX_ITEM <= maxBytes;
            int end = Math.min(keys.size(), items.size() + (allFit ? SeveralItems.MAX_KEYS : 1));
            for (byte[] item : SeveralItems.find(session, part.table(), keys.subList(items.size(), end))) {
                if (bytes + size(item) > maxBytes) {
                    return bytes;
                }
                bytes += size(item);
                items.add(item);
            }
        }
        return bytes;
    }

    private static int size(byte[] stored) {
        return stored.length == 0 ? 0 : ItemBytes.size(stored);
    }

    private static KeysAndAttributes rest(KeysAndAttributes all, int done) {
        return all.toBuilder().keys(all.keys().subList(done, all.keys().size())).build();
    }

    private static Map<String, AttributeValue> projected(byte[] stored, Set<String> projection) {
        Map<String, AttributeValue> item = ItemBytes.read(stored);
        if (!projection.isEmpty()) {
            item.keySet().retainAll(projection);
        }
        return item;
    }

    BatchWriteItemResponse write(BatchWriteItemRequest request) {
        List<ItemWrite> writes = new ArrayList<>();
        Set<ItemKey> seen = new HashSet<>();
        request.requestItems().forEach((name, some) -> {
            Table table = engine.catalogue().table(name);
            for (WriteRequest one : some) {
                ItemWrite write = write(table, one);
                if (!seen.add(new ItemKey(table, write.key()))) {
                    throw invalid("Provided list of item keys contains duplicates");
                }
                writes.add(write);
            }
        });
        if (writes.isEmpty() || writes.size() > Limits.MAX_BATCH_WRITES) {
            throw invalid(
                    writes.isEmpty()
                            ? "1 validation error detected: Value at 'requestItems' failed to satisfy constraint: Member must"
                                    + " have length greater than or equal to 1"
                            : "Too many items requested for the BatchWriteItem call");
        }
        Map<String, Capacities.Units> byTable = engine.write(
                (session, effect) -> {
                    Map<String, Capacities.Units> units = new HashMap<>();
                    for (ItemWrite write : writes) {
                        ItemWrite.Outcome outcome = write.evaluate(session, engine.catalogue());
                        if (write.apply(session, outcome, engine.origin())) {
                            effect.wrote();
                        }
                        units.computeIfAbsent(write.table().name(), name -> new Capacities.Units(write.table()))
                                .addWrite(outcome.before(), outcome.now(), 1);
                    }
                    return units;
                },
                true);
        BatchWriteItemResponse.Builder response =
                BatchWriteItemResponse.builder().unprocessedItems(Map.of());
        if (Capacities.isWanted(request.returnConsumedCapacity())) {
            response.consumedCapacity(byTable.values().stream()
                    .map(units -> units.consumed(request.returnConsumedCapacity()))
                    .toList());
        }
        return response.build();
    }

    private static ItemWrite write(Table table, WriteRequest request) {
        if ((request.putRequest() == null) == (request.deleteRequest() == null)) {
            throw invalid(
                    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported"
                            + " datatypes");
        }
        return request.putRequest() != null
                ? ItemWrite.put(table, request.putRequest().item(), ALWAYS)
                : ItemWrite.delete(table, request.deleteRequest().key(), ALWAYS);
    }
}
