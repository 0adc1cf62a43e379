package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a mass restart postpones deaths. The registry takes only a limited number of registrations per second. If many agents restart at once,
 * agents with missing heartbeats may wait for their registration.
 */
public final class MassRestartRule {

    /**
     * The minimum number of restarts in a mass restart. Fewer restarts need no waiting, as the smallest account takes 100 per second. A deployment
     * that crashes again and again is below it.
     */
    public static final int MIN_RESTARTS = 500;

    /** The percentage of monitored agents that makes a mass restart. The restart of such a fleet takes 40 minutes at most. */
    public static final int PERCENT = 5;

    /** The time for which a restart counts. Refused clients have registered at its end, as they wait for 30 seconds at most. */
    public static final Duration WINDOW = Duration.ofMinutes(2);

    /** The maximum time for which a death is postponed, even if more agents restart. */
    public static final Duration MAX_POSTPONED = Duration.ofHours(1);

    private MassRestartRule() {}

    /** Returns whether the agent registered lately, and not for the first time. An agent with a later profile change does not count. */
    public static boolean isRestart(Pulse pulse, Instant now) {
        return pulse.incarnation() > 1
                && pulse.incarnationBegan()
                        .filter(began -> began.isAfter(now.minus(WINDOW)))
                        .isPresent();
    }

    /** Returns whether this fleet has a mass restart. */
    public static boolean isMassRestart(FleetCount fleet) {
        return isMass(fleet.get(FleetCounter.RESTARTED), fleet);
    }

    /**
     * Returns the deaths that are postponed. The agents of one owner alone postpone only the deaths of that owner: otherwise an owner could postpone the
     * deaths of all others.
     */
    public static PostponedDeaths postponed(FleetCount fleet, OwnerCounts owners, Instant now) {
        if (!isMassRestart(fleet)) {
            return PostponedDeaths.NONE;
        }
        Instant from = now.minus(MAX_POSTPONED);
        long owner = owners.ownerOfMostRestarts();
        long ofOthers = fleet.get(FleetCounter.RESTARTED) - owners.restarted().getOrDefault(owner, 0L);
        return isMass(ofOthers, fleet) ? PostponedDeaths.ofAll(from) : new PostponedDeaths(from, owner);
    }

    private static boolean isMass(long restarts, FleetCount fleet) {
        return restarts >= MIN_RESTARTS && restarts * 100 >= fleet.monitored() * PERCENT;
    }
}
