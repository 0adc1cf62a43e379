package dev.agenthealth.functions.sweep;

/** All agents as one pass sees them: read once, then acted on once, in this process or in shards. */
interface Fleet {

    /**
     * Reads all segments and counts.
     *
     * @param inspection how the rows are read
     */
    FleetReading read(Inspection inspection);

    /** Acts on what was read. */
    ActionCounts act(SweepDecision decision);
}
