package dev.agenthealth.model.operations.silence;

import java.util.Set;

/**
 * The labels of an event or a problem that silences match.
 *
 * @param agentId the agent; empty if it is about none
 * @param roleId the role of the agent or of the pool; empty for none
 * @param ownerKeyId the id of the key that owns the agent; empty if it is unknown or there is no agent
 * @param capabilities of the agent; empty if they are unknown or there is no agent
 */
public record SilenceLabels(String agentId, String roleId, String ownerKeyId, Set<String> capabilities) {

    public SilenceLabels {
        capabilities = Set.copyOf(capabilities);
    }

    /** Returns the labels that an event carries itself. */
    public static SilenceLabels of(String agentId, String roleId) {
        return new SilenceLabels(agentId, roleId, "", Set.of());
    }
}
