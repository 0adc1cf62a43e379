package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.List;
import java.util.Map;

/** Candidates of a listing in an order of their own. A listing reads its sources one after the other. */
interface CandidateSource {

    /**
     * A part of a source.
     *
     * @param agentIds in the order of the source
     * @param rows the rows that were read with them; those of others are read one by one
     * @param itemsRead how many items were read
     * @param readUpTo where the source continues; after the last candidate where some were filtered out
     * @param more whether the source continues
     */
    record Candidates(
            List<String> agentIds, Map<String, PulseRow> rows, int itemsRead, String readUpTo, boolean more) {}

    /** Up to {@code limit} candidates after this agent id, which is empty at the beginning of the source. */
    Candidates after(String agentId, int limit);

    /** Returns whether agents in this status are searched here: each status belongs to one kind of source, so that no agent is found twice. */
    boolean searches(LifecycleStatus status);

    /** Maximum number of items that one read asks for. */
    int maxPerRead();
}
