package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when a process is active although its agent is dead, deregistered, superseded, blocked or stopped.
 *
 * <p>An activity counts only if it happened after the agent's end, by more than {@link #MAX_CLOCK_DIFFERENCE}. Late reports of earlier work do not
 * count.
 */
public final class GhostRule {

    /** The maximum allowed difference between the clocks of an agent and the registry. */
    public static final Duration MAX_CLOCK_DIFFERENCE = MeasurementWindow.MAX_AHEAD;

    /** The time without activity after which the activity is over. */
    public static final Duration OVER_AFTER = Duration.ofMinutes(15);

    /** The minimum time between two activities that are counted. It bounds the writes for a process that sends many requests. */
    public static final Duration RESOLUTION = Duration.ofSeconds(10);

    /**
     * The number of refused requests that are reported. A single refused heartbeat is the usual way back to a new registration, and a process that
     * was replaced may still give its leases back.
     */
    static final int MIN_REFUSED = 3;

    /** The time that refused requests last before they are reported. */
    static final Duration MIN_REFUSED_LAST = Duration.ofMinutes(1);

    private GhostRule() {}

    /**
     * Returns the state in which the agent must not be active now; empty if it may be.
     *
     * @param named the incarnation that a request names, or {@link Pulse#ANY_INCARNATION}
     */
    public static Optional<GhostState> state(Pulse pulse, long named, Instant now) {
        if (!pulse.isCurrent(named)) {
            return Optional.of(GhostState.SUPERSEDED);
        }
        return switch (pulse.status()) {
            case DEAD -> Optional.of(GhostState.DEAD);
            case DEREGISTERED -> Optional.of(GhostState.DEREGISTERED);
            case REGISTERING, ACTIVE, DRAINING, UNHEALTHY ->
                pulse.coordination().blockedUntil().isAfter(now)
                        ? Optional.of(GhostState.BLOCKED)
                        : Optional.of(GhostState.STOPPED)
                                .filter(stopped ->
                                        pulse.coordination().pendingDrain().isOfStop());
        };
    }

    /** Returns whether an activity happened after the end of the agent, or after the beginning of its block. */
    public static boolean isAfterEnd(Instant happenedAt, Instant end) {
        return happenedAt.isAfter(end.plus(MAX_CLOCK_DIFFERENCE));
    }

    /** Returns the activity after one more sighting; empty if the sighting does not count: it is not newer than the last one, or comes right after it. */
    public static Optional<GhostActivity> after(Optional<GhostActivity> before, Sighting sighting) {
        Optional<GhostActivity> same = before.filter(activity -> isOngoing(activity, sighting));
        if (same.isEmpty()) {
            return Optional.of(new GhostActivity(sighting, sighting.at(), 1, false));
        }
        GhostActivity activity = same.get();
        return sighting.at().isBefore(activity.last().at().plus(RESOLUTION))
                ? Optional.empty()
                : Optional.of(
                        new GhostActivity(sighting, activity.since(), activity.count() + 1, activity.published()));
    }

    private static boolean isOngoing(GhostActivity activity, Sighting sighting) {
        Sighting last = activity.last();
        return last.state() == sighting.state()
                && last.incarnation() == sighting.incarnation()
                && (activity.published()
                        || isRefused(last.source()) == isRefused(sighting.source())
                                && !isOver(activity, sighting.at()));
    }

    /** Returns whether an event has to report the activity. */
    public static boolean isToPublish(GhostActivity activity) {
        boolean enough = !isRefused(activity.last().source())
                || activity.count() >= MIN_REFUSED
                        && activity.last().at().isAfter(activity.since().plus(MIN_REFUSED_LAST));
        return !activity.published() && enough;
    }

    /** Returns whether the activity is a request that is refused, and no work. */
    private static boolean isRefused(GhostSource source) {
        return source == GhostSource.HEARTBEATS || source == GhostSource.LEASES;
    }

    /** Returns whether the activity is over. */
    public static boolean isOver(GhostActivity activity, Instant now) {
        return !now.isBefore(activity.last().at().plus(OVER_AFTER));
    }

    /** Returns whether the activity is an error, and not only a warning: an operator ended, blocked or stopped the agent. */
    public static boolean isError(GhostActivity activity) {
        return activity.last().byOperator()
                || activity.last().state() == GhostState.BLOCKED
                || activity.last().state() == GhostState.STOPPED;
    }
}
