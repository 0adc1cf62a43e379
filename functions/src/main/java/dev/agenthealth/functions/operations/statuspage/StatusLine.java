package dev.agenthealth.functions.operations.statuspage;

import dev.agenthealth.model.health.availability.Availability;
import dev.agenthealth.model.health.availability.AvailabilityState;
import dev.agenthealth.model.health.availability.Span;
import dev.agenthealth.model.operations.status.StatusDays;
import dev.agenthealth.model.operations.status.StatusEntry;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * An entry of the status page with its availability.
 *
 * @param state the state now
 * @param ratio the availability of the last 90 days, 0 to 1; empty if unknown
 * @param days the states of the last 90 days, the oldest first
 */
record StatusLine(
        StatusEntry entry, AvailabilityState state, Optional<BigDecimal> ratio, List<AvailabilityState> days) {

    static final int DAYS = 90;

    static StatusLine of(StatusEntry entry, Optional<Availability> known) {
        return known.map(read -> {
                    List<Span> spans = read.intervals();
                    AvailabilityState now = spans.isEmpty()
                            ? AvailabilityState.UNKNOWN
                            : spans.get(spans.size() - 1).state();
                    return new StatusLine(entry, now, read.ratio(), StatusDays.of(spans, read.to(), DAYS));
                })
                .orElseGet(() -> new StatusLine(entry, AvailabilityState.UNKNOWN, Optional.empty(), List.of()));
    }

    /** Returns the state in words for outsiders. */
    String words() {
        return switch (state) {
            case UP -> "operational";
            case DEGRADED -> "degraded";
            case DOWN -> "down";
            case UNKNOWN, NONE -> "unknown";
            default -> "maintenance";
        };
    }

    /** Returns the availability as text, such as {@code 99.87 %}; empty if it is unknown. */
    String percent() {
        return ratio.map(share -> share.movePointRight(2).setScale(2) + " %").orElse("");
    }
}
