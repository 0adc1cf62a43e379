package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Stream;

/** The pools of a registry (RFC-0016 §7). Thread-safe. */
public final class Pools {

    private static final String POOLS = "/api/v1/pools";

    private final Api api;

    Pools(Api api) {
        this.api = api;
    }

    /** Returns all pools, without their members. */
    public Stream<Pool> stream() {
        return Pages.stream(api, () -> Call.get(POOLS), "pools", Pool::new);
    }

    /**
     * Returns the pool of a role, with its first members.
     *
     * @throws NotFoundException if the role has no agents and no workflow
     */
    public Pool get(String roleId) {
        return new Pool(api.send(Call.get(POOLS).segment(roleId)));
    }

    /**
     * Compares the versions of a role: the executions of each version on the last days, the newest version first.
     *
     * @param days from 1 to 30
     * @throws NotFoundException if the role has no agents, no versions and no workflow
     */
    public JsonNode versions(String roleId, int days) {
        return api.send(Call.get(POOLS).segment(roleId).segment("versions").query("days", days));
    }

    /** Returns all members of the pool of a role. */
    public Stream<AgentSummary> members(String roleId) {
        return Pages.stream(api, () -> Call.get(POOLS).segment(roleId), "members", AgentSummary::new);
    }
}
