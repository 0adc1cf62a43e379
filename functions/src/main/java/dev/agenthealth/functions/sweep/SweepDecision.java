package dev.agenthealth.functions.sweep;

/**
 * What a pass decided after counting.
 *
 * @param mayChangeStatus whether silence and drains are acted on; not while the self-check fails
 * @param deaths how many silent agents may be marked as dead
 */
record SweepDecision(boolean mayChangeStatus, DeathQuota deaths) {

    /** Only what changes no status: clean-up, archival, revoked credentials. */
    static final SweepDecision HOUSEKEEPING_ONLY = new SweepDecision(false, DeathQuota.NONE);

    static final SweepDecision ALL = new SweepDecision(true, DeathQuota.UNLIMITED);
}
