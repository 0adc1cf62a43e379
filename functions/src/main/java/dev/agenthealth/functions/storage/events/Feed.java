package dev.agenthealth.functions.storage.events;

import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Reads the system-wide feed in the order in which its events were written. Thread-safe. */
final class Feed {

    /** The most hours of the feed that one stretch looks through. */
    private static final int MAX_HOURS = 24;

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;

    Feed(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
    }

    /**
     * A part of the feed.
     *
     * @param items its events, expired ones included
     * @param position where the next stretch begins; empty where there is none
     */
    record Stretch(List<Map<String, AttributeValue>> items, String position) {

        boolean hasMore() {
            return !position.isEmpty();
        }

        /** The place of the last event; empty where there is no event. */
        String last() {
            return items.isEmpty() ? "" : place(items.get(items.size() - 1));
        }
    }

    /**
     * Up to {@code limit} events.
     *
     * @param from after this place
     * @param end before this place
     */
    Stretch read(String from, String end, int limit) {
        List<Map<String, AttributeValue>> found = new ArrayList<>();
        long hour = FeedPosition.hourOfPlace(from);
        long lastHour = FeedPosition.hourOfPlace(end);
        for (int hours = 0; hour <= lastHour; hour++, hours++) {
            if (hours == MAX_HOURS) {
                return new Stretch(found, FeedPosition.beginningOf(Instant.ofEpochSecond(hour * 3600)));
            }
            List<Map<String, AttributeValue>> ofHour = new ArrayList<>();
            for (String partition : FeedPosition.partitions(hour)) {
                ofHour.addAll(query(partition, from, end, limit - found.size() + 1));
            }
            ofHour.sort(Comparator.comparing(Feed::place));
            for (Map<String, AttributeValue> item : ofHour) {
                if (found.size() == limit) {
                    return new Stretch(found, place(found.get(limit - 1)));
                }
                found.add(item);
            }
        }
        return new Stretch(found, "");
    }

    /** The place of an event in the feed. */
    static String place(Map<String, AttributeValue> item) {
        return text(item, RegistryKeys.FEED_SK);
    }

    private List<Map<String, AttributeValue>> query(String partition, String after, String end, int limit) {
        if (after.compareTo(end) >= 0) {
            return List.of();
        }
        QueryRequest.Builder request = QueryRequest.builder()
                .tableName(tables.registry())
                .indexName("feed")
                .keyConditionExpression("#fp = :fp AND #fs BETWEEN :after AND :end")
                .expressionAttributeNames(Map.of("#fp", RegistryKeys.FEED_PK, "#fs", RegistryKeys.FEED_SK))
                .expressionAttributeValues(
                        Map.of(":fp", s(partition), ":after", s(FeedPosition.justAfter(after)), ":end", s(end)));
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        boolean more = true;
        while (more && items.size() < limit) {
            QueryRequest next = request.limit(limit - items.size()).build();
            QueryResponse response = retries.call("read of the feed", () -> dynamoDb.query(next));
            items.addAll(response.items());
            // DynamoDB ends an answer at 1 MB, however many items were asked for.
            more = response.hasLastEvaluatedKey()
                    && !response.lastEvaluatedKey().isEmpty();
            request.exclusiveStartKey(response.lastEvaluatedKey());
        }
        return items;
    }
}
