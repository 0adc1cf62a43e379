package dev.agenthealth.functions.operations.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.registry.MovedAgents;
import dev.agenthealth.functions.registry.MovedAgents.Moved;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;

/** The agents that are neither dead nor deregistered, with what they declare. Thread-safe. */
public final class AgentSection implements Section {

    private static final String AGENT_ID = "agent_id";
    private static final String INCARNATION = "incarnation";

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
        ObjectNode wanted = moved.json();
        return Entry.of(
                moved.agentId(),
                wanted,
                // A live agent that registered again here keeps the number of its registration.
                () -> agents.find(moved.agentId()).map(json -> json.set(INCARNATION, wanted.get(INCARNATION))),
                author -> agents.write(author, moved));
    }
}
