package dev.agenthealth.functions.sweep;

/**
 * The decision of a pass after counting.
 *
 * @param mayChangeStatus whether silence and drains are acted on; not while the self-check fails
 * @param deaths the silent agents that may be marked as dead
 */
record SweepDecision(boolean mayChangeStatus, DeathQuota deaths) {

    /** Only what changes no status: clean-up, archival, revoked credentials. */
    static final SweepDecision HOUSEKEEPING_ONLY = new SweepDecision(false, DeathQuota.NONE);

    static final SweepDecision ALL = new SweepDecision(true, DeathQuota.UNLIMITED);
}
