package dev.agenthealth.model.registry.profile;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The capabilities of an agent and its endpoint.
 *
 * @param kind whether it is an agent or an MCP server
 * @param capabilities the tags for discovery, without repeats, in the given order
 * @param endpoint the URL for calls of the agent; empty without an endpoint
 * @param a2a the declared protocol of the endpoint
 * @param acceptsPush whether the registry posts commands to the endpoint
 * @param updatedAt the last change of the other fields except {@code acceptsPush}; the agent card declares these fields
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

    /** The capability of coordinators (RFC-0016 §10.2). */
    public static final String COORDINATOR = "coordinator";

    public AgentInterface {
        capabilities = List.copyOf(capabilities);
    }

    /** Returns this interface with other capabilities from now on. */
    public AgentInterface with(List<String> changed, Instant now) {
        return new AgentInterface(kind, changed, endpoint, a2a, acceptsPush, now);
    }

    /** Returns this interface with the date of its last change. It is the date of {@code before} if both declare the same, in any order. */
    public AgentInterface replacing(AgentInterface before, Instant now) {
        boolean same = kind == before.kind
                && Set.copyOf(capabilities).equals(Set.copyOf(before.capabilities))
                && endpoint.equals(before.endpoint)
                && a2a.equals(before.a2a);
        return new AgentInterface(kind, capabilities, endpoint, a2a, acceptsPush, same ? before.updatedAt : now);
    }
}
