package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.registry.profile.AgentProfile;

/** Stores the names of an agent's role, provider and platform before a sweep can count the agent in these groups. Thread-safe. */
final class GroupNames {

    private final GroupStore groups;
    private final Log log;

    GroupNames(GroupStore groups, Log log) {
        this.groups = groups;
        this.log = log;
    }

    /**
     * Stores the names that are not stored yet. A request does not fail if storage is busy: usually many agents of a new group start
     * together, and another agent stores its name.
     *
     * @param role the stored state of the agent's role
     */
    void note(AgentProfile profile, GroupStore.Role role) {
        try {
            groups.note(profile, role);
        } catch (StorageBusyException e) {
            log.failure("group_names_not_noted", profile.agentId(), e);
        }
    }
}
