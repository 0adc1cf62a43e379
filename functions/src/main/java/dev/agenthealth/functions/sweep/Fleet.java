package dev.agenthealth.functions.sweep;

/** All agents, as a pass sees them: read once, then acted on once, in this process or shared out to others. */
interface Fleet {

    /**
     * Reads all segments and counts.
     *
     * @param inspection by what the rows are judged
     */
    FleetReading read(Inspection inspection);

    /** Acts on what was read. */
    ActionCounts act(SweepDecision orders);
}
