package dev.agenthealth.functions.operations.transfer;

import dev.agenthealth.functions.registry.MovedAgents;
import dev.agenthealth.functions.registry.MovedAgents.Moved;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;

/** The agents that are neither dead nor deregistered, with what they declare. Thread-safe. */
public final class AgentSection implements Section {

    private static final String AGENT_ID = "agent_id";

    private final MovedAgents agents;

    public AgentSection(MovedAgents agents) {
        this.agents = agents;
    }

    @Override
    public String name() {
        return "agents";
    }

    @Override
    public String idField() {
        return AGENT_ID;
    }

    @Override
    public ListPage<Exported> export(String position, int limit) {
        return agents.page(position, limit)
                .map(json -> new Exported(json.path(AGENT_ID).asText(), json));
    }

    @Override
    public Entry read(Fields fields) {
        Moved moved = agents.read(fields);
        if (!moved.obstacle().isEmpty()) {
            return Entry.skipped(moved.agentId(), moved.obstacle());
        }
        return Entry.of(moved.agentId(), moved.json(), () -> agents.find(moved), author -> agents.write(author, moved));
    }
}
