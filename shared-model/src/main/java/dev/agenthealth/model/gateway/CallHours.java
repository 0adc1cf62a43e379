package dev.agenthealth.model.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The hours whose calls are added up. The window ends with the present hour, which is not over.
 *
 * @param first the first hour, in hours since 1970
 * @param last the last hour, in hours since 1970
 */
public record CallHours(long first, long last) {

    /** The maximum number of hours in a window. */
    public static final int MAX_HOURS = 168;

    /** The time after the beginning of a day for which the day's sums are kept. It is longer than the longest window. */
    public static final Duration RETENTION = Duration.ofDays(9);

    /** The number of hours in a day. */
    public static final int HOURS_OF_DAY = 24;

    /** Returns the window of this many hours that ends now. */
    public static CallHours last(int hours, Instant now) {
        long present = hour(now);
        return new CallHours(present - hours + 1, present);
    }

    /** Returns the hour of a moment, in hours since 1970. */
    public static long hour(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), Duration.ofHours(1).toSeconds());
    }

    /** Returns the day of a moment, in days since 1970. */
    public static long day(Instant moment) {
        return Math.floorDiv(hour(moment), HOURS_OF_DAY);
    }

    /** Returns the hour of the day of a moment, in UTC. */
    public static int hourOfDay(Instant moment) {
        return Math.floorMod(hour(moment), HOURS_OF_DAY);
    }

    /** Returns the days of the window, in days since 1970. */
    public List<Long> days() {
        return LongStream.rangeClosed(Math.floorDiv(first, HOURS_OF_DAY), Math.floorDiv(last, HOURS_OF_DAY))
                .boxed()
                .toList();
    }

    /** Returns whether an hour of a day lies in the window. */
    public boolean contains(long day, int hourOfDay) {
        long hour = day * HOURS_OF_DAY + hourOfDay;
        return hour >= first && hour <= last;
    }

    /** Returns the beginning of the window. */
    public Instant from() {
        return Instant.ofEpochSecond(first * Duration.ofHours(1).toSeconds());
    }
}
