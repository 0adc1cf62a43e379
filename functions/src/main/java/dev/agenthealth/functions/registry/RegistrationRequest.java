package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Instant;
import java.util.Optional;

/**
 * A received registration, whose body and rights are checked.
 *
 * @param sender who sends the registration
 * @param declared the declared fields of the profile
 * @param profile the profile for an id that is registered for the first time
 * @param role the stored state of the agent's role
 * @param replace whether to replace a live agent
 * @param startedAt when the process started, or {@link ProcessStart#UNKNOWN}
 */
record RegistrationRequest(
        Sender sender,
        ProfilePatch declared,
        AgentProfile profile,
        GroupStore.Role role,
        boolean replace,
        Instant startedAt,
        Instant now) {

    /**
     * The sender of a registration.
     *
     * @param author the author for the audit log; empty for no entry
     * @param named the owner that the caller names
     * @param leastIncarnation the least number of the registration: 1, or the number in the registry from which the agent moves
     */
    record Sender(Caller caller, Optional<Author> author, Optional<Owner> named, long leastIncarnation) {

        /** Creates the sender of a registration that continues no other registry. */
        Sender(Caller caller, Optional<Author> author, Optional<Owner> named) {
            this(caller, author, named, 1);
        }
    }

    /** Returns whether the process is the same as before. A process that registers again is no restart. */
    boolean isOfSameProcess(Pulse before) {
        return ProcessStart.isKnown(startedAt) && startedAt.equals(before.startedAt());
    }

    Coordination coordination() {
        return new Coordination(
                GroupNumber.of(profile.roleId()), role.defaults().drainTimeout(), PendingDrain.NONE, Instant.EPOCH);
    }
}
