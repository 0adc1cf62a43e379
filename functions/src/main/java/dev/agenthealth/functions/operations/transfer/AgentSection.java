package dev.agenthealth.functions.operations.transfer;

import dev.agenthealth.functions.gateway.CredentialStore;
import dev.agenthealth.functions.registry.MovedAgents;
import dev.agenthealth.functions.registry.MovedAgents.Moved;
import dev.agenthealth.functions.registry.ping.MovedPings;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The agents that are neither dead nor deregistered, with their declarations and the hashes of their ping addresses, and without the tokens of their
 * credentials. Thread-safe.
 */
public final class AgentSection implements Section {

    private static final String AGENT_ID = "agent_id";

    /** The credential that the gateway sends to the endpoint. Only its metadata moves. */
    private static final String CREDENTIAL = "credential";

    private static final String ENDPOINT = "endpoint";
    private static final int MAX_ENDPOINT = 2_048;

    private final MovedAgents agents;
    private final CredentialStore credentials;
    private final MovedPings pings;

    public AgentSection(MovedAgents agents, CredentialStore credentials, MovedPings pings) {
        this.agents = agents;
        this.credentials = credentials;
        this.pings = pings;
    }

    @Override
    public String name() {
        return "agents";
    }

    @Override
    public String idField(Fields object) {
        return AGENT_ID;
    }

    @Override
    public ListPage<Exported> export(String position, int limit) {
        ListPage<Exported> page = agents.page(position, limit)
                .map(json -> new Exported(json.path(AGENT_ID).asText(), json));
        Map<String, String> endpoints = credentials.endpoints(
                page.items().stream().map(Exported::position).toList());
        page.items().forEach(agent -> Optional.ofNullable(endpoints.get(agent.position()))
                .ifPresent(endpoint -> agent.json().putObject(CREDENTIAL).put(ENDPOINT, endpoint)));
        pings.put(page.items().stream().map(Exported::json).toList());
        return page;
    }

    @Override
    public Entry read(Fields fields) {
        Fields credential = fields.object(CREDENTIAL);
        if (fields.has(CREDENTIAL)) {
            credential.require(ENDPOINT);
        }
        String endpoint = credential.text(ENDPOINT, MAX_ENDPOINT);
        credential.refuseUnknown();
        List<Fields> given = MovedPings.given(fields);
        Moved moved = agents.read(fields);
        MovedPings.Moved tokens = MovedPings.read(fields, given, moved.agentId(), moved.ownerKeyId());
        if (!moved.obstacle().isEmpty()) {
            return Entry.skipped(moved.agentId(), moved.obstacle());
        }
        return Entry.of(
                        moved.agentId(),
                        MovedPings.put(moved.json(), tokens),
                        () -> agents.find(moved).map(present -> pings.putPresent(present, tokens)),
                        author -> {
                            agents.write(author, moved);
                            pings.write(author, tokens);
                        })
                .needing(lacks(moved.agentId(), endpoint) ? List.of(CREDENTIAL + ".bearer_token") : List.of());
    }

    /** Returns whether this registry has no credential of the agent for an endpoint. */
    private boolean lacks(String agentId, String endpoint) {
        return !endpoint.isEmpty()
                && !agentId.isEmpty()
                && !endpoint.equals(credentials.endpoints(List.of(agentId)).get(agentId));
    }
}
