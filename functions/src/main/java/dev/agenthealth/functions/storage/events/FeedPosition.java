package dev.agenthealth.functions.storage.events;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The layout of the system-wide feed: a partition per hour and shard, sorted by the millisecond of writing. The number of written shards follows the size
 * of the fleet. A reader reads the shards of the largest fleet, so that it misses no event if the size changes.
 */
final class FeedPosition {

    /** The time by which readers stay behind now, so that the cursor of a reader does not pass an event that is committed late. */
    static final Duration LAG = Duration.ofSeconds(5);

    private static final int MILLIS_DIGITS = 13;

    /** The period that a reader reads again if its position lies in the future because of a wrong clock. */
    private static final Duration READ_AGAIN = Duration.ofHours(1);

    private FeedPosition() {}

    /** Returns the shard of an agent's events. The agents of a mass transition spread over all shards. */
    static int shardOf(String agentId, int shards) {
        return Math.floorMod(agentId.hashCode(), shards);
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

    /** Returns all partitions of an hour, for a fleet of any size. */
    static List<String> partitions(long hour) {
        return IntStream.range(0, Tables.MAX_FEED_SHARDS)
                .mapToObj(s -> partition(hour, s))
                .toList();
    }

    /** Returns the position of an event, which is unique. Events of one agent and millisecond are sorted by their numbers. */
    static String place(Instant moment, Event event) {
        if (event.isOfRegistry()) {
            return beginningOf(moment) + "#" + event.eventId();
        }
        String ofAgent = beginningOf(moment) + "#" + event.agentId() + "#" + Attributes.padded(event.sequence(), 12);
        return event.isOfIntent() ? ofAgent + "#" + event.eventId() : ofAgent;
    }

    /** Returns a position that sorts before every event written at or after {@code moment}. */
    static String beginningOf(Instant moment) {
        return Attributes.padded(moment.toEpochMilli(), MILLIS_DIGITS);
    }

    /**
     * Returns the position at which a reader continues. A position in the future comes from a clock that ran ahead, and would skip all
     * events that are written until then. The reader then goes back by {@link #READ_AGAIN}.
     */
    static String bounded(String position, Instant now) {
        boolean ahead = position.compareTo(beginningOf(now.plus(ClockRule.MAX_SKEW))) > 0;
        return ahead ? beginningOf(now.minus(READ_AGAIN)) : position;
    }

    /** Returns a position that sorts after {@code place} and before every later position: no position has a character below '#'. */
    static String justAfter(String place) {
        return place + "!";
    }

    /** Returns the hour in which an event with this position was written. */
    static long hourOfPlace(String place) {
        return hour(Instant.ofEpochMilli(Long.parseLong(place.substring(0, MILLIS_DIGITS))));
    }
}
