package dev.agenthealth.functions.storage.events;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The layout of the system-wide feed: a partition per hour and shard, sorted by the millisecond of writing. An agent's events share a
 * shard, so that they keep their order.
 */
final class FeedPosition {

    /** Shards of each hour, over which a mass transition spreads. */
    static final int SHARDS = 4;

    /** The time by which a reader stays behind now, so that its cursor does not pass an event that is committed late. */
    static final Duration LAG = Duration.ofSeconds(5);

    private static final int MILLIS_DIGITS = 13;

    /** A reader that a clock led ahead reads again what was written within this time. */
    private static final Duration READ_AGAIN = Duration.ofHours(1);

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

    /** The place of an event, which is unique; the events of one agent and millisecond stand in the order of their numbers. */
    static String place(Instant moment, Event event) {
        if (event.isOfRegistry()) {
            return beginningOf(moment) + "#" + event.eventId();
        }
        String ofAgent = beginningOf(moment) + "#" + event.agentId() + "#" + Attributes.padded(event.sequence(), 12);
        return event.isOfIntent() ? ofAgent + "#" + event.eventId() : ofAgent;
    }

    /** Sorts before every event written at or after {@code moment}. */
    static String beginningOf(Instant moment) {
        return Attributes.padded(moment.toEpochMilli(), MILLIS_DIGITS);
    }

    /**
     * Returns where to go on reading. A position lies behind the clock that made it: one ahead of now would skip what is written until then, so that a reader
     * goes back by {@link #READ_AGAIN} instead.
     */
    static String bounded(String position, Instant now) {
        boolean ahead = position.compareTo(beginningOf(now.plus(ClockRule.MAX_SKEW))) > 0;
        return ahead ? beginningOf(now.minus(READ_AGAIN)) : position;
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
