package dev.agenthealth.functions.registry;

import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DRAINING;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.NamedIncarnation;
import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Preconditions;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Turns;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.EndedBy;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LifecycleTransitions;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Transition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/** Changes statuses on request: drain and deregistration (RFC-0016 §5.1, §11). Thread-safe. */
public final class StatusChanges {

    private static final String AGENT_ID = "agent_id";

    /** The statuses that a request may set. The registry sets all others from life signs (RFC-0016 §11). */
    private static final Set<LifecycleStatus> REQUESTABLE = EnumSet.of(DRAINING, DEREGISTERED);

    private final Database database;
    private final AgentAccess access;
    private final LeaseCleanUp leaseCleanUp;
    private final Clock clock;

    public StatusChanges(Database database, Clock clock) {
        this.database = database;
        this.access = new AgentAccess(new AgentStore(database));
        this.leaseCleanUp = new LeaseCleanUp(new LeaseStore(database));
        this.clock = clock;
    }

    /**
     * Starts a drain, moves its deadline, or deregisters the agent, as the body says.
     *
     * @throws ApiError 400 for an unknown status; 409 for a transition that does not exist or cannot be requested; 410 for another
     *     incarnation than the current one; 412 and 428 about {@code If-Match}
     */
    public StoredAgent patch(Author author, String agentId, Preconditions preconditions, Supplier<Fields> fields) {
        return patch(author.caller(), Optional.of(author), agentId, preconditions, fields);
    }

    /** Changes the status as a source of agents says, for the key that owns them. The audit log gets no entry. */
    public StoredAgent patch(Caller caller, String agentId, Preconditions preconditions, Supplier<Fields> fields) {
        return patch(caller, Optional.empty(), agentId, preconditions, fields);
    }

    private StoredAgent patch(
            Caller caller,
            Optional<Author> author,
            String agentId,
            Preconditions preconditions,
            Supplier<Fields> fields) {
        StoredAgent first = access.findToCoordinate(caller, agentId);
        preconditions.requireIfMatch();
        Fields body = fields.get();
        body.require("status");
        Optional<LifecycleStatus> wanted = body.oneOf("status", LifecycleStatus.class);
        OptionalInt timeout =
                body.integer("drain_timeout_seconds", Drain.MIN_TIMEOUT_SECONDS, Drain.MAX_TIMEOUT_SECONDS);
        long incarnation = NamedIncarnation.in(body);
        body.refuseUnknown();
        if (body.errorCount() > 0 && wanted.filter(REQUESTABLE::contains).isEmpty()) {
            body.refuse("status", "must be draining or deregistered");
        }
        body.check();
        return Turns.of(database)
                .in(
                        agentId,
                        () -> OptimisticUpdates.untilPresent(
                                first, () -> access.findToCoordinate(caller, agentId), agent -> {
                                    NamedIncarnation.check(agent.pulse(), incarnation);
                                    preconditions.check("agent", agent.pulse().version());
                                    if (wanted.orElseThrow() == DRAINING
                                            && agent.pulse().status() == DRAINING) {
                                        return restarted(caller, author, agent, timeout);
                                    }
                                    Transition change = requested(
                                            caller, agent.pulse(), wanted.orElseThrow(), timeout, clock.instant());
                                    if (!write(author, agent, change)) {
                                        return Optional.empty();
                                    }
                                    releaseLeases(change.after());
                                    return Optional.of(agent.with(change.after()));
                                }));
    }

    /**
     * Returns the agent with a new deadline of its drain; empty if a concurrent write was faster. The timeout counts from now and is the
     * given one, or the timeout of the drain. The version increases for callers with {@code If-Match}. No event is published, because the
     * status stays.
     */
    private Optional<StoredAgent> restarted(
            Caller caller, Optional<Author> author, StoredAgent agent, OptionalInt timeout) {
        Pulse pulse = agent.pulse();
        Duration given = timeout.isPresent()
                ? Duration.ofSeconds(timeout.getAsInt())
                : pulse.drain().timeout();
        Pulse after = pulse.withDrainRestarted(given, caller.owns(pulse.owner()), clock.instant());
        return recording(author, agent, after).changeDrain(pulse, after)
                ? Optional.of(agent.with(after))
                : Optional.empty();
    }

