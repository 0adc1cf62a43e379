package dev.agenthealth.model.identity;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The sender of a request, as far as its key or token identifies it.
 *
 * @param keyId the id of the key or of the token's holder; unlike the key and the token, it may be shown
 * @param kind whether it is a key or a token
 * @param name the name of the key, the person or the workload, for people; possibly empty
 * @param role the actions that the caller may take
 * @param roleIds the agent roles to which a coordinator or viewer is limited; empty for all
 * @param credential the credential on the rows of the caller's agents: the hash of the key's newest secret, {@link KeyHash#ofLimitedKey} for a key
 *     with limits, or the hash of the token
 * @param endsAt the end of the key or token; empty without an end
 * @param limits the limits of a key besides its role
 */
public record Caller(
        String keyId,
        CallerKind kind,
        String name,
        Role role,
        Set<String> roleIds,
        KeyHash credential,
        Optional<Instant> endsAt,
        KeyLimits limits) {

    public Caller {
        roleIds = Set.copyOf(roleIds);
    }

    /** Returns the caller with a key that has no end. */
    public static Caller ofKey(String keyId, String name, Role role, Set<String> roleIds, KeyHash credential) {
        return new Caller(keyId, CallerKind.KEY, name, role, roleIds, credential, Optional.empty(), KeyLimits.NONE);
    }

    /** Returns the caller that owns workloads, which have changing tokens. */
    public static Caller ofWorkloads(String keyId) {
        return new Caller(
                keyId, CallerKind.WORKLOAD, "", Role.AGENT, Set.of(), KeyHash.NONE, Optional.empty(), KeyLimits.NONE);
    }

    /** Returns this caller with other limits of its key. */
    public Caller limitedTo(KeyLimits newLimits) {
        return new Caller(keyId, kind, name, role, roleIds, credential, newLimits.expiresAt(), newLimits);
    }

    /** Returns this caller, restricted to its own agents. */
    public Caller asAgent() {
        return new Caller(keyId, kind, name, Role.AGENT, Set.of(), credential, endsAt, limits);
    }

    /** Returns this caller's key as an owner. */
    public Owner asOwner() {
        return new Owner(keyId, credential);
    }

    /** Returns whether this caller has the rights of an administrator. */
    public boolean isAdministrator() {
        return role == Role.ADMINISTRATOR;
    }

    /** Returns whether this caller's key is the owner, with any of its secrets. */
    public boolean owns(Owner owner) {
        return keyId.equals(owner.keyId());
    }

    /** Returns whether this caller may see agents of other owners (RFC-0016, Security Considerations). */
    public boolean mayListAgents() {
        return role != Role.AGENT;
    }

    /** Returns whether this caller may do more than read. */
    public boolean mayChange() {
        return role != Role.VIEWER;
    }

    /**
     * Returns whether this caller may see all agents of a role, and everything that belongs to them.
     *
     * @param roleId the role; empty for agents without a role
     */
    public boolean maySeeRole(String roleId) {
        return mayListAgents() && (roleIds.isEmpty() || roleIds.contains(roleId));
    }

    /**
     * Returns whether this caller may see an agent and, unless it only reads, act on it. It must have registered the agent, coordinate or view its
     * role, or be an administrator.
     *
     * @param roleId the agent's role; empty without a role
     */
    public boolean mayActOn(Owner owner, String roleId) {
        return maySeeRole(roleId) || owns(owner);
    }
}
