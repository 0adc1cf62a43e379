package dev.agenthealth.functions.registry;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.ErasureStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.EndedBy;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import dev.agenthealth.model.registry.lifecycle.InstanceRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Description;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.RegistrationHistory;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Registers agents, for the first time or again (RFC-0016 §3). Thread-safe.
 *
 * <p>A registration stores the profile and the pulse of an agent in one transaction, together with its event. The profile has the agent's
 * declarations; absent fields get the defaults of the role. The pulse has what changes often: status, last heartbeat and incarnation. The
 * incarnation counts registrations, so that the registry can distinguish a process from its predecessor.
 *
 * <p>An id can be registered again. After death or deregistration, the owner simply registers it again. While the agent is live, the owner
 * has to send {@code "replace": true}, for example after a crash and restart of the process. The agent then gets a new incarnation, the
 * leases of the previous one end, and heartbeats of the previous incarnation get 410. If both processes name an instance, such as a host or
 * a pod, a new instance has to wait for the silence of the running one. Until then, it gets 409 with the time of the next attempt.
 *
 * <p>Each write depends on the agent as it was read. If a heartbeat, the sweep or another registration changes the agent meanwhile, the
 * registration reads it again and decides again.
 */
public final class Registration {

    private final Database database;
    private final AgentStore agents;
    private final DeclarationStore declarations;
    private final GroupStore groups;
    private final GroupNames groupNames;
    private final ErasureStore erasures;
    private final SweepStateStore sweep;
    private final BlockStore blocks;
    private final BlockedProviders blockedProviders;
    private final LeaseCleanUp leaseCleanUp;
    private final DefaultWindow defaultWindow;
    private final AgentQuota quota;
    private final Authenticator authenticator;
    private final WatchCheck watches;
    private final HeartbeatSchedule schedule;
    private final Clock clock;
    private final Log log;

    private Registration(
            Database database,
            DefaultWindow defaultWindow,
            AgentQuota quota,
            Authenticator authenticator,
            WatchCheck watches,
            HeartbeatSchedule schedule,
            Clock clock,
            Log log) {
        this.database = database;
        this.agents = new AgentStore(database);
        this.declarations = new DeclarationStore(database);
        this.groups = new GroupStore(database);
        this.groupNames = new GroupNames(groups, log);
        this.erasures = new ErasureStore(database);
        this.sweep = new SweepStateStore(database);
        this.blocks = new BlockStore(database);
        this.blockedProviders = new BlockedProviders(blocks);
        this.leaseCleanUp = new LeaseCleanUp(new LeaseStore(database));
        this.defaultWindow = defaultWindow;
        this.quota = quota;
        this.authenticator = authenticator;
        this.watches = watches;
        this.schedule = schedule;
        this.clock = clock;
        this.log = log;
    }

    /** Creates the service for this database, for registrations that name no instance. */
    public static Registration in(Wiring wiring, Database database, Authenticator authenticator, Log log) {
        return in(wiring, database, authenticator, log, HeartbeatSchedule.AS_DECLARED);
    }

    /**
     * Creates the service for this database.
     *
     * @param schedule the intervals of heartbeats that the deployment asks for
     */
    static Registration in(
            Wiring wiring, Database database, Authenticator authenticator, Log log, HeartbeatSchedule schedule) {
        CachedConfiguration settings = new CachedConfiguration(database);
        return new Registration(
                database,
                new DefaultWindow(settings),
                wiring.process().shared(AgentQuota.class, () -> new AgentQuota(settings, wiring.clock())),
                authenticator,
                new WatchCheck(wiring.environment()),
                schedule,
                wiring.clock(),
                log);
    }

    /**
     * Registers the agent in the body.
     *
     * @throws ApiError 400 for an invalid body, or if an administrator names no owner; 403 if another key owns the id, the provider is not
     *     granted, or the key has too many live or watched agents; 409 if the id is in use (§3.3) without {@code replace}, or runs as
     *     another instance that is not silent
     */
    public StoredAgent register(Author author, Fields body) {
        return register(request(author.caller(), Optional.of(author), body));
    }

    /** Registers the agent in the body without a request of its owner: its spans or a source named it. The audit log gets no entry. */
    public StoredAgent register(Caller caller, Fields body) {
        return register(request(caller, Optional.empty(), body));
    }

    private StoredAgent register(Request request) {
        String agentId = request.profile().agentId();
        return OptimisticUpdates.untilPresent(() -> {
            Optional<StoredAgent> previous = agents.findToRegister(agentId);
            return previous.isPresent() ? writeAgain(request, previous.get()) : writeFirst(request);
        });
    }

    /**
     * Checks the registration of a new agent, and writes nothing.
     *
     * @throws ApiError as {@link #register}, for errors in the body, the rights of the caller and its number of agents
     */
    public void check(Caller caller, Fields body) {
        Request request = request(caller, Optional.empty(), body);
        quota.check(owner(caller, request.named(), Owner.NONE), request.profile());
    }

