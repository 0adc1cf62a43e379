package dev.agenthealth.model.identity;

import java.util.Set;

/**
 * Who makes a request, as far as the API key says.
 *
 * @param keyId id of the key, which unlike the key may be shown
 * @param role what the key allows
 * @param roleIds the agent roles a coordinator is limited to; empty for all
 * @param credential hash of the key
 */
public record Caller(String keyId, Role role, Set<String> roleIds, KeyHash credential) {

    public Caller {
        roleIds = Set.copyOf(roleIds);
    }

    /** Whether this caller holds the administrator's rights. */
    public boolean isAdministrator() {
        return role == Role.ADMINISTRATOR;
    }

    /** Whether this caller's key registered the agent with this credential. */
    public boolean owns(KeyHash agentCredential) {
        return !agentCredential.isNone() && credential.equals(agentCredential);
    }

    /** Whether this caller may see agents it did not register (RFC-0016, Security Considerations). */
    public boolean mayListAgents() {
        return role != Role.AGENT;
    }

    /**
     * Whether this caller may act on an agent: it registered the agent, coordinates its role, or is an administrator.
     *
     * @param roleId the agent's role; empty for none
     */
    public boolean mayActOn(KeyHash agentCredential, String roleId) {
        return switch (role) {
            case ADMINISTRATOR -> true;
            case COORDINATOR -> roleIds.isEmpty() || roleIds.contains(roleId) || owns(agentCredential);
            case AGENT -> owns(agentCredential);
        };
    }
}
