package dev.agenthealth.functions.storage.events;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.identity.KeyHash;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Reads the event log: an agent's own, and the system-wide feed (RFC-0016 §2.3). Thread-safe. */
public final class EventStore {

    /** So far behind now is the system-wide feed read: an event that is being written appears behind nobody's back. */
    public static final Duration LAG = FeedPosition.LAG;

    private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59Z");

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Feed feed;
    private final Clock clock;

    public EventStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.feed = new Feed(dynamoDb, tables, retries);
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
     * The events of an agent. A page has 1 MB at most, which is what one query brings.
     *
     * @param position where an earlier page ended; empty for the beginning
     * @param since leaves out what was detected before
     */
    public Page ofAgent(String agentId, String position, Instant since, int limit) {
        return ofLog(RegistryKeys.agent(agentId), position, since, limit, KeyHash.NONE);
    }

    /**
     * The events of the leases of an intent. A page has 1 MB at most, which is what one query brings.
     *
     * @param owner leaves out what happened to agents that another key registered; {@link KeyHash#NONE} leaves out nothing
     */
    public Page ofIntent(String intentId, String position, Instant since, int limit, KeyHash owner) {
        return ofLog(RegistryKeys.intent(intentId), position, since, limit, owner);
    }

    private Page ofLog(String partition, String position, Instant since, int limit, KeyHash owner) {
        String from = RegistryKeys.EVENT_PREFIX + (position.isEmpty() ? "" : FeedPosition.justAfter(position));
        Map<String, String> names = new HashMap<>(Map.of(
                "#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK, "#at", EventItem.AT, "#ttl", RegistryKeys.EXPIRES));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(
                ":pk", s(partition),
                ":from", s(from),
                ":to", s(RegistryKeys.EVENT_PREFIX + "~"),
                ":since", n(storable(since).toEpochMilli()),
                ":now", n(clock.instant().getEpochSecond())));
        String filter = "#at >= :since AND #ttl > :now";
        if (!owner.isNone()) {
            filter += " AND #owner = :owner";
            names.put("#owner", EventItem.OWNER);
            values.put(":owner", b(owner.bytes()));
        }
        QueryRequest request = QueryRequest.builder()
                .tableName(tables.registry())
                .keyConditionExpression("#pk = :pk AND #sk BETWEEN :from AND :to")
                .filterExpression(filter)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .consistentRead(true)
                .limit(limit)
                .build();
        QueryResponse response = retries.call("read of events", () -> dynamoDb.query(request));
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
     * @param room takes each event in turn; the page ends before the first one for which there is none
     */
    public Page ofSystem(String position, Instant since, int limit, Predicate<JsonNode> room) {
        Instant now = clock.instant();
        Instant horizon = now.minus(FeedPosition.LAG);
        String end = FeedPosition.beginningOf(horizon);
        String from =
                position.isEmpty() ? FeedPosition.beginningOf(since.isAfter(now) ? now : storable(since)) : position;
        String oldest = FeedPosition.beginningOf(now.minus(EventItem.RETENTION));
        from = from.compareTo(oldest) < 0 ? oldest : from;
        Feed.Stretch stretch = feed.read(from, end, limit);
        List<JsonNode> details = new ArrayList<>();
        String place = from;
        for (Map<String, AttributeValue> item : stretch.items()) {
            if (!RegistryKeys.isExpired(item, now)) {
                JsonNode detail = EventItem.detail(item);
                if (!room.test(detail)) {
                    return new Page(details, place, true);
                }
                details.add(detail);
            }
            place = Feed.place(item);
        }
        if (stretch.hasMore()) {
            return new Page(details, stretch.position(), true);
        }
        boolean beyond = stretch.last().compareTo(end) > 0 || end.compareTo(from) < 0;
        return new Page(details, beyond ? from : end, false);
    }

    /**
     * A stretch of the events of the whole system as they are sent to the bus, in the order in which they were written.
     *
     * @param events without those that have expired
     * @param position where the next stretch begins; empty where there is none
     */
    public record Stretch(List<LoggedEvent> events, String position) {}

    /**
     * The next of the events that were written in a range of time.
     *
     * @param position where the stretch before ended, or {@link #beginningOf} the range
     * @param to the end of the range, which is not part of it; at least {@link #LAG} ago, so that no event is missed
     */
    public Stretch written(String position, Instant to, int limit) {
        Instant now = clock.instant();
        Feed.Stretch stretch = feed.read(position, FeedPosition.beginningOf(to), limit);
        return new Stretch(
                stretch.items().stream()
                        .filter(item -> !RegistryKeys.isExpired(item, now))
                        .map(EventItem::logged)
                        .toList(),
                stretch.position());
    }

    /** The position in the system-wide feed before everything that was written at this moment or later. */
    public static String beginningOf(Instant moment) {
        return FeedPosition.beginningOf(storable(moment));
    }

    /** Whether a text has the form of a position in the system-wide feed. */
    public static boolean isSystemPosition(String position) {
        return position.matches("\\d{13}(#[A-Za-z0-9._:#-]{1,200})?");
    }

    /** No event is older or newer than this; farther moments would not fit into a number of milliseconds. */
    private static Instant storable(Instant moment) {
        if (moment.isBefore(Instant.EPOCH)) {
            return Instant.EPOCH;
        }
        return moment.isAfter(END_OF_TIME) ? END_OF_TIME : moment;
    }
}
