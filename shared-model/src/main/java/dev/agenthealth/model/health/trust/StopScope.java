package dev.agenthealth.model.health.trust;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.GroupNumber;
import java.util.List;
import java.util.Optional;

/**
 * The agents that a stop names: one agent, all agents of a role, all agents of an owner, or all agents.
 *
 * @param id the id of the agent, the role or the owner's key; empty for all agents
 */
public record StopScope(Kind kind, String id) {

    /** The kind of a scope. */
    public enum Kind implements WireNamed {
        AGENT,
        ROLE,
        KEY,
        ALL
    }

    /** All agents. */
    public static final StopScope ALL = new StopScope(Kind.ALL, "");

    private static final char SEPARATOR = ':';

    /** Returns the scope of a text from {@link #text()}. */
    public static Optional<StopScope> ofText(String text) {
        int end = text.indexOf(SEPARATOR);
        return WireNamed.find(Kind.class, end < 0 ? text : text.substring(0, end))
                .map(kind -> new StopScope(kind, end < 0 ? "" : text.substring(end + 1)));
    }

    /** Returns all scopes that cover an agent, the narrowest first. */
    public static List<StopScope> covering(String agentId, String roleId, String ownerKeyId) {
        StopScope agent = new StopScope(Kind.AGENT, agentId);
        StopScope key = new StopScope(Kind.KEY, ownerKeyId);
        return roleId.isEmpty() ? List.of(agent, key, ALL) : List.of(agent, new StopScope(Kind.ROLE, roleId), key, ALL);
    }

    /** Returns the scope as a text, such as {@code role:billing}. */
    public String text() {
        return id.isEmpty() ? kind.wireName() : kind.wireName() + SEPARATOR + id;
    }

    /** Returns the number by which the rows of agents name the role. */
    long roleNumber() {
        return GroupNumber.of(id);
    }
}
