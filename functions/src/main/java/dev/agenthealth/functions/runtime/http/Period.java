package dev.agenthealth.functions.runtime.http;

import java.time.Duration;
import java.time.Instant;

/**
 * The period that a caller chose with {@code from} and {@code to}, limited to the time between 1970 and now.
 *
 * @param from its beginning
 * @param to its end; the period is empty if the end is before {@code from}
 * @param length the duration between the beginning and the end that the caller chose
 */
public record Period(Instant from, Instant to, Duration length) {

    private static final Duration DEFAULT_LENGTH = Duration.ofHours(24);

    /** Reads the period, by default the last 24 hours. An empty period or a period longer than {@code maxLength} is an error of {@code from}. */
    public static Period of(Fields query, Instant now, Duration maxLength) {
        Instant to = query.timestamp("to").orElse(now);
        Instant from = query.timestamp("from")
                .orElseGet(() -> to.isBefore(Instant.EPOCH) ? Instant.MIN : to.minus(DEFAULT_LENGTH));
        if (!from.isBefore(to)) {
            query.refuse("from", "must be before 'to', which is now where it is left out");
        } else if (Duration.between(from, to).compareTo(maxLength) > 0) {
            query.refuse("from", "must be at most " + maxLength.toDays() + " days before 'to'");
        }
        // The keys of moments outside these years do not sort by time.
        return new Period(
                from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from,
                to.isAfter(now) ? now : to,
                Duration.between(from, to));
    }
}
