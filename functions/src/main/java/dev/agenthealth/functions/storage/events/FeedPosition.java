package dev.agenthealth.functions.storage.events;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.model.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the system-wide feed is laid out: a partition an hour and shard, and within it the millisecond of writing. An agent's
 * events share a shard, so that they keep their order.
 */
final class FeedPosition {

    /** Shards of each hour: a mass transition spreads over so many partitions. */
    static final int SHARDS = 4;

    /** A reader stays so far behind now, so that its cursor never passes an event that commits late. */
    static final Duration LAG = Duration.ofSeconds(5);

    private static final int MILLIS_DIGITS = 13;

    private FeedPosition() {}

    static int shardOf(String agentId) {
        return Math.floorMod(agentId.hashCode(), SHARDS);
    }

    static long hour(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), 3600L);
    }

    static String partition(Instant moment, int shard) {
        return partition(hour(moment), shard);
    }

    static String partition(long hour, int shard) {
        return "F#" + hour + "#" + shard;
    }

    static List<String> partitions(long hour) {
        return IntStream.range(0, SHARDS).mapToObj(s -> partition(hour, s)).toList();
    }

    /**
     * The place of an event, which no other has; those of one agent and millisecond stand in the order of their numbers. Events of leases have
     * none, and many may end at once.
     */
    static String place(Instant moment, Event event) {
        if (event.isOfRegistry()) {
            return beginningOf(moment) + "#" + event.eventId();
        }
        String ofAgent = beginningOf(moment) + "#" + event.agentId() + "#" + RegistryKeys.padded(event.sequence(), 12);
        return event.isOfIntent() ? ofAgent + "#" + event.eventId() : ofAgent;
    }

    /** Sorts before every event written at or after {@code moment}. */
    static String beginningOf(Instant moment) {
        return RegistryKeys.padded(moment.toEpochMilli(), MILLIS_DIGITS);
    }

    /** Sorts after {@code place} and before every other place: no place has a character below '#'. */
    static String justAfter(String place) {
        return place + "!";
    }

    /** The hour in which an event with this place was written. */
    static long hourOfPlace(String place) {
        return hour(Instant.ofEpochMilli(Long.parseLong(place.substring(0, MILLIS_DIGITS))));
    }
}
