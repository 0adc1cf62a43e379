package dev.agenthealth.model.health.availability;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The availability of an agent, or of a group of agents, over a window. Immutable.
 *
 * @param from the beginning of the window
 * @param to the end of the window
 * @param ratio the share of the known time in which the agent was up, 0 to 1 with four decimals; the mean of the agents for a group; empty if
 *     unknown
 * @param seconds the total length of the spans of each state; the sum is the window's length
 * @param intervals the states, without gaps and overlaps
 * @param incidents the incidents in the order of time
 */
public record Availability(
        Instant from,
        Instant to,
        Optional<BigDecimal> ratio,
        Map<AvailabilityState, Long> seconds,
        List<Span> intervals,
        List<Incident> incidents) {

    private static final int RATIO_DECIMALS = 4;

    /**
     * Returns the availability of an agent.
     *
     * @param states the agent's recorded states
     * @param coverage the observed time; outside of it states are unknown, because changes may have been recorded late
     */
    public static Availability of(Timeline states, Coverage coverage) {
        Timeline observed = states.observed(coverage);
        Map<AvailabilityState, Long> seconds = new EnumMap<>(AvailabilityState.class);
        for (AvailabilityState state : AvailabilityState.values()) {
            seconds.put(state, observed.seconds(state));
        }
        long up = seconds.get(AvailabilityState.UP);
        long known = up + seconds.get(AvailabilityState.DEGRADED) + seconds.get(AvailabilityState.DOWN);
        return of(ratio(up, known), seconds, observed, incidents(states, coverage));
    }

    /** Returns the availability with figures that are more exact than the states. */
    public static Availability of(
            Optional<BigDecimal> ratio,
            Map<AvailabilityState, Long> seconds,
            Timeline states,
            List<Incident> incidents) {
        List<Span> spans = states.spans();
        return new Availability(
                spans.get(0).from(), spans.get(spans.size() - 1).to(), ratio, seconds, spans, incidents);
    }

    /** Returns a share, rounded down, so that 1 means all; empty if {@code all} is 0. */
    public static Optional<BigDecimal> ratio(long part, long all) {
        return all == 0
                ? Optional.empty()
                : Optional.of(
                        BigDecimal.valueOf(part).divide(BigDecimal.valueOf(all), RATIO_DECIMALS, RoundingMode.DOWN));
    }

    /** Returns the incidents of recorded states. An incident that lasted while the registry was off is one incident. */
    public static List<Incident> incidents(Timeline states, Coverage coverage) {
        List<Incident> incidents = new ArrayList<>();
        List<Span> run = new ArrayList<>();
        for (Span span : states.spans()) {
            if (span.state().isIncident()) {
                run.add(span);
            } else if (!run.isEmpty()) {
                incidents.add(incident(run, Optional.of(span.from()), coverage));
                run.clear();
            }
        }
        if (!run.isEmpty()) {
            incidents.add(incident(run, Optional.empty(), coverage));
        }
        return incidents;
    }

    private static Incident incident(List<Span> run, Optional<Instant> to, Coverage coverage) {
        Timeline observed = new Timeline(run).observed(coverage);
        AvailabilityState worst =
                run.stream().map(Span::state).max(Enum::compareTo).orElseThrow();
        return new Incident(
                run.get(0).from(),
                to,
                observed.seconds(AvailabilityState.DEGRADED) + observed.seconds(AvailabilityState.DOWN),
                worst,
                run.get(0).reason());
    }

    public Availability {
        seconds = Map.copyOf(seconds);
        intervals = List.copyOf(intervals);
        incidents = List.copyOf(incidents);
    }
}
