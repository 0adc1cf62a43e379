package dev.agenthealth.model.registry.profile;

import java.util.List;

/**
 * The part of a profile that lists of agents show and filter by.
 *
 * @param roleId the role; empty without a role
 * @param name the name for people; empty without a name
 * @param providerId the provider of the agent; empty without a provider
 * @param capabilities the tags for discovery, without repeats, in the given order
 * @param kind whether it is an agent or an MCP server
 * @param inCatalogue whether the agent asked to be shown in the catalogue
 */
public record ListedProfile(
        String roleId, String name, String providerId, List<String> capabilities, AgentKind kind, boolean inCatalogue) {

    public ListedProfile {
        capabilities = List.copyOf(capabilities);
    }
}
