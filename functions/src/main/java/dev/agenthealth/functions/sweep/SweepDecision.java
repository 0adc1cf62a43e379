package dev.agenthealth.functions.sweep;

/**
 * What a pass decided after counting.
 *
 * @param mayChangeStatus whether silence and drains may be acted on; not while the registry is deaf
 * @param deaths how many agents may die, {@link #UNLIMITED} for all
 */
record SweepDecision(boolean mayChangeStatus, long deaths) {

    static final long UNLIMITED = Long.MAX_VALUE;

    /** Only what is no judgement about agents: clean-up, burial, revoked credentials. */
    static final SweepDecision HOUSEKEEPING_ONLY = new SweepDecision(false, 0);

    /** Everything. */
    static final SweepDecision ALL = new SweepDecision(true, UNLIMITED);
}
