package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.util.List;
import java.util.SortedMap;

/**
 * Slices of an agent as they were read.
 *
 * @param counts the counts by slice
 * @param changed the parts to which something was added since the agent's health was computed
 */
public record ReadSlices(SortedMap<Slice, OutcomeCounts> counts, List<ChangedPart> changed) {

    /**
     * A part of a slice that is marked.
     *
     * @param slice the slice
     * @param part the number of the part
     * @param batches how many batches it held when it was read
     */
    public record ChangedPart(Slice slice, int part, int batches) {}
}
