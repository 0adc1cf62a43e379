package dev.agenthealth.model.sweep;

import java.time.Instant;

/**
 * When the registry must listen to itself before it believes that agents are silent: a registry that hears nobody is more
 * likely to be deaf than alone.
 */
public final class SelfCheckRule {

    /** So many heartbeats missing in a row call for a check even when nobody is dying. */
    public static final int MISSING_HEARTBEATS = 10;

    private SelfCheckRule() {}

    /**
     * Whether canary heartbeats have to be sent in this pass: before any death, whenever no heartbeat came although at least
     * {@link #MISSING_HEARTBEATS} were due since the freshest, and while a blackout lasts, to find its end.
     */
    public static boolean isNeeded(FleetCount fleet, boolean blackout, Instant now) {
        return blackout
                || fleet.get(FleetCounter.DYING) > 0
                || fleet.heartbeatsExpectedSinceFreshest(now) >= MISSING_HEARTBEATS;
    }
}
