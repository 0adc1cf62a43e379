package dev.agenthealth.model.identity;

import java.util.Set;

/**
 * The rights of tokens with a claim.
 *
 * @param claim the name of a claim, a path of names with dots between, or {@link #EMAIL_DOMAIN}
 * @param value the value of the claim, or of one of its elements; an asterisk stands for any characters
 * @param role the role of the holders
 * @param roleIds the agent roles to which a coordinator or viewer is limited; empty for all
 * @param owner the owner of the agents that workloads register; empty for people
 * @param providerIds the providers that these agents may name
 */
public record Grant(String claim, String value, Role role, Set<String> roleIds, String owner, Set<String> providerIds) {

    /** The name that replaces a claim: the domain of {@code email} counts if {@code email_verified} is true. */
    public static final String EMAIL_DOMAIN = "email_domain";

    /** The maximum length of an owner in characters. With it, the row of an agent, which names its owner, stays below a kilobyte. */
    public static final int MAX_OWNER = 30;

    /** The prefix of the ids of people. */
    public static final String PERSON = "person_";

    /** The prefix of the ids of owners of workloads. */
    public static final String WORKLOAD = "workload_";

    public Grant {
        roleIds = Set.copyOf(roleIds);
        providerIds = Set.copyOf(providerIds);
    }

    /** Returns whether the holders are agents and not people. */
    public boolean isOfWorkloads() {
        return role == Role.AGENT;
    }

    /** Returns the id that owns the agents of the holders, like the id of a key. */
    public String ownerKeyId() {
        return WORKLOAD + owner;
    }
}
