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
 * @param shares the shares of the states up, degraded and down in the known time, 0 to 1 with four decimals; the mean of the agents for a group; empty
 *     if no time is known
 * @param seconds the total length of the spans of each state; the sum is the window's length
 * @param intervals the states, without gaps and overlaps
 * @param incidents the incidents in the order of time
 * @param heartbeats the part by heartbeats alone
 */
public record Availability(
        Instant from,
        Instant to,
        Map<AvailabilityState, BigDecimal> shares,
        Map<AvailabilityState, Long> seconds,
        List<Span> intervals,
        List<Incident> incidents,
        Heartbeats heartbeats) {

    /**
     * The part of the availability by heartbeats alone.
     *
     * @param share the share of the known time in which heartbeats arrived; empty if no time is known
     * @param until the moment up to which all figures are by heartbeats alone, because an earlier version stored them; empty for none
     */
    public record Heartbeats(Optional<BigDecimal> share, Optional<Instant> until) {}

    private static final List<AvailabilityState> KNOWN =
            List.of(AvailabilityState.UP, AvailabilityState.DEGRADED, AvailabilityState.DOWN);

    private static final int RATIO_DECIMALS = 4;

    /**
     * Returns the availability of an agent.
     *
     * @param states the agent's recorded states by its verdict
     * @param byHeartbeats the agent's recorded states by heartbeats alone
     * @param coverage the observed time; outside of it states are unknown, because changes may have been recorded late
     * @param until as in {@link Heartbeats}
     */
    public static Availability of(Timeline states, Timeline byHeartbeats, Coverage coverage, Optional<Instant> until) {
        Timeline observed = states.observed(coverage);
        Map<AvailabilityState, Long> seconds = seconds(observed);
        Optional<BigDecimal> share = Optional.ofNullable(
                shares(seconds(byHeartbeats.observed(coverage))).get(AvailabilityState.UP));
        return of(shares(seconds), seconds, observed, incidents(states, coverage), new Heartbeats(share, until));
    }

    private static Map<AvailabilityState, Long> seconds(Timeline states) {
        Map<AvailabilityState, Long> seconds = new EnumMap<>(AvailabilityState.class);
        for (AvailabilityState state : AvailabilityState.values()) {
            seconds.put(state, states.seconds(state));
        }
        return seconds;
    }

    /** Returns the availability with figures that are more exact than the states. */
    static Availability of(
            Map<AvailabilityState, BigDecimal> shares,
            Map<AvailabilityState, Long> seconds,
            Timeline states,
            List<Incident> incidents,
            Heartbeats heartbeats) {
        List<Span> spans = states.spans();
        return new Availability(
                spans.get(0).from(), spans.get(spans.size() - 1).to(), shares, seconds, spans, incidents, heartbeats);
    }

    /** Returns the share of the known time in which the state was up; empty if no time is known. */
    public Optional<BigDecimal> ratio() {
        return Optional.ofNullable(shares.get(AvailabilityState.UP));
    }

    /** Returns the shares of the states up, degraded and down in their sum; empty if the sum is 0. */
    static Map<AvailabilityState, BigDecimal> shares(Map<AvailabilityState, Long> lengths) {
        long known = KNOWN.stream().mapToLong(lengths::get).sum();
        Map<AvailabilityState, BigDecimal> shares = new EnumMap<>(AvailabilityState.class);
        KNOWN.forEach(state -> ratio(lengths.get(state), known).ifPresent(share -> shares.put(state, share)));
        return shares;
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
        shares = Map.copyOf(shares);
        seconds = Map.copyOf(seconds);
        intervals = List.copyOf(intervals);
        incidents = List.copyOf(incidents);
    }
}