    /**
     * {@code DELETE /api/v1/agents/{agent_id}}: deregisters the agent. Does nothing if it is deregistered. A process that names its {@code
     * incarnation} cannot deregister its successor.
     *
     * @throws ApiError 410 for another incarnation than the current one; 412 about {@code If-Match}, if it is sent
     */
    ApiResponse deregister(ApiRequest request) {
        String agentId = request.pathId(AGENT_ID);
        Fields query = request.queryFields();
        long incarnation = NamedIncarnation.in(query);
        query.check();
        OptimisticUpdates.untilDone(() -> {
            StoredAgent agent = access.findToCoordinate(request.caller(), agentId);
            NamedIncarnation.check(agent.pulse(), incarnation);
            if (agent.pulse().status() == DEREGISTERED) {
                // A retry with the version before the first request also succeeds (RFC 9110 §13.1.1).
                return true;
            }
            request.preconditions().check("agent", agent.pulse().version());
            Transition change = deregistered(request.caller(), agent.pulse(), clock.instant());
            boolean written = write(Optional.of(request.author()), agent, change);
            if (written) {
                releaseLeases(change.after());
            }
            return written;
        });
        return ApiResponse.noContent();
    }

    private boolean write(Optional<Author> author, StoredAgent agent, Transition change) {
        AgentStore agents = recording(author, agent, change.after());
        return agent.archived()
                ? agents.changeArchived(change, agent.profile())
                : agents.change(change, agent.profile());
    }

    private AgentStore recording(Optional<Author> author, StoredAgent agent, Pulse after) {
        AuditObject object = AuditObject.agent(after.agentId());
        AuditEntry entry = author.map(known ->
                        AuditEntry.of(known, "agent.status_changed", object, audited(agent.pulse()), audited(after)))
                .orElse(AuditEntry.NONE);
        return AuditStore.recording(database, entry, AgentStore::new);
    }

    private static ObjectNode audited(Pulse pulse) {
        ObjectNode json = Json.object().put("status", pulse.status().wireName());
        return pulse.drain().isUnderWay()
                ? json.put("drain_deadline", Timestamps.text(pulse.drain().deadline()))
                : json;
    }

    /** Ends the leases that fit into one transaction. The sweep ends the rest. */
    private void releaseLeases(Pulse pulse) {
        if (pulse.status().hasEnded()) {
            leaseCleanUp.begin(pulse, clock.instant());
        }
    }

    private static Transition requested(
            Caller caller, Pulse pulse, LifecycleStatus wanted, OptionalInt timeout, Instant now) {
        if (!REQUESTABLE.contains(wanted) || !LifecycleTransitions.allows(pulse.status(), wanted)) {
            throw ApiError.conflict(
                    "transition_not_allowed",
                    "An agent that is " + pulse.status().wireName() + " cannot be made " + wanted.wireName()
                            + " by request.");
        }
        if (wanted == DEREGISTERED) {
            return deregistered(caller, pulse, now);
        }
        Duration given = timeout.isPresent()
                ? Duration.ofSeconds(timeout.getAsInt())
                : pulse.coordination().timeoutOfNextDrain();
        return DrainRule.start(pulse, given, caller.keyId(), caller.owns(pulse.owner()), now);
    }

    private static Transition deregistered(Caller caller, Pulse pulse, Instant now) {
        EndedBy by = caller.owns(pulse.owner()) ? EndedBy.OWNER : EndedBy.OPERATOR;
        Pulse after = pulse.withStatus(DEREGISTERED, Drain.NONE, now).ended(by, LifecycleReason.DEREGISTERED);
        return Transition.now(pulse, after, LifecycleReason.DEREGISTERED, now);
    }
}
