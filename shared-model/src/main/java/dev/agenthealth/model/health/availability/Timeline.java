package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The states of one agent or group over a period, without gaps and overlaps. Immutable.
 *
 * @param spans the spans in the order of time, each beginning at the end of the previous span; neighbours differ in state or reason; empty for an
 *     empty period
 */
public record Timeline(List<Span> spans) {

    public Timeline {
        spans = List.copyOf(spans);
    }

    /**
     * Returns the states of an agent from {@code from} to {@code to}, both cut to whole seconds.
     *
     * @param knownFrom the moment before which the state is unknown
     * @param changes all status changes from {@code knownFrom} on, in their order
     * @param current the status at the end, which counts if there are no changes
     */
    public static Timeline of(
            Instant from, Instant to, Instant knownFrom, List<StatusChange> changes, LifecycleStatus current) {
        Builder builder = new Builder(from, to);
        LifecycleStatus first = changes.isEmpty() ? current : changes.get(0).before();
        builder.set(later(from, knownFrom), AvailabilityState.of(first), Optional.empty());
        for (StatusChange change : changes) {
            builder.set(change.at(), AvailabilityState.of(change.after()), change.reason());
        }
        return builder.timeline();
    }

    /** Returns the states between two moments. */
    public Timeline between(Instant from, Instant to) {
        Builder builder = new Builder(from, to);
        spans.forEach(builder::add);
        return builder.timeline();
    }

    /** Returns these states followed by the states of the next period, which begins at the end of this one. */
    public Timeline then(Timeline next) {
        if (spans.isEmpty() || next.spans.isEmpty()) {
            return spans.isEmpty() ? next : this;
        }
        Builder builder = new Builder(spans.get(0).from(), next.end());
        spans.forEach(builder::add);
        next.spans.forEach(builder::add);
        return builder.timeline();
    }

    /** Returns these states with degraded and down time in maintenance as {@link AvailabilityState#MAINTENANCE}. */
    public Timeline inMaintenance(Coverage maintenance) {
        if (spans.isEmpty() || maintenance.observed().isEmpty()) {
            return this;
        }
        Builder builder = new Builder(spans.get(0).from(), end());
        for (Span span : spans) {
            builder.add(span);
            if (span.state().isIncident()) {
                maintenance.within(span.from(), span.to()).forEach(planned -> {
                    builder.set(planned.from(), AvailabilityState.MAINTENANCE, Optional.empty());
                    builder.set(planned.to(), span.state(), span.reason());
                });
            }
        }
        return builder.timeline();
    }

    /** Returns these states with unobserved time as unknown. Time without a registration stays as it is. */
    public Timeline observed(Coverage coverage) {
        if (spans.isEmpty()) {
            return this;
        }
        Builder builder = new Builder(spans.get(0).from(), end());
        for (Span span : spans) {
            if (span.state() == AvailabilityState.NONE) {
                builder.add(span);
                continue;
            }
            builder.set(span.from(), AvailabilityState.UNKNOWN, Optional.empty());
            coverage.within(span.from(), span.to()).forEach(seen -> {
                builder.add(span.between(seen.from(), seen.to()));
                builder.set(seen.to(), AvailabilityState.UNKNOWN, Optional.empty());
            });
        }
        return builder.timeline();
    }

    /** Returns the first moment after the last span. */
    private Instant end() {
        return spans.get(spans.size() - 1).to();
    }

    /** Returns the later one of two moments. */
    public static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /**
     * Builds a timeline state by state. A moment outside the period, or before the last change, is moved to the nearest possible moment. Not
     * thread-safe.
     */
    public static final class Builder {

        private final Instant end;
        private final List<Span> spans = new ArrayList<>();
        private Instant since;
        private AvailabilityState state = AvailabilityState.UNKNOWN;
        private Optional<? extends WireNamed> reason = Optional.empty();

        /** Creates a builder for a period in an unknown state. */
        public Builder(Instant from, Instant to) {
            this.since = from.truncatedTo(ChronoUnit.SECONDS);
            this.end = to.truncatedTo(ChronoUnit.SECONDS);
        }

        /** Sets the state from a moment on. */
        public void set(Instant at, AvailabilityState next, Optional<? extends WireNamed> nextReason) {
            close(earlier(at.truncatedTo(ChronoUnit.SECONDS), end));
            state = next;
            reason = next.isIncident() ? nextReason : Optional.empty();
        }

        /** Sets the state from the beginning of a span on. The caller sets the next state at the end of the span. */
        public void add(Span span) {
            set(span.from(), span.state(), span.reason());
        }

        private void close(Instant until) {
            if (!until.isAfter(since)) {
                return;
            }
            Span span = new Span(since, until, state, reason);
            int last = spans.size() - 1;
            if (last >= 0 && span.continues(spans.get(last))) {
                spans.set(last, spans.get(last).between(spans.get(last).from(), until));
            } else {
                spans.add(span);
            }
            since = until;
        }

        /** Returns the states up to the end of the period. */
        public Timeline timeline() {
            close(end);
            return new Timeline(spans);
        }
    }

    /** Returns the total length of all spans in a state, in seconds. */
    public long seconds(AvailabilityState state) {
        return spans.stream()
                .filter(span -> span.state() == state)
                .mapToLong(Span::seconds)
                .sum();
    }
}
