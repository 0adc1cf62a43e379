package dev.agenthealth.functions.registry;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.InstanceRule;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Restarts;
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
import java.util.Optional;

/** Reads the bodies of registrations. Checks the fields, and what the caller may declare. Thread-safe. */
final class RegistrationReader {

    private final RegistrationOwners owners;
    private final RegistrationLookup lookup;
    private final WatchCheck watches;
    private final DefaultWindow defaultWindow;
    private final Clock clock;

    RegistrationReader(
            RegistrationOwners owners,
            RegistrationLookup lookup,
            WatchCheck watches,
            DefaultWindow defaultWindow,
            Clock clock) {
        this.owners = owners;
        this.lookup = lookup;
        this.watches = watches;
        this.defaultWindow = defaultWindow;
        this.clock = clock;
    }

    /**
     * A registration as it was received.
     *
     * @param found the stored state, which was read for the defaults of the role; empty if the registration names no role
     */
    record Received(RegistrationRequest request, Optional<RegistrationLookup.Found> found) {}

    /**
     * Returns the registration in a body.
     *
     * @param author the author for the audit log; empty for no entry
     * @throws ApiError 400 for an invalid body; 403 if the caller names the owner or the role of other callers
     */
    Received read(Caller caller, Optional<Author> author, Fields body) {
        Instant now = clock.instant();
        String chosen = body.id("agent_id");
        if (Ids.isReserved(chosen)) {
            body.refuse("agent_id", "must not be '" + chosen + "', which is a reserved word");
        }
        String agentId = chosen.isEmpty() ? "agent_" + UlidCreator.getUlid(now.toEpochMilli()) : chosen;
        Optional<Owner> named = owners.named(caller, body);
        String roleId = body.id("role_id");
        Optional<RegistrationLookup.Found> found = roleId.isEmpty()
                ? Optional.empty()
                : Optional.of(lookup.find(agentId, roleId, RegistrationOwners.expectedKeyId(caller, named)));
        GroupStore.Role role = found.map(RegistrationLookup.Found::role).orElse(GroupStore.Role.NONE);
        boolean replace = body.flag("replace", false);
        Instant startedAt = body.timestamp("started_at")
                .map(reported -> ProcessStart.accepted(reported, now))
                .orElse(ProcessStart.UNKNOWN);
        String instance = body.textOrEmpty(AgentRecordJson.INSTANCE, InstanceRule.MAX_LENGTH);
        ProfilePatch declared = new ProfilePatch(body, role.defaults(), now);
        RegistrationHistory history =
                new RegistrationHistory(now, ProcessStart.atMost(startedAt, now), Restarts.NONE, instance);
        AgentProfile undeclared = undeclared(agentId, roleId, role.defaults(), history);
        AgentProfile read = declared.applyTo(undeclared);
        watches.check(undeclared, read, caller, body);
        if (replace) {
            ServerFields.accept(body);
        }
        body.refuseUnknown();
        if (body.errorCount() > 0 && caller.isAdministrator()) {
            // The owner is otherwise decided with the stored state, which a bad request does not reach.
            owners.require(caller, chosen.isEmpty() ? Optional.empty() : lookup.owner(chosen), body);
        }
        body.check();
        if (named.filter(owner -> !caller.isAdministrator() && !caller.owns(owner))
                .isPresent()) {
            throw ApiError.forbidden("Only an administrator registers agents for another key.");
        }
        if (caller.mayListAgents() && !caller.maySeeRole(roleId)) {
            throw ApiError.forbidden("This coordinator may not register agents of role '" + roleId + "'.");
        }
        AgentProfile profile = read.with(defaultWindow.into(read.basis()));
        RegistrationRequest request = new RegistrationRequest(
                new RegistrationRequest.Sender(caller, author, named),
                declared,
                profile,
                role,
                replace,
                startedAt,
                now);
        return new Received(request, found);
    }

    /** Returns the profile of an agent that declares nothing. */
    static AgentProfile undeclared(String agentId, String roleId, RoleDefaults role, RegistrationHistory history) {
        return new AgentProfile(
                agentId,
                roleId,
                Description.NONE,
                new AgentInterface(
                        AgentKind.DEFAULT, role.capabilities(), "", A2aProtocol.DEFAULT, false, history.registeredAt()),
                role.maxConcurrentTasks(),
                role.heartbeat(),
                Watch.NONE,
                MeasurementBasis.NONE,
                history);
    }
}
