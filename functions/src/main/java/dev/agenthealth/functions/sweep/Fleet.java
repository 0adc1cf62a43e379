package dev.agenthealth.functions.sweep;

import java.time.Instant;

/** All agents, as a pass sees them: read once, then acted on once, in this process or shared out to others. */
interface Fleet {

    /**
     * Reads all segments and counts.
     *
     * @param amnestyFrom silence before this moment does not count
     * @param now the moment by which everything in this pass is judged
     */
    FleetReading read(Instant amnestyFrom, Instant now);

    /** Acts on what was read. */
    Deeds act(Orders orders);
}
