package dev.agenthealth.functions.storage.health;

import java.util.List;

/**
 * Agents of one shard whose health is due.
 *
 * @param agents the agents, each once
 * @param isCut whether reading ended at its limit, so that more may be due
 */
public record DueAgents(List<DueAgent> agents, boolean isCut) {

    public DueAgents {
        agents = List.copyOf(agents);
    }
}
