package dev.agenthealth.model.identity;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Who makes a request, as far as its key or token says.
 *
 * @param keyId id of the key, or of the holder of the token; unlike both, it may be shown
 * @param kind whether it is a key or a token
 * @param name of the key, the person or the workload, for people; possibly empty
 * @param role what the caller may do
 * @param roleIds the agent roles a coordinator or viewer is limited to; empty for all
 * @param credential as the rows of its agents carry it: hash of the key's newest secret, {@link KeyHash#ofLimitedKey} if the key has limits, or
 *     hash of the token
 * @param endsAt when the key or token ends; empty if it has no end
 * @param limits what limits a key beyond its role
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

    /** Returns the holder of a key without an end. */
    public static Caller ofKey(String keyId, String name, Role role, Set<String> roleIds, KeyHash credential) {
        return new Caller(keyId, CallerKind.KEY, name, role, roleIds, credential, Optional.empty(), KeyLimits.NONE);
    }

    /** Returns an owner of workloads, whose tokens change. */
    public static Caller ofWorkloads(String keyId) {
        return new Caller(
                keyId, CallerKind.WORKLOAD, "", Role.AGENT, Set.of(), KeyHash.NONE, Optional.empty(), KeyLimits.NONE);
    }

    /** Returns the holder of the same key with these limits. */
    public Caller limitedTo(KeyLimits newLimits) {
        return new Caller(keyId, kind, name, role, roleIds, credential, newLimits.expiresAt(), newLimits);
    }

    /** This caller if it acts for its own agents only. */
    public Caller asAgent() {
        return new Caller(keyId, kind, name, Role.AGENT, Set.of(), credential, endsAt, limits);
    }

    /** This caller's key as the owner of what it registers. */
    public Owner asOwner() {
        return new Owner(keyId, credential);
    }

    /** Returns whether this caller holds the administrator's rights. */
    public boolean isAdministrator() {
        return role == Role.ADMINISTRATOR;
    }

    /** Returns whether this caller's key is this owner, with whichever of its secrets. */
    public boolean owns(Owner owner) {
        return keyId.equals(owner.keyId());
    }

    /** Returns whether this caller may see agents it does not own (RFC-0016, Security Considerations). */
    public boolean mayListAgents() {
        return role != Role.AGENT;
    }

    /** Returns whether this caller may do more than read. */
    public boolean mayChange() {
        return role != Role.VIEWER;
    }

    /**
     * Returns whether this caller may see all agents of a role, and what belongs to them.
     *
     * @param roleId empty for agents without a role
     */
    public boolean maySeeRole(String roleId) {
        return mayListAgents() && (roleIds.isEmpty() || roleIds.contains(roleId));
    }

    /**
     * Returns whether this caller may see an agent and, unless it only reads, act on it: it registered the agent, coordinates or views its role, or
     * is an administrator.
     *
     * @param roleId the agent's role; empty for none
     */
    public boolean mayActOn(Owner owner, String roleId) {
        return maySeeRole(roleId) || owns(owner);
    }
}
