package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.Severity;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.Set;

/**
 * The hours of each day in which only the most urgent events are sent. Other events are held until the end of these hours.
 *
 * @param from the beginning
 * @param to the end, on the next day if it is not after {@code from}; never equal to it
 * @param zone the time zone of both
 * @param exceptSeverities the severities that are sent in spite of quiet hours
 */
public record QuietTime(LocalTime from, LocalTime to, ZoneId zone, Set<Severity> exceptSeverities) {

    public QuietTime {
        exceptSeverities = Set.copyOf(exceptSeverities);
    }

    /** Returns the end of the quiet time that includes this moment; empty outside of quiet time. */
    public Optional<Instant> endAt(Instant now) {
        ZonedDateTime local = now.atZone(zone);
        LocalTime time = local.toLocalTime();
        boolean overnight = to.isBefore(from);
        boolean quiet =
                overnight ? !time.isBefore(from) || time.isBefore(to) : !time.isBefore(from) && time.isBefore(to);
        if (!quiet) {
            return Optional.empty();
        }
        ZonedDateTime end = local.toLocalDate().atTime(to).atZone(zone);
        if (!time.isBefore(to)) {
            end = local.toLocalDate().plusDays(1).atTime(to).atZone(zone);
        }
        // When clocks go back, the end in the hour that occurs twice may be before now.
        Instant until = end.toInstant();
        return Optional.of(
                until.isAfter(now) ? until : end.withLaterOffsetAtOverlap().toInstant());
    }
}
