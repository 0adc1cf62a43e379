package dev.agenthealth.functions.registry;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.leases.LeaseCleanUp;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.ErasureStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.RegistrationSettings;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.lifecycle.Coordination;
import dev.agenthealth.model.lifecycle.LifecycleReason;
import dev.agenthealth.model.lifecycle.PendingDrain;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Transition;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.workflow.RoleDefaults;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Registers agents, for the first time or again (RFC-0016 §3). Thread-safe. */
public final class Registration {

    private static final String OWNER_KEY_ID = "owner_key_id";

    private final AgentStore agents;
    private final GroupStore groups;
    private final GroupNames groupNames;
    private final ErasureStore erasures;
    private final BlockedProviders blockedProviders;
    private final LeaseCleanUp leaseCleanUp;
    private final DefaultWindow defaultWindow;
    private final AgentQuota quota;
    private final Authenticator authenticator;
    private final Clock clock;
    private final Log log;

    private Registration(
            Stores stores,
            DefaultWindow defaultWindow,
            AgentQuota quota,
            Authenticator authenticator,
            Clock clock,
            Log log) {
        this.agents = stores.agents();
        this.groups = stores.groups();
        this.groupNames = new GroupNames(groups, log);
        this.erasures = stores.erasures();
        this.blockedProviders = new BlockedProviders(stores.blocks());
        this.leaseCleanUp = new LeaseCleanUp(stores.leases());
        this.defaultWindow = defaultWindow;
        this.quota = quota;
        this.authenticator = authenticator;
        this.clock = clock;
        this.log = log;
    }

    /** Registers agents in these stores. */
    public static Registration in(Stores stores, Authenticator authenticator, Clock clock, Log log) {
        CachedConfiguration<RegistrationSettings> settings = stores.registrationSettings();
        return new Registration(
                stores, new DefaultWindow(settings), new AgentQuota(settings), authenticator, clock, log);
    }

    /**
     * Registers the agent in the body.
     *
     * @throws Problem 400 for an invalid body and for an administrator that names no owner, 409 where the id is in use (§3.3) and is not to
     *     be replaced, 403 where another key owns it, where the provider is not granted, and for a new id of a key that has too many live
     *     agents
     */
    public StoredAgent register(Caller caller, Fields body) {
        Instant now = clock.instant();
        String chosen = body.id("agent_id");
        if (Ids.isReserved(chosen)) {
            body.refuse("agent_id", "must not be '" + chosen + "', which is a reserved word");
        }
        String agentId = chosen.isEmpty() ? "agent_" + UlidCreator.getUlid(now.toEpochMilli()) : chosen;
        Optional<Owner> named = namedOwner(caller, body);
        String roleId = body.id("role_id");
        GroupStore.Role role = roleId.isEmpty() ? GroupStore.Role.NONE : groups.role(roleId);
        boolean replace = body.flag("replace", false);
        AgentProfile declared = ProfileFields.registration(body, agentId, role.defaults(), now);
        body.refuseUnknown();
        body.check();
        if (named.filter(owner -> !caller.isAdministrator() && !caller.owns(owner))
                .isPresent()) {
            throw Problem.forbidden("Only an administrator registers agents for another key.");
        }
        if (caller.mayListAgents() && !caller.maySeeRole(declared.roleId())) {
            throw Problem.forbidden("This coordinator may not register agents of role '" + declared.roleId() + "'.");
        }
        AgentProfile profile = defaultWindow.into(declared);
        return Attempts.untilPresent(() -> write(caller, named, profile, role, replace, now));
    }

    /** Returns empty where the id was changed meanwhile. */
    private Optional<StoredAgent> write(
            Caller caller,
            Optional<Owner> named,
            AgentProfile profile,
            GroupStore.Role role,
            boolean replace,
            Instant now) {
        Optional<StoredAgent> previous = agents.findToRegister(profile.agentId());
        if (previous.isEmpty()) {
            Owner owner = owner(caller, named, Owner.NONE);
            quota.check(owner);
            AgentProfile granted = GrantedProviders.apply(profile, authenticator.providers(owner));
            Pulse pulse = Pulse.first(
                    profile.agentId(),
                    profile.heartbeatConfig(),
                    profile.maxConcurrentTasks(),
                    coordination(role.defaults(), profile),
                    owner,
                    now);
            Transition registration = Transition.now(pulse, pulse, LifecycleReason.REGISTERED, now);
            groupNames.note(granted, role);
            return agents.register(registration, granted)
                    ? Optional.of(new StoredAgent(pulse, granted, List.of(), false, 1))
                    : Optional.empty();
        }
        return writeAgain(caller, named, previous.get(), profile, role, replace, now);
    }

