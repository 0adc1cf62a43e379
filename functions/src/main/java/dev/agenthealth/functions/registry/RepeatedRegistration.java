package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.EndedBy;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Instant;
import java.util.Optional;

/**
 * Registers known ids again (RFC-0016 §3.3). A live agent is replaced: its incarnation ends, and so do its leases. An agent that has ended
 * begins a new incarnation. Thread-safe.
 */
final class RepeatedRegistration {

    private final RegistrationOwners owners;
    private final AgentQuota quota;
    private final ContinuedProfiles profiles;
    private final InstanceTakeOver takeOver;
    private final RegistrationWrites writes;
    private final LeaseCleanUp leaseCleanUp;
    private final Log log;

    RepeatedRegistration(
            RegistrationOwners owners,
            AgentQuota quota,
            ContinuedProfiles profiles,
            InstanceTakeOver takeOver,
            RegistrationWrites writes,
            LeaseCleanUp leaseCleanUp,
            Log log) {
        this.owners = owners;
        this.quota = quota;
        this.profiles = profiles;
        this.takeOver = takeOver;
        this.writes = writes;
        this.leaseCleanUp = leaseCleanUp;
        this.log = log;
    }

    /**
     * Returns the registered agent; empty if the agent changed meanwhile.
     *
     * @param previous the found agent
     * @throws ApiError 400 if an administrator names no owner; 403 if another key owns the id, the provider is not granted, or the owner
     *     has too many watched agents; 409 if the id is in use without {@code replace}, runs as another instance that still sends
     *     heartbeats, or is being erased
     */
    Optional<StoredAgent> write(RegistrationRequest request, StoredAgent previous, RegistrationLookup.Found found) {
        Instant now = request.now();
        Pulse before = previous.pulse();
        boolean live = !before.status().hasEnded();
        checkMayRegister(request, previous);
        boolean afterHeartbeats = live && previous.hasProfile() && takeOver.restsOnHeartbeats(request, previous);
        Owner owner = owners.of(request.sender(), before.owner());
        ContinuedProfiles.Continued continued = profiles.of(
                request, previous, owners.withProvider(request.profile(), owner, found), owner.keyId(), found);
        AgentProfile profile = continued.profile();
        quota.check(owner, previous, profile, now);
        EndedBy by = request.sender().caller().owns(before.owner()) ? EndedBy.OWNER : EndedBy.OPERATOR;
        Pulse left = live ? RegistrationRule.replaced(before, now).ended(by, LifecycleReason.DEREGISTERED) : before;
        Coordination coordination = request.coordination()
                .withBlockedUntil(continued.block().orElse(Block.NONE).noted())
                .stoppedBy(continued.stop().map(Stop::reason))
                .limitedBy(continued.usedUp());
        Pulse registered = RegistrationRule.again(
                        left, profile.heartbeatConfig(), profile.maxConcurrentTasks(), coordination, owner, now)
                .withIncarnation(request.sender().incarnationAfter(before))
                .started(request.startedAt());
        Optional<Transition> end = Optional.of(Transition.now(before, left, LifecycleReason.DEREGISTERED, now))
                .filter(change -> live);
        Transition registration = Transition.now(left, registered, LifecycleReason.RE_REGISTERED, now);
        StoredAgent after = previous.with(continued.model().counted(registered), profile);
        if (!writes.of(request, Optional.of(previous), after)
                .registerAgain(
                        previous, end, registration, profile, continued.model(), afterHeartbeats, continued.block())) {
            return Optional.empty();
        }
        quota.changed(owner, previous, profile, now);
        if (live) {
            expireLeases(registered, now);
        }
        return Optional.of(after);
    }

    private void checkMayRegister(RegistrationRequest request, StoredAgent previous) {
        Caller caller = request.sender().caller();
        Pulse before = previous.pulse();
        if (!before.status().hasEnded() && !request.replace()) {
            if (caller.owns(before.owner())) {
                writes.repeatGroupNames(previous.profile());
            }
            throw ApiError.conflict(
                    "agent_exists",
                    "Agent '" + before.agentId() + "' is " + before.status().wireName()
                            + ". If its process was restarted, register it with \"replace\": true and the key that owns it."
                            + " Otherwise drain or deregister it first, or register under another agent_id.");
        }
        if (!caller.owns(before.owner()) && !caller.isAdministrator()) {
            throw ApiError.forbidden("Agent '" + before.agentId() + "' is owned by another key.");
        }
    }

    /** Ends the leases that fit into one transaction. The sweep ends the rest. */
    private void expireLeases(Pulse registered, Instant now) {
        try {
            leaseCleanUp.begin(registered, now);
        } catch (StorageBusyException e) {
            // The agent is registered. A repeated request would replace it again.
            log.failure("lease_clean_up_postponed", registered.agentId(), e);
        }
    }
}
