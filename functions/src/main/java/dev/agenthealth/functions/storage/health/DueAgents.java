package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.window.Slice;
import java.util.Map;
import java.util.Set;

/**
 * Agents of one shard whose health is due.
 *
 * @param changedSlices by agent, the slices to which outcomes were added since they were last read, as far as the index shows them; none where the
 *     reason is another
 * @param isCut whether reading ended at its limit, so that more may be due
 */
public record DueAgents(Map<String, Set<Slice>> changedSlices, boolean isCut) {}
