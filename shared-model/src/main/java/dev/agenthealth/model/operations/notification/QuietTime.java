package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.Severity;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.Set;

/**
 * The hours of each day in which nothing is sent but the most urgent; what is held is sent at their end.
 *
 * @param from when they begin
 * @param to when they end, on the next day if that is not after {@code from}; never equal to it
 * @param zone whose clock they follow
 * @param exceptSeverities what is sent nevertheless
 */
public record QuietTime(LocalTime from, LocalTime to, ZoneId zone, Set<Severity> exceptSeverities) {

    public QuietTime {
        exceptSeverities = Set.copyOf(exceptSeverities);
    }

    /** Returns when the quiet time that includes this moment ends; empty outside of it. */
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
        // Where a clock is set back, the hour that occurs twice may have its end before now.
        Instant until = end.toInstant();
        return Optional.of(
                until.isAfter(now) ? until : end.withLaterOffsetAtOverlap().toInstant());
    }
}
