package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Preconditions;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Turns;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.registry.profile.ProfileField;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Changes profiles: {@code PATCH /api/v1/agents/{agent_id}}. Thread-safe. */
public final class ProfileChanges {

    private final Database database;
    private final DeclarationStore declarations;
    private final GroupNames groupNames;
    private final BlockedProviders blockedProviders;
    private final AgentAccess access;
    private final Authenticator authenticator;
    private final WatchCheck watches;
    private final AgentQuota quota;
    private final Clock clock;

    public ProfileChanges(Wiring wiring, Database database, AgentAccess access, Authenticator authenticator) {
        this.authenticator = authenticator;
        this.database = database;
        this.declarations = new DeclarationStore(database);
        this.groupNames = new GroupNames(new GroupStore(database), wiring.log());
        this.blockedProviders = new BlockedProviders(new BlockStore(database));
        this.access = access;
        this.watches = new WatchCheck(wiring);
        this.quota = AgentQuota.in(wiring, database);
        this.clock = wiring.clock();
    }

    /**
     * Applies the change in the body: absent fields stay, null clears a field. If the body changes nothing, the version stays, for example
     * if the body is the record as read.
     *
     * @throws ApiError 400 for an invalid body; 403 if the caller may not make the change, the provider is not granted, or the key has too
     *     many watched agents; 409 if the agent is dead or deregistered; 412 and 428 about {@code If-Match}
     */
    public StoredAgent patch(Author author, String agentId, Preconditions preconditions, Supplier<Fields> fields) {
        return patch(author.caller(), Optional.of(author), agentId, preconditions, fields);
    }

    /** Applies a change from a source of agents, for the key that owns them. The audit log gets no entry. */
    public StoredAgent patch(Caller caller, String agentId, Preconditions preconditions, Supplier<Fields> fields) {
        return patch(caller, Optional.empty(), agentId, preconditions, fields);
    }

    private StoredAgent patch(
            Caller caller,
            Optional<Author> author,
            String agentId,
            Preconditions preconditions,
            Supplier<Fields> fields) {
        StoredAgent first = access.findWhole(caller, agentId);
        preconditions.requireIfMatch();
        Fields body = fields.get();
        Instant now = clock.instant();
        ProfilePatch patch = new ProfilePatch(body, RoleDefaults.NONE, now);
        return Turns.of(database)
                .in(
                        agentId,
                        () -> OptimisticUpdates.untilPresent(first, () -> access.findWhole(caller, agentId), agent -> {
                            AgentProfile before = agent.profile();
                            preconditions.check("agent", agent.pulse().version());
                            if (agent.pulse().status().hasEnded()) {
                                throw ApiError.conflict(
                                        "agent_gone",
                                        "Agent '" + agentId + "' is "
                                                + agent.pulse().status().wireName()
                                                + "; it states its profile when it registers again.");
                            }
                            AgentProfile changed = patch.applyTo(before);
                            AgentProfile declared = changed.with(changed.basis().replacing(before.basis(), now));
                            checkEditor(caller, agent, declared);
                            watches.check(before, changed, caller, body);
                            ServerFields.refuseChanges(body, agent);
                            body.refuseUnknown();
                            body.check();
                            return write(author, agent, declared, caller, now);
                        }));
    }

    /**
     * Replaces what an agent declares, as an import does.
     *
     * @throws ApiError 403 if the provider is not granted, or the key has too many watched agents; 409 if the agent is dead or deregistered
     */
    void replace(Author author, StoredAgent agent, AgentProfile wanted, Instant now) {
        AgentProfile before = agent.profile();
        AgentProfile changed = new AgentProfile(
                before.agentId(),
                before.roleId(),
                wanted.description(),
                wanted.agentInterface().replacing(before.agentInterface(), now),
                wanted.maxConcurrentTasks(),
                wanted.heartbeatConfig(),
                wanted.watch(),
                new MeasurementBasis(
                        wanted.basis().model(),
                        wanted.basis().expectations(),
                        before.basis().restartedAt()),
                before.history());
        OptimisticUpdates.untilPresent(
                agent,
                () -> access.findWhole(author.caller(), agent.pulse().agentId()),
                seen -> write(
                        Optional.of(author),
                        seen,
                        changed.with(changed.basis().replacing(seen.profile().basis(), now)),
                        author.caller(),
                        now));
    }

    /** Writes a profile. Returns the agent after the change, or as it was if nothing changes; empty if the agent changed since it was read. */
    private Optional<StoredAgent> write(
            Optional<Author> author, StoredAgent agent, AgentProfile declared, Caller caller, Instant now) {
        String agentId = agent.pulse().agentId();
        AgentProfile before = agent.profile();
        AgentProfile profile =
                declared.description().providerId().equals(before.description().providerId())
                        ? declared
                        : GrantedProviders.apply(
                                declared, authenticator.providers(agent.pulse().owner()));
        if (profile.equals(before)) {
            return Optional.of(agent);
        }
        quota.check(agent.pulse().owner(), agent, profile, now);
        blockedProviders.checkMayLeave(caller, before, profile);
        DeclarationChange model = declarations.ofModel(
                agentId, before.basis().model(), profile.basis().model(), now);
        Pulse after =
                model.counted(agent.pulse().reconfigured(profile.heartbeatConfig(), profile.maxConcurrentTasks()));
        if (!profile.description().providerId().equals(before.description().providerId())
                || !profile.description().platform().equals(before.description().platform())) {
            groupNames.note(profile, GroupStore.Role.NONE);
        }
        StoredAgent updated = agent.with(after, profile);
        AuditEntry entry = AuditedAgent.entry(author, "agent.updated", Optional.of(agent), updated);
        if (!AuditStore.recording(database, entry, AgentStore::new).changeProfile(agent, after, profile, model)) {
            return Optional.empty();
        }
        quota.changed(agent.pulse().owner(), agent, profile, now);
        return Optional.of(updated);
    }

    /**
     * Refuses a change of fields that only the agent's coordinators may change.
     *
     * @throws ApiError 403 naming the fields
     */
    private static void checkEditor(Caller caller, StoredAgent agent, AgentProfile after) {
        if (AgentAccess.mayCoordinate(caller, agent)) {
            return;
        }
        String refused = ProfileField.changed(agent.profile(), after).stream()
                .filter(field -> field.editors() == ProfileField.Editors.NAMED_COORDINATORS)
                .map(ProfileField::wireName)
                .collect(Collectors.joining(", "));
        if (!refused.isEmpty()) {
            throw ApiError.forbidden(
                    "Only the agent itself, the coordinators that it names and administrators may change " + refused
                            + " of '" + agent.pulse().agentId() + "'.");
        }
    }
}
