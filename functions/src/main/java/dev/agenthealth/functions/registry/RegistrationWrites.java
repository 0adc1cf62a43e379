package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.storage.agents.RegistrationStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;

/**
 * Writes registrations. The names of the agent's groups are stored first, because a sweep may count the agent at once. The entry in the audit
 * log belongs to the transaction of the registration. Thread-safe.
 */
final class RegistrationWrites {

    private final Database database;
    private final GroupNames groupNames;

    RegistrationWrites(Database database, GroupNames groupNames) {
        this.database = database;
        this.groupNames = groupNames;
    }

    /** Stores the names of an agent's groups again. The request may be a retry after storage was too busy to store the names. */
    void repeatGroupNames(AgentProfile profile) {
        groupNames.note(profile, GroupStore.Role.NONE);
    }

    /** Stores the names of the agent's groups. Returns the store for the registration. */
    RegistrationStore of(RegistrationRequest request, Optional<StoredAgent> before, StoredAgent after) {
        groupNames.note(after.profile(), request.role());
        AuditEntry entry = AuditedAgent.entry(request.sender().author(), "agent.registered", before, after);
        return AuditStore.recording(database, entry, RegistrationStore::new);
    }
}
