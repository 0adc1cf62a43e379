package dev.agenthealth.model;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Timestamps as texts of RFC 3339. */
public final class Timestamps {

    private static final int DIGITS_OF_MILLIS = 3;

    private static final DateTimeFormatter FORMAT =
            new DateTimeFormatterBuilder().appendInstant(DIGITS_OF_MILLIS).toFormatter();

    private Timestamps() {}

    /** The text in UTC, always with three digits of milliseconds, so that texts sort as their moments do. */
    public static String text(Instant instant) {
        return FORMAT.format(instant);
    }
}
