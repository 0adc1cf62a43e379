package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Instant;

/**
 * Decides when the registry must check that it receives heartbeats, before it marks agents as dead. If no heartbeat arrives, the cause is more
 * likely the registry than the agents.
 */
public final class SelfCheckRule {

    /** The number of missing heartbeats in a row that requires a check even if no agent is due to be marked as dead. */
    public static final int MISSING_HEARTBEATS = 10;

    private SelfCheckRule() {}

    /**
     * Returns whether this pass has to send canary heartbeats. It has to before any death, and while a blackout lasts, to find its end. It also has
     * to if no heartbeat came although at least {@link #MISSING_HEARTBEATS} were due since the freshest one.
     */
    public static boolean isNeeded(FleetCount fleet, boolean blackout, Instant now) {
        return blackout
                || fleet.get(FleetCounter.DYING) > 0
                || fleet.heartbeatsExpectedSinceFreshest(now) >= MISSING_HEARTBEATS;
    }

    /**
     * Returns whether the time of a heartbeat fits the clock of the process that sent it and reads it back. Otherwise one of the clocks is wrong, and
     * missing heartbeats cannot be judged.
     *
     * @param sentAt the time before it was sent
     * @param readAt the time after it was stored
     */
    public static boolean isTimely(Instant heartbeatAt, Instant sentAt, Instant readAt) {
        return !heartbeatAt.isBefore(sentAt.minus(ClockRule.MAX_SKEW))
                && !heartbeatAt.isAfter(readAt.plus(ClockRule.MAX_SKEW));
    }
}
