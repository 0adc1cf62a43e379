package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of all monitored agents, read in sequence instead of one by one. */
record RowSource(PulseStore pulses) implements CandidateSource {

    @Override
    public Candidates after(String agentId, int limit) {
        PulseStore.Sequence read = pulses.inSequence(agentId, limit);
        List<String> ids = new ArrayList<>(read.rows().size());
        Map<String, PulseRow> rows = new HashMap<>(2 * read.rows().size());
        for (PulseRow row : read.rows()) {
            ids.add(row.pulse().agentId());
            rows.put(row.pulse().agentId(), row);
        }
        return new Candidates(
                ids, rows, read.rowsRead(), read.readUpTo(), !read.readUpTo().isEmpty());
    }

    /** Returns whether the status is monitored. Gone agents are found by their status, because most of them are archived. */
    @Override
    public boolean searches(LifecycleStatus status) {
        return status.isMonitored();
    }

    @Override
    public int maxPerRead() {
        return DiscoveryStore.MAX_CANDIDATES;
    }
}
