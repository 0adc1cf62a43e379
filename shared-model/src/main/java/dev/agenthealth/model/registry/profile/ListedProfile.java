package dev.agenthealth.model.registry.profile;

import java.util.List;

/**
 * The part of a profile that lists of agents show and filter by.
 *
 * @param roleId the role; empty for none
 * @param name for people; empty for none
 * @param providerId the provider that runs the agent; empty for none
 * @param capabilities tags for discovery, without repeats, in the order given
 * @param kind what it is: an agent or an MCP server
 * @param inCatalogue whether the agent asked to be shown in the catalogue
 */
public record ListedProfile(
        String roleId, String name, String providerId, List<String> capabilities, AgentKind kind, boolean inCatalogue) {

    public ListedProfile {
        capabilities = List.copyOf(capabilities);
    }
}
