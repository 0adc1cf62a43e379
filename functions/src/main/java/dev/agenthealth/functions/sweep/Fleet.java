package dev.agenthealth.functions.sweep;

/** All agents during one pass. The pass reads them once and then acts on them once, in this process or in shards. */
interface Fleet {

    /**
     * Reads all segments and counts the agents.
     *
     * @param inspection the rows to look for and the numbers to count
     */
    FleetReading read(Inspection inspection);

    /** Acts on the rows that {@link #read} found. */
    ActionCounts act(SweepDecision decision);
}
