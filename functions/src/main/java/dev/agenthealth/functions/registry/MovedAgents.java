package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.access.NamedIncarnation;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.FieldErrors;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.RegistrationHistory;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Agents that move from one registry to another with what they declare. An agent that moves keeps its owner and the number of its registration, so
 * that its process goes on with heartbeats. Agents that are dead or deregistered do not move. Thread-safe.
 */
public final class MovedAgents {

    private final AgentStore agents;
    private final PulseStore pulses;
    private final GroupStore groups;
    private final Authenticator authenticator;
    private final WatchCheck watches;
    private final Registration registration;
    private final ProfileChanges changes;
    private final Clock clock;

    public MovedAgents(Wiring wiring, Database database, Authenticator authenticator) {
        this.agents = new AgentStore(database);
        this.pulses = new PulseStore(database);
        this.groups = new GroupStore(database);
        this.authenticator = authenticator;
        this.watches = new WatchCheck(wiring);
        this.registration = Registration.in(wiring, database, authenticator, wiring.log());
        this.changes = new ProfileChanges(wiring, database, new AgentAccess(agents), authenticator);
        this.clock = wiring.clock();
    }

    /**
     * An agent of another registry.
     *
     * @param profile what the agent declares
     * @param incarnation the number of its registration
     * @param obstacle the reason for which this registry cannot watch the agent; empty if it can
     */
    public record Moved(
            AgentProfile profile, String ownerKeyId, long incarnation, ProfilePatch declared, String obstacle) {

        public String agentId() {
            return profile.agentId();
        }

        public ObjectNode json() {
            return MovedAgentJson.of(profile, ownerKeyId, incarnation);
        }
    }

    /** Reads an agent, and records an error for each invalid field. Defaults of roles do not apply. Changes nothing. */
    public Moved read(Fields body) {
        Instant now = clock.instant();
        body.require("agent_id");
        body.require(AgentRecordJson.OWNER_KEY_ID);
        String agentId = body.id("agent_id");
        if (Ids.isReserved(agentId)) {
            body.refuse("agent_id", "must not be '" + agentId + "', which is a reserved word");
        }
        RegistrationHistory history = new RegistrationHistory(now, now, Restarts.NONE, "");
        AgentProfile undeclared =
                RegistrationReader.undeclared(agentId, body.id("role_id"), RoleDefaults.NONE, history);
        ProfilePatch declared = new ProfilePatch(body, RoleDefaults.NONE, now);
        AgentProfile profile = declared.applyTo(undeclared);
        long incarnation = Math.max(1, NamedIncarnation.in(body));
        String owner = body.id(AgentRecordJson.OWNER_KEY_ID);
        body.refuseUnknown();
        Fields watch = Fields.ofTree(Json.object(), new FieldErrors());
        watches.checkMoved(undeclared, profile, watch);
        String obstacle =
                watch.errorCount() > 0 ? ApiError.invalid(watch.errors()).line() : "";
        return new Moved(profile, owner, incarnation, declared, obstacle);
    }

    /**
     * Returns the present agent, if it is neither dead nor deregistered, in the form of {@link Moved#json}. It has the number of the moved
     * registration, unless the import raises the number.
     */
    public Optional<ObjectNode> find(Moved moved) {
        return live(moved)
                .map(agent -> MovedAgentJson.of(
                        agent.profile(),
                        agent.pulse().owner().keyId(),
                        raisesNumber(agent, moved) ? agent.pulse().incarnation() : moved.incarnation()));
    }

    private Optional<StoredAgent> live(Moved moved) {
        return agents.findWhole(moved.agentId())
                .filter(agent -> !agent.pulse().status().hasEnded());
    }

    /**
     * Returns whether the agent registered again in its registry after an earlier import. If its process already sends heartbeats to this
     * registry, the number of the registration here stays.
     */
    private static boolean raisesNumber(StoredAgent agent, Moved moved) {
        return agent.pulse().heartbeatCount() == 0 && agent.pulse().incarnation() < moved.incarnation();
    }

    /** Returns agents in the order of the table, in the form of {@link Moved#json}. */
    public ListPage<ObjectNode> page(String after, int limit) {
        PulseStore.Sequence read = pulses.inSequence(after, limit);
        List<PulseRow> rows = read.rows().stream()
                .filter(row -> !row.pulse().status().hasEnded())
                .toList();
        Map<String, AgentProfile> profiles = agents.wholeProfiles(
                rows.stream().map(row -> row.pulse().agentId()).toList());
        return new ListPage<>(
                rows.stream()
                        .filter(row -> profiles.containsKey(row.pulse().agentId()))
                        .map(row -> MovedAgentJson.of(
                                profiles.get(row.pulse().agentId()),
                                row.pulse().owner().keyId(),
                                row.pulse().incarnation()))
                        .toList(),
                read.readUpTo());
    }

    /**
     * Registers an agent, or replaces what a live agent declares. A live agent that registered again in its registry registers again here, so
     * that its process goes on.
     *
     * @throws ApiError 403 if the provider is not granted, or the key has too many agents; 409 if the key that owns the agent is not in force,
     *     or the agent is live with another owner or another role
     */
    public void write(Author author, Moved moved) {
        Owner owner = authenticator
                .owner(moved.ownerKeyId())
                .orElseThrow(() -> ApiError.conflict(
                        "owner_not_in_force",
                        "The key '" + moved.ownerKeyId() + "', which owns the agent, is not in force."));
        Instant now = clock.instant();
        OptimisticUpdates.untilDone(() -> {
            Optional<StoredAgent> live = live(moved);
            if (live.isPresent()) {
                changes.replace(author, sameOwnerAndRole(live.get(), moved), moved.profile(), now);
            }
            if (live.isEmpty() || raisesNumber(live.get(), moved)) {
                registration.register(request(author, moved, owner, live.isPresent(), now));
            }
            return true;
        });
    }

    private RegistrationRequest request(Author author, Moved moved, Owner owner, boolean replace, Instant now) {
        return new RegistrationRequest(
                new RegistrationRequest.Sender(
                        author.caller(), Optional.of(author), Optional.of(owner), moved.incarnation()),
                moved.declared(),
                moved.profile(),
                moved.profile().roleId().isEmpty()
                        ? GroupStore.Role.NONE
                        : groups.role(moved.profile().roleId()),
                replace,
                ProcessStart.UNKNOWN,
                now);
    }

    private static StoredAgent sameOwnerAndRole(StoredAgent agent, Moved moved) {
        if (!agent.pulse().owner().keyId().equals(moved.ownerKeyId())) {
            throw ApiError.conflict("other_owner", "The agent is live and belongs to another key.");
        }
        if (!agent.profile().roleId().equals(moved.profile().roleId())) {
            throw ApiError.conflict("other_role", "The agent is live in another role.");
        }
        return agent;
    }
}
