package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.n;
import static dev.agenthealth.functions.storage.Values.s;
import static dev.agenthealth.functions.storage.Values.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Reads the event log: an agent's own, and the system-wide feed (RFC-0016 §2.3). Thread-safe. */
public final class EventStore {

    /** The most hours of the feed that one page looks through. */
    private static final int MOST_HOURS = 24;

    private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59Z");

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;
    private final Clock clock;

    public EventStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
        this.clock = clock;
    }

    /**
     * A page of events, oldest first.
     *
     * @param details their details
     * @param position the place after the last event looked at, from which a later reading goes on
     * @param more whether more events are there already
     */
    public record Page(List<JsonNode> details, String position, boolean more) {}

    /**
     * The events of an agent.
     *
     * @param position where an earlier page ended; empty for the beginning
     * @param since leaves out what was detected before
     */
    public Page ofAgent(String agentId, String position, Instant since, int limit) {
        String from = RegistryKeys.EVENT_PREFIX + (position.isEmpty() ? "" : FeedPosition.justAfter(position));
        QueryRequest request = QueryRequest.builder()
                .tableName(tables.registry())
                .keyConditionExpression("#pk = :pk AND #sk BETWEEN :from AND :to")
                .filterExpression("#at >= :since AND #ttl > :now")
                .expressionAttributeNames(Map.of(
                        "#pk", RegistryKeys.PK,
                        "#sk", RegistryKeys.SK,
                        "#at", EventItem.AT,
                        "#ttl", RegistryKeys.EXPIRES))
                .expressionAttributeValues(Map.of(
                        ":pk", s(RegistryKeys.agent(agentId)),
                        ":from", s(from),
                        ":to", s(RegistryKeys.EVENT_PREFIX + "~"),
                        ":since", n(storable(since).toEpochMilli()),
                        ":now", n(clock.instant().getEpochSecond())))
                .consistentRead(true)
                .limit(limit)
                .build();
        QueryResponse response = retrying.call("read of events", () -> dynamoDb.query(request));
        boolean more =
                response.hasLastEvaluatedKey() && !response.lastEvaluatedKey().isEmpty();
        String last = more
                ? text(response.lastEvaluatedKey(), RegistryKeys.SK).substring(RegistryKeys.EVENT_PREFIX.length())
                : position;
        return new Page(response.items().stream().map(EventItem::detail).toList(), last, more);
    }

    /**
     * The events of the whole system, up to {@link FeedPosition#LAG} behind now.
     *
     * @param position where an earlier page ended; empty to begin at {@code since}
     * @param since not before the oldest event that can still be read; in the future, nothing is found
     */
    public Page ofSystem(String position, Instant since, int limit) {
        Instant now = clock.instant();
        Instant horizon = now.minus(FeedPosition.LAG);
        String end = FeedPosition.beginningOf(horizon);
        String from =
                position.isEmpty() ? FeedPosition.beginningOf(since.isAfter(now) ? now : storable(since)) : position;
        String oldest = FeedPosition.beginningOf(now.minus(EventItem.RETENTION));
        from = from.compareTo(oldest) < 0 ? oldest : from;
        List<Map<String, AttributeValue>> found = new ArrayList<>();
        long hour = FeedPosition.hourOfPlace(from);
        long lastHour = FeedPosition.hour(horizon);
        for (int hours = 0; hour <= lastHour; hour++, hours++) {
            if (hours == MOST_HOURS) {
                return page(found, FeedPosition.beginningOf(Instant.ofEpochSecond(hour * 3600)), true, now);
            }
            List<Map<String, AttributeValue>> ofHour = new ArrayList<>();
            for (String partition : FeedPosition.partitions(hour)) {
                ofHour.addAll(query(partition, from, end, limit - found.size() + 1));
            }
            ofHour.sort(Comparator.comparing(item -> text(item, RegistryKeys.FEED_SK)));
            for (Map<String, AttributeValue> item : ofHour) {
                if (found.size() == limit) {
                    return page(found, text(found.get(limit - 1), RegistryKeys.FEED_SK), true, now);
                }
                found.add(item);
            }
        }
        String last = found.isEmpty() ? "" : text(found.get(found.size() - 1), RegistryKeys.FEED_SK);
        String later = last.compareTo(end) > 0 || end.compareTo(from) < 0 ? from : end;
        return page(found, later, false, now);
    }

    /** Whether a text has the form of a position in the system-wide feed. */
    public static boolean isSystemPosition(String position) {
        return position.matches("\\d{13}(#[A-Za-z0-9._:#-]{1,100})?");
    }

    /** No event is older or newer than this; farther moments would not fit into a number of milliseconds. */
    private static Instant storable(Instant moment) {
        if (moment.isBefore(Instant.EPOCH)) {
            return Instant.EPOCH;
        }
        return moment.isAfter(END_OF_TIME) ? END_OF_TIME : moment;
    }

    private static Page page(List<Map<String, AttributeValue>> items, String position, boolean more, Instant now) {
        return new Page(
                items.stream()
                        .filter(item -> !RegistryKeys.isExpired(item, now))
                        .map(EventItem::detail)
                        .toList(),
                position,
                more);
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
            QueryResponse response = retrying.call("read of the feed", () -> dynamoDb.query(next));
            items.addAll(response.items());
            // DynamoDB ends an answer at 1 MB, however many items were asked for.
            more = response.hasLastEvaluatedKey()
                    && !response.lastEvaluatedKey().isEmpty();
            request.exclusiveStartKey(response.lastEvaluatedKey());
        }
        return items;
    }
}
