package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.ErasureStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.declarations.DeclarationStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Turns;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

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
 * a pod, a new instance has to wait until the running instance sends no more heartbeats. Until then, the new instance gets 409 with the
 * time of the next attempt.
 *
 * <p>Each write depends on the agent as it was read. If a heartbeat, the sweep or another registration changes the agent meanwhile, the
 * registration reads it again and decides again. Registrations of one agent in one process take {@link Turns}.
 *
 * <p>{@link RegistrationReader} reads the body. {@link FirstRegistration} writes an unknown id, and {@link RepeatedRegistration} writes a
 * known one.
 */
public final class Registration {

    private final RegistrationLookup lookup;
    private final RegistrationReader reader;
    private final FirstRegistration first;
    private final RepeatedRegistration repeated;
    private final Turns turns;

    private Registration(
            RegistrationLookup lookup,
            RegistrationReader reader,
            FirstRegistration first,
            RepeatedRegistration repeated,
            Turns turns) {
        this.lookup = lookup;
        this.reader = reader;
        this.first = first;
        this.repeated = repeated;
        this.turns = turns;
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
        AgentQuota quota = AgentQuota.in(wiring, database);
        RegistrationOwners owners = new RegistrationOwners(authenticator);
        RegistrationLookup lookup = new RegistrationLookup(database);
        BlockStore blocks = new BlockStore(database);
        RegistrationWrites writes = new RegistrationWrites(database, new GroupNames(new GroupStore(database), log));
        return new Registration(
                lookup,
                new RegistrationReader(
                        owners, lookup, new WatchCheck(wiring), new DefaultWindow(quota.settings()), wiring.clock()),
                new FirstRegistration(owners, quota, blocks, writes),
                new RepeatedRegistration(
                        owners,
                        quota,
                        new ContinuedProfiles(blocks, new DeclarationStore(database), new ErasureStore(database)),
                        new InstanceTakeOver(new SweepStateStore(database), schedule),
                        writes,
                        new LeaseCleanUp(new LeaseStore(database)),
                        log),
                Turns.of(database));
    }

    /**
     * Registers the agent in the body.
     *
     * @throws ApiError 400 for an invalid body, or if an administrator names no owner; 403 if another key owns the id, the provider is not
     *     granted, or the key has too many live or watched agents; 409 if the id is in use (§3.3) without {@code replace}, or runs as
     *     another instance that still sends heartbeats
     */
    public StoredAgent register(Author author, Fields body) {
        return register(reader.read(author.caller(), Optional.of(author), body));
    }

    /** Registers the agent in the body without a request of its owner: its spans or a source named it. The audit log gets no entry. */
    public StoredAgent register(Caller caller, Fields body) {
        return register(reader.read(caller, Optional.empty(), body));
    }

    StoredAgent register(RegistrationRequest request) {
        return register(new RegistrationReader.Received(request, Optional.empty()));
    }

    private StoredAgent register(RegistrationReader.Received received) {
        RegistrationRequest request = received.request();
        // The state that was read for the role serves only the first attempt.
        AtomicReference<Optional<RegistrationLookup.Found>> ahead = new AtomicReference<>(received.found());
        return turns.in(
                request.profile().agentId(),
                () -> OptimisticUpdates.untilPresent(() -> {
                    RegistrationLookup.Found found =
                            ahead.getAndSet(Optional.empty()).orElseGet(() -> find(request));
                    return found.agent()
                            .map(previous -> repeated.write(request, previous, found))
                            .orElseGet(() -> first.write(request, found));
                }));
    }

    private RegistrationLookup.Found find(RegistrationRequest request) {
        RegistrationRequest.Sender sender = request.sender();
        return lookup.find(
                request.profile().agentId(), "", RegistrationOwners.expectedKeyId(sender.caller(), sender.named()));
    }

    /**
     * Checks the registration of a new agent, and writes nothing.
     *
     * @throws ApiError as {@link #register}, for errors in the body, the rights of the caller and its number of agents
     */
    public void check(Caller caller, Fields body) {
        first.check(reader.read(caller, Optional.empty(), body).request());
    }
}
