package dev.agenthealth.functions.sweep;

import java.time.Instant;
import java.util.Set;

/** All agents, as a pass sees them: read once, then acted on once, in this process or shared out to others. */
interface Fleet {

    /**
     * Reads all segments and counts.
     *
     * @param amnestyFrom silence before this moment does not count
     * @param now the moment by which everything in this pass is judged
     * @param pools numbers of the roles whose active agents are counted
     */
    FleetReading read(Instant amnestyFrom, Instant now, Set<Long> pools);

    /** Acts on what was read. */
    Deeds act(Orders orders);
}