    private Request request(Caller caller, Optional<Author> author, Fields body) {
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
        Instant startedAt = body.timestamp("started_at")
                .map(reported -> ProcessStart.accepted(reported, now))
                .orElse(ProcessStart.UNKNOWN);
        String instance = body.text(AgentRecordJson.INSTANCE, InstanceRule.MAX_LENGTH);
        ProfilePatch declared = new ProfilePatch(body, role.defaults(), now);
        RegistrationHistory history =
                new RegistrationHistory(now, ProcessStart.atMost(startedAt, now), Restarts.NONE, instance);
        AgentProfile undeclared = undeclared(agentId, roleId, role.defaults(), history, now);
        AgentProfile read = declared.applyTo(undeclared);
        watches.check(undeclared, read, caller, body);
        if (replace) {
            ServerFields.accept(body);
        }
        body.refuseUnknown();
        body.check();
        if (named.filter(owner -> !caller.isAdministrator() && !caller.owns(owner))
                .isPresent()) {
            throw ApiError.forbidden("Only an administrator registers agents for another key.");
        }
        if (caller.mayListAgents() && !caller.maySeeRole(roleId)) {
            throw ApiError.forbidden("This coordinator may not register agents of role '" + roleId + "'.");
        }
        AgentProfile profile = read.with(defaultWindow.into(read.basis()));
        return new Request(caller, author, named, declared, profile, role, replace, startedAt, now);
    }

    /**
     * A received registration.
     *
     * @param author the author for the audit log; empty for no entry
     * @param named the owner that the caller names
     * @param profile the profile for an id that is registered for the first time
     * @param role the stored state of the agent's role
     * @param replace whether to replace a live agent
     * @param startedAt when the process started, or {@link ProcessStart#UNKNOWN}
     */
    private record Request(
            Caller caller,
            Optional<Author> author,
            Optional<Owner> named,
            ProfilePatch declared,
            AgentProfile profile,
            GroupStore.Role role,
            boolean replace,
            Instant startedAt,
            Instant now) {

        /** Returns whether the process is the same as before. A process that registers again is no restart. */
        boolean isOfSameProcess(Pulse before) {
            return ProcessStart.isKnown(startedAt) && startedAt.equals(before.startedAt());
        }

        Coordination coordination() {
            return new Coordination(
                    GroupNumber.of(profile.roleId()), role.defaults().drainTimeout(), PendingDrain.NONE, Instant.EPOCH);
        }
    }

    private static AgentProfile undeclared(
            String agentId, String roleId, RoleDefaults role, RegistrationHistory history, Instant now) {
        return new AgentProfile(
                agentId,
                roleId,
                Description.NONE,
                new AgentInterface(AgentKind.DEFAULT, role.capabilities(), "", A2aProtocol.DEFAULT, false, now),
                role.maxConcurrentTasks(),
                role.heartbeat(),
                Watch.NONE,
                MeasurementBasis.NONE,
                history);
    }

    /** Returns the new agent; empty if the id was registered meanwhile. */
    private Optional<StoredAgent> writeFirst(Request request) {
        Owner owner = owner(request.caller(), request.named(), Owner.NONE);
        quota.check(owner, request.profile());
        AgentProfile profile = GrantedProviders.apply(request.profile(), authenticator.providers(owner));
        Block block = blocks.of(profile.agentId(), Set.of()).ofAgent();
        Pulse pulse = Pulse.first(
                        profile.agentId(),
                        profile.heartbeatConfig(),
                        profile.maxConcurrentTasks(),
                        request.coordination().withBlockedUntil(block.noted()),
                        owner,
                        request.now())
                .started(request.startedAt());
        groupNames.note(profile, request.role());
        StoredAgent registered = new StoredAgent(pulse, profile, List.of(), false, 1);
        if (!recording(request, Optional.empty(), registered)
                .register(Transition.now(pulse, pulse, LifecycleReason.REGISTERED, request.now()), profile, block)) {
            return Optional.empty();
        }
        quota.registered(owner);
        return Optional.of(registered);
    }

