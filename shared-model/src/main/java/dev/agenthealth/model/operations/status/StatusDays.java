package dev.agenthealth.model.operations.status;

import dev.agenthealth.model.health.availability.AvailabilityState;
import dev.agenthealth.model.health.availability.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The days of a status page: one state for each day, which is the worst state that lasted for at least a minute. */
public final class StatusDays {

    private static final Duration SHORTEST = Duration.ofMinutes(1);

    private StatusDays() {}

    /**
     * Returns the states of the last days, the oldest first.
     *
     * @param spans the states in the order of time
     * @param to the end of the last day
     * @param days the number of days of 24 hours
     */
    public static List<AvailabilityState> of(List<Span> spans, Instant to, int days) {
        List<AvailabilityState> worst = new ArrayList<>(days);
        for (int day = days; day > 0; day--) {
            Instant from = to.minus(Duration.ofDays(day));
            worst.add(worst(spans, from, from.plus(Duration.ofDays(1))));
        }
        return worst;
    }

    private static AvailabilityState worst(List<Span> spans, Instant from, Instant to) {
        AvailabilityState found = AvailabilityState.UNKNOWN;
        for (Span span : spans) {
            Instant begin = span.from().isAfter(from) ? span.from() : from;
            Instant end = span.to().isBefore(to) ? span.to() : to;
            if (Duration.between(begin, end).compareTo(SHORTEST) >= 0 && rank(span.state()) > rank(found)) {
                found = span.state();
            }
        }
        return found;
    }

    private static int rank(AvailabilityState state) {
        return switch (state) {
            case DOWN -> 4;
            case DEGRADED -> 3;
            case UP -> 1;
            case UNKNOWN, NONE -> 0;
            default -> 2;
        };
    }
}
