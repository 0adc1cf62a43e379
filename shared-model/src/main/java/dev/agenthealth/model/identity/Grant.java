package dev.agenthealth.model.identity;

import java.util.Set;

/**
 * The rights of the holders of tokens with a claim.
 *
 * @param claim the name of a claim, a path of names with dots between, or {@link #EMAIL_DOMAIN}
 * @param value the value of the claim, or of one of its elements; an asterisk stands for any characters
 * @param role what the holders may do
 * @param roleIds the agent roles that a coordinator or viewer is limited to; empty for all
 * @param owner of the agents that the holders register, which are workloads; empty for people
 * @param providerIds the providers that these agents may name
 */
public record Grant(String claim, String value, Role role, Set<String> roleIds, String owner, Set<String> providerIds) {

    /** In place of a claim: the domain of {@code email}, if {@code email_verified} is true. */
    public static final String EMAIL_DOMAIN = "email_domain";

    /** The maximum length of an owner: the row of an agent, which names its owner, stays below a kilobyte. */
    public static final int MAX_OWNER = 30;

    /** The beginning of the ids of people. */
    public static final String PERSON = "person_";

    /** The beginning of the ids of owners of workloads. */
    public static final String WORKLOAD = "workload_";

    public Grant {
        roleIds = Set.copyOf(roleIds);
        providerIds = Set.copyOf(providerIds);
    }

    /** Returns whether the holders are agents and not people. */
    public boolean isOfWorkloads() {
        return role == Role.AGENT;
    }

    /** Returns the id by which the holders own agents, in place of the id of a key. */
    public String ownerKeyId() {
        return WORKLOAD + owner;
    }
}
