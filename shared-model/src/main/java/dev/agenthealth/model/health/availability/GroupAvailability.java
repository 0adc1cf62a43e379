package dev.agenthealth.model.health.availability;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Computes the availability of a group of agents from its counts. */
public final class GroupAvailability {

    private static final long SECONDS_PER_MINUTE = 60;

    private GroupAvailability() {}

    /**
     * Returns the availability over a window. Figures are exact to the minute. An interval has the worst state of its piece.
     *
     * @param pieces pieces within the window in the order of time, without overlaps; time without a piece is unknown
     */
    public static Availability of(Instant from, Instant to, List<GroupPiece> pieces) {
        Timeline.Builder states = new Timeline.Builder(from, to);
        Map<AvailabilityState, Long> seconds = new EnumMap<>(AvailabilityState.class);
        GroupSum all = GroupSum.NONE;
        GroupSum heartbeats = GroupSum.NONE;
        Optional<Instant> byHeartbeatsUntil = Optional.empty();
        for (GroupPiece piece : pieces) {
            states.set(piece.from(), piece.sum().worst(), Optional.empty());
            states.set(piece.to(), AvailabilityState.UNKNOWN, Optional.empty());
            all = all.plus(piece.sum());
            heartbeats = heartbeats.plus(piece.heartbeats());
            if (!piece.byVerdict()) {
                byHeartbeatsUntil = Optional.of(piece.to());
            }
        }
        long known = 0;
        for (AvailabilityState state : AvailabilityState.values()) {
            seconds.put(state, all.minutesIn(state) * SECONDS_PER_MINUTE);
            known += seconds.get(state);
        }
        seconds.put(AvailabilityState.UNKNOWN, Duration.between(from, to).toSeconds() - known);
        Timeline timeline = states.timeline();
        return Availability.of(
                all.shares(),
                seconds,
                timeline,
                incidents(timeline, pieces),
                new Availability.Heartbeats(heartbeats.ratio(), byHeartbeatsUntil));
    }

    /** Returns the incidents. The length of an incident counts only the minutes in which some agent of the group was not up. */
    private static List<Incident> incidents(Timeline timeline, List<GroupPiece> pieces) {
        List<Incident> incidents = new ArrayList<>();
        for (Incident incident : Availability.incidents(timeline, Coverage.ALL)) {
            Instant end = incident.to().orElse(Instant.MAX);
            long minutes = pieces.stream()
                    .filter(piece -> !piece.from().isBefore(incident.from())
                            && piece.from().isBefore(end))
                    .mapToLong(piece -> piece.sum().degraded() + piece.sum().down())
                    .sum();
            incidents.add(new Incident(
                    incident.from(), incident.to(), minutes * SECONDS_PER_MINUTE, incident.state(), incident.reason()));
        }
        return incidents;
    }
}