    private Optional<StoredAgent> writeAgain(
            Caller caller,
            Optional<Owner> named,
            StoredAgent previous,
            AgentProfile profile,
            GroupStore.Role role,
            boolean replace,
            Instant now) {
        Pulse before = previous.pulse();
        boolean live = !before.status().isGone();
        if (live && !replace) {
            if (caller.owns(before.owner())) {
                // The request may repeat one for which storage was too busy to note the names.
                groupNames.note(previous.profile(), GroupStore.Role.NONE);
            }
            throw Problem.conflict(
                    "agent_exists",
                    "Agent '" + before.agentId() + "' is " + before.status().wireName()
                            + ". If its process was restarted, register it with \"replace\": true and the key that owns it."
                            + " Otherwise drain or deregister it first, or register under another agent_id.");
        }
        if (!caller.owns(before.owner()) && !caller.isAdministrator()) {
            throw Problem.forbidden("Agent '" + before.agentId() + "' is owned by another key.");
        }
        Owner owner = owner(caller, named, before.owner());
        AgentProfile granted = GrantedProviders.apply(profile, authenticator.providers(owner));
        Pulse left = live ? before.replaced(now) : before;
        Pulse reborn = left.reRegistered(
                profile.heartbeatConfig(),
                profile.maxConcurrentTasks(),
                coordination(role.defaults(), profile),
                owner,
                now);
        if (previous.hasProfile()) {
            blockedProviders.checkMayLeave(caller, previous.profile(), granted);
        } else {
            refuseWhileErased(before.agentId());
        }
        AgentProfile known = previous.hasProfile() ? granted.succeeding(previous.profile(), now) : granted;
        Transition registration = Transition.now(left, reborn, LifecycleReason.RE_REGISTERED, now);
        Optional<Transition> end = Optional.of(Transition.now(before, left, LifecycleReason.DEREGISTERED, now))
                .filter(change -> live);
        groupNames.note(known, role);
        if (!agents.registerAgain(previous, end, registration, known)) {
            return Optional.empty();
        }
        if (live) {
            expireLeases(reborn, now);
        }
        return Optional.of(previous.with(reborn, known));
    }

    /** Ends the leases that fit into one transaction; the sweep ends the rest. */
    private void expireLeases(Pulse reborn, Instant now) {
        try {
            leaseCleanUp.begin(reborn, now);
        } catch (StorageBusyException e) {
            // The agent is registered, and a repeated request would replace it once more.
            log.failure("lease_clean_up_postponed", reborn.agentId(), e);
        }
    }

    /** The erasure could delete new items with the old ones. */
    private void refuseWhileErased(String agentId) {
        if (erasures.find(agentId).filter(erasure -> !erasure.done()).isPresent()) {
            throw Problem.conflict("agent_being_erased", "Agent '" + agentId + "' is being erased.");
        }
    }

    private Optional<Owner> namedOwner(Caller caller, Fields body) {
        String keyId = body.id(OWNER_KEY_ID);
        if (keyId.isEmpty() || !caller.isAdministrator()) {
            return keyId.isEmpty() ? Optional.empty() : Optional.of(new Owner(keyId, KeyHash.NONE));
        }
        Optional<Owner> owner = authenticator.owner(keyId);
        if (owner.isEmpty()) {
            body.refuse(OWNER_KEY_ID, "must be the id of a key in force that may register agents");
        }
        return owner;
    }

    /**
     * The owner of a registration: the key that is named, else the caller's. An administrator's own key never becomes an owner without
     * being named: the owner before stays while its key is in force.
     */
    private Owner owner(Caller caller, Optional<Owner> named, Owner before) {
        if (!caller.isAdministrator()) {
            return caller.asOwner();
        }
        return named.or(() -> before.equals(Owner.NONE) ? Optional.empty() : authenticator.owner(before.keyId()))
                .orElseThrow(() -> Problem.invalid(List.of(new FieldError(
                        OWNER_KEY_ID, "is required of an administrator: the id of the key that owns the agent"))));
    }

    private static Coordination coordination(RoleDefaults role, AgentProfile profile) {
        return new Coordination(GroupNumber.of(profile.roleId()), role.drainTimeout(), PendingDrain.NONE);
    }
}
