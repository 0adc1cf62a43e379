package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
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
import dev.agenthealth.model.registry.usage.LimitHolder;
import java.time.Instant;
import java.util.List;
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
     * @param movedIncarnation the number of the registration in the registry from which the agent moves; {@link #NOT_MOVED} if it does not move
     */
    record Sender(Caller caller, Optional<Author> author, Optional<Owner> named, long movedIncarnation) {

        /** Precedes the number of every registration. */
        static final long NOT_MOVED = 0;

        /** Creates the sender of a registration that continues no other registry. */
        Sender(Caller caller, Optional<Author> author, Optional<Owner> named) {
            this(caller, author, named, NOT_MOVED);
        }

        /**
         * Returns the number of a registration after a registration that ended. An agent that moves takes the number of an earlier import again
         * if no heartbeat named it: the agent died here before its process came, and the process still names that number.
         *
         * @throws ApiError 409 if the sweep has not finished with the ended registration yet
         */
        long incarnationAfter(Pulse ended) {
            boolean takesAgain = movedIncarnation > NOT_MOVED && ended.heartbeatCount() == 0;
            if (!takesAgain) {
                return Math.max(ended.incarnation() + 1, movedIncarnation);
            }
            if (ended.incarnation() >= movedIncarnation && ended.cleanUp().isPending()) {
                throw ApiError.conflict(
                        "agent_ending", "The agent ended here a moment ago. Import it again in a minute.");
            }
            return Math.max(ended.incarnation(), movedIncarnation);
        }
    }

    /** Returns whether the process is the same as before. A process that registers again is no restart. */
    boolean isOfSameProcess(Pulse before) {
        return ProcessStart.isKnown(startedAt) && startedAt.equals(before.startedAt());
    }

    /** Returns the role and the owner whose limits the agent may share. A role without limits is left out. */
    List<LimitHolder> limitHolders(String ownerKeyId) {
        LimitHolder owner = LimitHolder.owner(ownerKeyId);
        return role.defaults().limits().isDeclared()
                ? List.of(owner, LimitHolder.role(profile.roleId()))
                : List.of(owner);
    }

    Coordination coordination() {
        return new Coordination(
                GroupNumber.of(profile.roleId()), role.defaults().drainTimeout(), PendingDrain.NONE, Instant.EPOCH);
    }
}