    /** Returns the registered agent; empty if the agent changed meanwhile. */
    private Optional<StoredAgent> writeAgain(Request request, StoredAgent previous) {
        Caller caller = request.caller();
        Instant now = request.now();
        Pulse before = previous.pulse();
        boolean live = !before.status().hasEnded();
        if (live && !request.replace()) {
            if (caller.owns(before.owner())) {
                // The request may be a retry after storage was too busy to store the names.
                groupNames.note(previous.profile(), GroupStore.Role.NONE);
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
        boolean afterHeartbeats = live && previous.hasProfile() && restsOnHeartbeats(request, previous);
        Owner owner = owner(caller, request.named(), before.owner());
        AgentProfile profile = GrantedProviders.apply(request.profile(), authenticator.providers(owner));
        DeclarationChange model = DeclarationChange.NONE;
        Optional<Block> block = Optional.empty();
        if (previous.hasProfile()) {
            blockedProviders.checkMayLeave(caller, previous.profile(), profile);
            profile = request.declared()
                    .keeping(previous.profile().basis(), profile)
                    .succeeding(previous.profile(), request.isOfSameProcess(before), now);
            model = declarations.ofModel(
                    before.agentId(),
                    previous.profile().basis().model(),
                    profile.basis().model(),
                    now);
        } else {
            refuseWhileErased(before.agentId());
            block = Optional.of(blocks.of(before.agentId(), Set.of()).ofAgent());
        }
        quota.check(owner, previous, profile, now);
        EndedBy by = caller.owns(before.owner()) ? EndedBy.OWNER : EndedBy.OPERATOR;
        Pulse left = live ? before.replaced(now).ended(by, LifecycleReason.DEREGISTERED) : before;
        Coordination coordination =
                request.coordination().withBlockedUntil(block.orElse(Block.NONE).noted());
        Pulse registered = left.reRegistered(
                        profile.heartbeatConfig(), profile.maxConcurrentTasks(), coordination, owner, now)
                .started(request.startedAt());
        Optional<Transition> end = Optional.of(Transition.now(before, left, LifecycleReason.DEREGISTERED, now))
                .filter(change -> live);
        groupNames.note(profile, request.role());
        Transition registration = Transition.now(left, registered, LifecycleReason.RE_REGISTERED, now);
        StoredAgent after = previous.with(model.counted(registered), profile);
        if (!recording(request, Optional.of(previous), after)
                .registerAgain(previous, end, registration, profile, model, afterHeartbeats, block)) {
            return Optional.empty();
        }
        if (live) {
            expireLeases(registered, now);
        }
        return Optional.of(after);
    }

    /**
     * Returns whether the write depends on the last heartbeat of a process that may run elsewhere.
     *
     * @throws ApiError 409 if that process is not silent
     */
    private boolean restsOnHeartbeats(Request request, StoredAgent previous) {
        Pulse live = previous.pulse();
        String running = previous.profile().history().instance();
        String registering = request.profile().history().instance();
        if (!InstanceRule.needsSilence(live, running, registering)) {
            // Between the read and the write, that process may send a heartbeat.
            return InstanceRule.mayRunElsewhere(live, running, registering);
        }
        Instant from = sweep.current().silenceFrom(request.now());
        if (!InstanceRule.isSilent(live, schedule, from, request.now())) {
            String heardAt = Timestamps.text(live.lastHeartbeatAt());
            throw ApiError.passingConflict(
                            "agent_already_running",
                            "Agent '" + live.agentId() + "' runs as instance '" + running
                                    + "', whose last heartbeat came at "
                                    + heardAt
                                    + ". Another instance takes over as soon as that one is deregistered or has"
                                    + " been silent for two intervals of its heartbeats.",
                            InstanceRule.retryAfter(live, schedule, from, request.now()))
                    .with("running_instance", running)
                    .with("last_heartbeat_at", heardAt);
        }
        return true;
    }

    private AgentStore recording(Request request, Optional<StoredAgent> before, StoredAgent after) {
        AuditEntry entry = AuditedAgent.entry(request.author(), "agent.registered", before, after);
        return AuditStore.recording(database, entry, AgentStore::new);
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

    /** Refuses a registration during the erasure of the id, which could delete new items together with the old ones. */
    private void refuseWhileErased(String agentId) {
        if (erasures.find(agentId).filter(erasure -> !erasure.done()).isPresent()) {
            throw ApiError.conflict("agent_being_erased", "Agent '" + agentId + "' is being erased.");
        }
    }

    private Optional<Owner> namedOwner(Caller caller, Fields body) {
        String keyId = body.id(AgentRecordJson.OWNER_KEY_ID);
        if (keyId.isEmpty() || !caller.isAdministrator()) {
            return keyId.isEmpty() ? Optional.empty() : Optional.of(new Owner(keyId, KeyHash.NONE));
        }
        Optional<Owner> owner = authenticator.owner(keyId);
        if (owner.isEmpty()) {
            body.refuse(AgentRecordJson.OWNER_KEY_ID, "must be the id of a key in force that may register agents");
        }
        return owner;
    }

    /**
     * Returns the owner of a registration: the named key, otherwise the caller's key. An administrator's own key becomes an owner only if
     * it is named; otherwise the previous owner stays while its key is in force.
     */
    private Owner owner(Caller caller, Optional<Owner> named, Owner before) {
        if (!caller.isAdministrator()) {
            return caller.asOwner();
        }
        return named.or(() -> before.equals(Owner.NONE) ? Optional.empty() : authenticator.owner(before.keyId()))
                .orElseThrow(() -> ApiError.invalid(List.of(new FieldError(
                        AgentRecordJson.OWNER_KEY_ID,
                        "is required of an administrator: the id of the key that owns the agent"))));
    }
}
