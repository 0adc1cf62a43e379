package dev.agenthealth.model.registry.profile;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The capabilities of an agent and its endpoints.
 *
 * @param kind what is called: an agent or an MCP server
 * @param capabilities tags for discovery, without repeats, in the order given
 * @param endpoint the URL at which the agent can be called; empty for none
 * @param a2a the protocol that it declares for its endpoint
 * @param acceptsPush whether commands are posted to its endpoint
 * @param updatedAt when the part that the agent card declares, which is the rest without {@code acceptsPush}, last changed
 */
public record AgentInterface(
        AgentKind kind,
        List<String> capabilities,
        String endpoint,
        A2aProtocol a2a,
        boolean acceptsPush,
        Instant updatedAt) {

    /** The maximum number of capabilities of one agent. */
    public static final int MAX_CAPABILITIES = 32;

    /** The capability that makes an agent a coordinator (RFC-0016 §10.2). */
    public static final String COORDINATOR = "coordinator";

    public AgentInterface {
        capabilities = List.copyOf(capabilities);
    }

    /** Returns the same interface with these capabilities from now on. */
    public AgentInterface with(List<String> changed, Instant now) {
        return new AgentInterface(kind, changed, endpoint, a2a, acceptsPush, now);
    }

    /** This interface with the date of its last change: that of {@code before} where both declare the same, in any order. */
    public AgentInterface replacing(AgentInterface before, Instant now) {
        boolean same = kind == before.kind
                && Set.copyOf(capabilities).equals(Set.copyOf(before.capabilities))
                && endpoint.equals(before.endpoint)
                && a2a.equals(before.a2a);
        return new AgentInterface(kind, capabilities, endpoint, a2a, acceptsPush, same ? before.updatedAt : now);
    }
}
