package dev.agenthealth.functions.sweep;

import java.time.Instant;

/**
 * The decision of a pass after counting.
 *
 * @param mayChangeStatus whether silence and drains are acted on; not while the self-check fails
 * @param deaths the silent agents that may be marked as dead
 * @param postponedFrom deaths of silent agents that became due after this moment are postponed; {@link Instant#MAX} for none
 */
record SweepDecision(boolean mayChangeStatus, DeathQuota deaths, Instant postponedFrom) {

    /** Only what changes no status: clean-up, archival, revoked credentials. */
    static final SweepDecision HOUSEKEEPING_ONLY = new SweepDecision(false, DeathQuota.NONE, Instant.MAX);

    static final SweepDecision ALL = new SweepDecision(true, DeathQuota.UNLIMITED, Instant.MAX);
}
