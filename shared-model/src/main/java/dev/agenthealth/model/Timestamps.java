package dev.agenthealth.model;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Timestamps as texts of RFC 3339. */
public final class Timestamps {

    private static final int DIGITS_OF_MILLIS = 3;

    private static final DateTimeFormatter FORMAT =
            new DateTimeFormatterBuilder().appendInstant(DIGITS_OF_MILLIS).toFormatter();

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    private Timestamps() {}

    /** Returns the text in UTC, always with three digits of milliseconds. So the order of texts is the order of moments. */
    public static String text(Instant instant) {
        return FORMAT.format(instant);
    }

    /** Returns whether the year in UTC has four digits. Other moments have texts in a wrong order, and may be too large for calculations. */
    public static boolean isWritable(Instant instant) {
        return !instant.isBefore(FIRST) && !instant.isAfter(LAST);
    }
}
