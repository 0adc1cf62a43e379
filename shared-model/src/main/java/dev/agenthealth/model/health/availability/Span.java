package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.WireNamed;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A span of time in one state.
 *
 * @param from the first moment, in whole seconds
 * @param to the first moment after the span, in whole seconds; later than {@code from}
 * @param reason the reason for the beginning of an incident; empty if unknown
 */
public record Span(Instant from, Instant to, AvailabilityState state, Optional<? extends WireNamed> reason) {

    public Span {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("a span from " + from + " to " + to);
        }
    }

    /** Creates a span with an unknown reason. */
    public Span(Instant from, Instant to, AvailabilityState state) {
        this(from, to, state, Optional.empty());
    }

    /** Returns the length in seconds. */
    public long seconds() {
        return Duration.between(from, to).toSeconds();
    }

    Span between(Instant begin, Instant end) {
        return new Span(begin, end, state, reason);
    }

    boolean continues(Span before) {
        return state == before.state && reason.equals(before.reason);
    }
}
