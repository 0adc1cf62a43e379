package dev.agenthealth.model;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Timestamps as texts of RFC 3339. */
public final class Timestamps {

    private static final int DIGITS_OF_MILLIS = 3;

    private static final long SECONDS_PER_DAY = 86_400;

    private static final String TEMPLATE = "0000-00-00T00:00:00.000Z";

    /** Writes the moments whose years have more than four digits, or a sign. */
    private static final DateTimeFormatter FORMAT =
            new DateTimeFormatterBuilder().appendInstant(DIGITS_OF_MILLIS).toFormatter();

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    private Timestamps() {}

    /** Returns the text in UTC, always with three digits of milliseconds. So the order of texts is the order of moments. */
    public static String text(Instant instant) {
        if (!isWritable(instant)) {
            return FORMAT.format(instant);
        }
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(instant.getEpochSecond(), SECONDS_PER_DAY));
        int second = (int) Math.floorMod(instant.getEpochSecond(), SECONDS_PER_DAY);
        byte[] text = TEMPLATE.getBytes(StandardCharsets.ISO_8859_1);
        put(text, 0, 4, day.getYear());
        put(text, 5, 2, day.getMonthValue());
        put(text, 8, 2, day.getDayOfMonth());
        put(text, 11, 2, second / 3_600);
        put(text, 14, 2, second / 60 % 60);
        put(text, 17, 2, second % 60);
        put(text, 20, DIGITS_OF_MILLIS, instant.getNano() / 1_000_000);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static void put(byte[] text, int start, int digits, int number) {
        int rest = number;
        for (int i = start + digits - 1; i >= start; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** Returns whether the year in UTC has four digits. Other moments have texts in a wrong order, and may be too large for calculations. */
    public static boolean isWritable(Instant instant) {
        return !instant.isBefore(FIRST) && !instant.isAfter(LAST);
    }
}
