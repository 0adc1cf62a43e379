package dev.agenthealth.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Tables that receive the versions of each item in order, but late. Each item has its own lag, so that a transaction may be partly visible.
 * Before the first copy there are no tables. Thread-safe.
 */
final class LaggingReplica implements AutoCloseable {

    /** The maximum lag. AWS: all copies are usually consistent within a second. */
    private static final Duration MAX_LAG = Duration.ofSeconds(1);

    private final DynamoDbClient leader;
    private final Clock clock;
    private final Random random;
    private final Map<Place, List<Version>> pending = new LinkedHashMap<>();
    private TestTables tables;

    LaggingReplica(DynamoDbClient leader, Clock clock, Random random) {
        this.leader = leader;
        this.clock = clock;
        this.random = random;
    }

    private record Place(String table, Map<String, AttributeValue> key) {

        static Place of(String table, Map<String, AttributeValue> item) {
            Set<String> names = table.equals(TestTables.PULSES) ? Set.of("id") : Set.of("pk", "sk");
            Map<String, AttributeValue> key = new LinkedHashMap<>(item);
            key.keySet().retainAll(names);
            return new Place(table, key);
        }
    }

    /** A version of an item; without attributes if the item is deleted. */
    private record Version(Instant at, Map<String, AttributeValue> item) {}

    /** Makes the replica equal to the leader. */
    synchronized void copy() {
        if (tables == null) {
            tables = TestTables.create();
        }
        pending.clear();
        for (String table : List.of(TestTables.PULSES, TestTables.REGISTRY)) {
            Map<Place, Map<String, AttributeValue>> wanted = items(leader, table);
            Map<Place, Map<String, AttributeValue>> present = items(tables.dynamoDb(), table);
            present.keySet().stream()
                    .filter(place -> !wanted.containsKey(place))
                    .forEach(place -> write(place, Map.of()));
            wanted.forEach((place, item) -> {
                if (!item.equals(present.get(place))) {
                    write(place, item);
                }
            });
        }
    }

    private static Map<Place, Map<String, AttributeValue>> items(DynamoDbClient client, String table) {
        return client.scanPaginator(r -> r.tableName(table).consistentRead(true)).items().stream()
                .collect(Collectors.toMap(item -> Place.of(table, item), item -> item));
    }

    /** Records the items of a request that was applied. */
    synchronized void written(DynamoDbRequest request) {
        for (Place place : placesOf(request)) {
            Map<String, AttributeValue> item = leader.getItem(
                            r -> r.tableName(place.table()).key(place.key()).consistentRead(true))
                    .item();
            pending.computeIfAbsent(place, p -> new ArrayList<>()).add(new Version(clock.instant(), item));
        }
    }

    /** Returns the replica's own client, after some of the missing versions arrived. */
    synchronized DynamoDbClient advance() {
        Instant latest = clock.instant().minus(MAX_LAG);
        Iterator<Map.Entry<Place, List<Version>>> items = pending.entrySet().iterator();
        while (items.hasNext()) {
            Map.Entry<Place, List<Version>> item = items.next();
            List<Version> versions = item.getValue();
            int late =
                    (int) versions.stream().filter(v -> v.at().isBefore(latest)).count();
            int arrived = random.nextInt(late, versions.size() + 1);
            if (arrived > 0) {
                write(item.getKey(), versions.get(arrived - 1).item());
                versions.subList(0, arrived).clear();
            }
            if (versions.isEmpty()) {
                items.remove();
            }
        }
        return tables.dynamoDb();
    }

    private void write(Place place, Map<String, AttributeValue> item) {
        if (item.isEmpty()) {
            tables.dynamoDb().deleteItem(r -> r.tableName(place.table()).key(place.key()));
        } else {
            tables.dynamoDb().putItem(r -> r.tableName(place.table()).item(item));
        }
    }

    private static List<Place> placesOf(DynamoDbRequest request) {
        List<Place> places = new ArrayList<>();
        if (request instanceof PutItemRequest r) {
            places.add(Place.of(r.tableName(), r.item()));
        } else if (request instanceof UpdateItemRequest r) {
            places.add(Place.of(r.tableName(), r.key()));
        } else if (request instanceof DeleteItemRequest r) {
            places.add(Place.of(r.tableName(), r.key()));
        } else if (request instanceof BatchWriteItemRequest r) {
            r.requestItems()
                    .forEach((table, writes) -> writes.forEach(write -> places.add(Place.of(
                            table,
                            write.putRequest() == null
                                    ? write.deleteRequest().key()
                                    : write.putRequest().item()))));
        } else if (request instanceof TransactWriteItemsRequest r) {
            r.transactItems().forEach(write -> {
                if (write.put() != null) {
                    places.add(Place.of(write.put().tableName(), write.put().item()));
                }
                if (write.update() != null) {
                    places.add(
                            Place.of(write.update().tableName(), write.update().key()));
                }
                if (write.delete() != null) {
                    places.add(
                            Place.of(write.delete().tableName(), write.delete().key()));
                }
            });
        }
        return places;
    }

    @Override
    public synchronized void close() {
        if (tables != null) {
            tables.close();
        }
    }
}
