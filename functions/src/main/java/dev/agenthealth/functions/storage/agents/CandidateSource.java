package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.List;
import java.util.Map;

/** Candidates of a listing, in their own order. A listing reads its sources one after the other. */
interface CandidateSource {

    /**
     * A part of a source.
     *
     * @param agentIds the candidates, in the order of the source
     * @param rows the rows that were read with the candidates; the rows of the other candidates are read one by one
     * @param itemsRead the number of items that were read
     * @param readUpTo the position at which the source continues; after the last candidate if a filter left out some items
     * @param more whether the source continues
     */
    record Candidates(
            List<String> agentIds, Map<String, PulseRow> rows, int itemsRead, String readUpTo, boolean more) {}

    /** Returns up to {@code limit} candidates after this agent id, which is empty at the beginning of the source. */
    Candidates after(String agentId, int limit);

    /** Returns whether this source searches agents in this status. Each status belongs to one kind of source, so that no agent is found twice. */
    boolean searches(LifecycleStatus status);

    /** Returns the maximum number of items of one read. */
    int maxPerRead();
}
