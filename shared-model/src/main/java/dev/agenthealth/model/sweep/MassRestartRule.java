package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides when so many agents restart at once that silent ones may wait for their registration, because the registry takes only so many a second: their
 * deaths are postponed. Pure.
 */
public final class MassRestartRule {

    /** Smaller numbers of restarts wait for nothing: the smallest account takes 100 a second. A deployment that crashes again and again is not one of them. */
    public static final int MIN_RESTARTS = 500;

    /** Percentage of the monitored agents that makes a mass: of a fleet whose restart takes 40 minutes at most. */
    public static final int PERCENT = 5;

    /** Time for which a restart counts. At its end, clients that were refused have registered: they wait for 30 seconds at most. */
    public static final Duration WINDOW = Duration.ofMinutes(2);

    /** Maximum time for which a death is postponed, however many agents restart. */
    public static final Duration MAX_POSTPONED = Duration.ofHours(1);

    private MassRestartRule() {}

    /** Returns whether the agent registered lately, and not for the first time. An agent that changed its profile since does not count. */
    public static boolean isRestart(Pulse pulse, Instant now) {
        return pulse.incarnation() > 1
                && pulse.incarnationBegan()
                        .filter(began -> began.isAfter(now.minus(WINDOW)))
                        .isPresent();
    }

    /** Returns whether this fleet restarts. */
    public static boolean isMassRestart(FleetCount fleet) {
        long restarts = fleet.get(FleetCounter.RESTARTED);
        return restarts >= MIN_RESTARTS && restarts * 100 >= fleet.monitored() * PERCENT;
    }

    /** Returns the moment after which deaths have become due that are postponed; {@link Instant#MAX} for none. */
    public static Instant postponedFrom(FleetCount fleet, Instant now) {
        return isMassRestart(fleet) ? now.minus(MAX_POSTPONED) : Instant.MAX;
    }
}
