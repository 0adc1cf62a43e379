package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.profile.AgentProfile;

/** Notes the names of an agent's role, provider and platform once the agent is stored. Thread-safe. */
final class GroupNames {

    private final GroupStore groups;
    private final Log log;

    GroupNames(GroupStore groups, Log log) {
        this.groups = groups;
        this.log = log;
    }

    /**
     * Notes the names that are not noted yet. The request does not fail where storage is busy: mostly because many agents of a new group
     * start together, and another one notes its name.
     *
     * @param role what was known of the agent's role before it was stored
     */
    void note(AgentProfile stored, GroupStore.Role role) {
        try {
            groups.note(stored, role);
        } catch (StorageBusyException e) {
            log.failure("group_names_not_noted", stored.agentId(), e);
        }
    }
}
