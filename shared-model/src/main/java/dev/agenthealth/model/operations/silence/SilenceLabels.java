package dev.agenthealth.model.operations.silence;

import java.util.Set;

/**
 * The labels of an event or a problem by which silences match.
 *
 * @param agentId the agent; empty without an agent
 * @param roleId the role of the agent or of the pool; empty without a role
 * @param ownerKeyId the id of the key that owns the agent; empty if unknown
 * @param capabilities the capabilities of the agent; empty if unknown
 */
public record SilenceLabels(String agentId, String roleId, String ownerKeyId, Set<String> capabilities) {

    public SilenceLabels {
        capabilities = Set.copyOf(capabilities);
    }

    /** Returns the labels that an event itself has. */
    public static SilenceLabels of(String agentId, String roleId) {
        return new SilenceLabels(agentId, roleId, "", Set.of());
    }
}
