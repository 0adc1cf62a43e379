package dev.agenthealth.functions.notification.channel;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The header {@code Retry-After} (RFC 9110 §10.2.3): seconds or a date. */
final class RetryAfter {

    /** A receiver that names a later time is asked again after this one. */
    static final Duration MAX = Duration.ofHours(24);

    private static final DateTimeFormatter DATE = DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT);

    private RetryAfter() {}

    /** How long to wait, from zero to {@link #MAX}; zero without the header or where it cannot be read. */
    static Duration of(String header, Instant now) {
        String text = header.strip();
        if (text.matches("[0-9]{1,9}")) {
            return clamped(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            return clamped(Duration.between(now, DATE.parse(text, Instant::from)));
        } catch (DateTimeException e) {
            return Duration.ZERO;
        }
    }

    private static Duration clamped(Duration wait) {
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(MAX) > 0 ? MAX : wait;
    }
}
