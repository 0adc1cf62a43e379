package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.PulseConditions;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.RunResult;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads and writes agents as a whole. An agent consists of its row in the pulses table, its profile and metadata, its discovery tags and
 * its task list. An archived agent has a tombstone in place of the row. {@link dev.agenthealth.functions.storage.pulses.PulseStore} writes
 * the row for each heartbeat; this class writes changes that need more than the row, {@link RegistrationStore} writes registrations and {@link FindingStore} writes findings.
 *
 * <p>A method that changes an agent gets the agent as it was read. It writes one transaction: the change, and the events that report the
 * change. The transaction applies only if the agent is still as it was read. If another writer was faster, nothing is written and the method
 * returns {@code false}. The caller then reads the agent again, decides again and retries, usually by {@link OptimisticUpdates}:
 *
 * <pre>{@code
 * OptimisticUpdates.untilDone(() -> {
 *     StoredAgent agent = agents.find(agentId).orElseThrow();
 *     return agents.change(decide(agent.pulse()), agent.profile());
 * });
 * }</pre>
 *
 * <p>Reads of a single agent are strongly consistent. Reads of many agents are eventually consistent and may be about a second old.
 * Thread-safe.
 */
public final class AgentStore {

    private final Database database;
    private final Table pulses;
    private final Table registry;
    private final AgentItems items;
    private final ProfileWrites profiles;
    private final DiscoveryTags tags;

    public AgentStore(Database database) {
        this.database = database;
        this.pulses = database.pulses();
        this.registry = database.registry();
        this.items = new AgentItems(database);
        this.profiles = new ProfileWrites(database);
        this.tags = new DiscoveryTags(registry);
    }

    /** Returns an agent, archived or not, as of now. Empty if the id is unknown, erased or expired. Costs one request. */
    public Optional<StoredAgent> find(String agentId) {
        // An agent that is archived between the reads of row and tombstone shows neither. The second read finds the
        // tombstone.
        return items.read(agentId).or(() -> items.read(agentId)).filter(StoredAgent::hasProfile);
    }

    /**
     * An agent with another of its items.
     *
     * @param item the attributes; empty if there is no such item
     */
    public record WithItem(StoredAgent agent, Map<String, AttributeValue> item) {}

    /** Returns an agent as {@link #find(String)}, with its item of this kind, which has a constant sort key. Costs one request. */
    public Optional<WithItem> find(String agentId, ItemKind kind) {
        Database.Items found = items.items(agentId, kind);
        return items.stored(agentId, found)
                .or(() -> items.read(agentId))
                .filter(StoredAgent::hasProfile)
                .map(agent -> new WithItem(agent, found.of(kind)));
    }

    /**
     * Returns an agent and its profile, both of the same version. Clients whose change depends on both use it. {@link #find} may return the
     * version after a change with the profile before the change. Costs one request, and another one if the status changed since the profile
     * was written.
     */
    public Optional<StoredAgent> findWhole(String agentId) {
        AtomicReference<Optional<Pulse>> before = new AtomicReference<>(Optional.empty());
        return OptimisticUpdates.untilPresent(() -> {
            Database.Items read = items.items(agentId);
            Optional<StoredAgent> found = items.stored(agentId, read).filter(StoredAgent::hasProfile);
            if (found.isEmpty()) {
                return Optional.of(find(agentId));
            }
            Optional<Pulse> seen = before.getAndSet(found.map(StoredAgent::pulse));
            return isWhole(found.get(), read, seen) ? Optional.of(found) : Optional.empty();
        });
    }

    /** Returns whether row and profile are of the same version. If the version did not change during the read, the profile belongs to it. */
    private static boolean isWhole(StoredAgent found, Database.Items items, Optional<Pulse> before) {
        Pulse pulse = found.pulse();
        int writtenLater = ProfileItem.compare(items.of(ItemKind.PROFILE), pulse);
        boolean stayed = before.filter(
                        seen -> seen.incarnation() == pulse.incarnation() && seen.version() == pulse.version())
                .isPresent();
        return found.profileRevision() != ProfileItem.MIXED && (writtenLater == 0 || stayed && writtenLater < 0);
    }

    /** Returns the profile of an agent without its metadata, as of now; empty if there is none. */
    public Optional<AgentProfile> profile(String agentId) {
        return registry.find(ItemKind.PROFILE.key(agentId)).map(item -> ProfileItem.read(agentId, item, Map.of()));
    }

    /** Returns the pulses of the archived agents among these agents, eventually consistent. */
    public List<Pulse> tombstones(List<String> agentIds) {
        return items(ItemKind.TOMBSTONE, agentIds.stream()).entrySet().stream()
                .filter(item -> !Erasure.isOf(item.getValue()))
                .map(item -> TombstoneItem.read(item.getKey(), item.getValue()))
                .toList();
    }

    /** Returns the pulse of an archived agent; empty if the agent has no tombstone, or was erased. */
    public Optional<Pulse> tombstone(String agentId) {
        return tombstone(agentId, false);
    }

    /** Returns the numbers, the owner and the end of an erased agent, which are kept; empty for every other agent. */
    public Optional<Pulse> erased(String agentId) {
        return tombstone(agentId, true);
    }

    private Optional<Pulse> tombstone(String agentId, boolean erased) {
        return database.findUnexpired(ItemKind.TOMBSTONE.key(agentId))
                .filter(item -> Erasure.isOf(item) == erased)
                .map(item -> TombstoneItem.read(agentId, item));
    }

    /**
     * Returns the parts of these agents that lists show, in the order of the rows, eventually consistent. Reads a profile only if the row
     * does not repeat it. Agents without a profile are left out.
     */
    public List<ListedAgent> listed(List<PulseRow> rows) {
        Map<String, AgentProfile> profiles =
                profiles(rows.stream().filter(row -> row.profile().isEmpty()).map(row -> row.pulse()
                        .agentId()));
        List<ListedAgent> listed = new ArrayList<>(rows.size());
        for (PulseRow row : rows) {
            listed(row, Optional.ofNullable(profiles.get(row.pulse().agentId())))
                    .ifPresent(listed::add);
        }
        return Collections.unmodifiableList(listed);
    }

    private static Optional<ListedAgent> listed(PulseRow row, Optional<AgentProfile> profile) {
        return row.profile().isPresent()
                ? Optional.of(
                        new ListedAgent(row.pulse(), row.health(), row.profile().get()))
                : profile.map(read -> new ListedAgent(row.pulse(), row.health(), read.listed()));
    }

    /** Returns the profiles of these agents without their metadata, by id, eventually consistent. Agents without a profile are left out. */
    public Map<String, AgentProfile> profiles(Stream<String> agentIds) {
        Map<String, AgentProfile> profiles = new HashMap<>();
        items(ItemKind.PROFILE, agentIds)
                .forEach((agentId, item) -> profiles.put(agentId, ProfileItem.read(agentId, item, Map.of())));
        return profiles;
    }

    /** Returns the profiles of these agents with their metadata, by id, eventually consistent. Agents without a profile are left out. */
    public Map<String, AgentProfile> wholeProfiles(List<String> agentIds) {
        Map<String, AgentProfile> profiles = new HashMap<>();
        Map<String, Map<String, AttributeValue>> metadata = items(ItemKind.METADATA, agentIds.stream());
        items(ItemKind.PROFILE, agentIds.stream())
                .forEach((agentId, item) -> profiles.put(
                        agentId, ProfileItem.read(agentId, item, metadata.getOrDefault(agentId, Map.of()))));
        return profiles;
    }

    private Map<String, Map<String, AttributeValue>> items(ItemKind kind, Stream<String> agentIds) {
        return registry.getAll(agentIds.map(kind::key).toList(), false).stream()
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .collect(Collectors.toMap(kind::ofPartition, item -> item));
    }

    /**
     * Writes a change of status with its events.
     *
     * @return {@code false} if incarnation, version, status, number of heartbeats or number of events are no longer as they were
     *     read
     */
    public boolean change(Transition transition, AgentProfile profile) {
        return change(transition, profile, ProbeState.NONE);
    }

    /**
     * Writes a change of status with its events, which say why the probes of a watched agent fail.
     *
     * @see #change(Transition, AgentProfile)
     */
    public boolean change(Transition transition, AgentProfile profile, ProbeState probes) {
        Transaction transaction = database.transaction().update(pulses, PulseWrites.transition(transition));
        putEvents(transaction, transition, profile, probes);
        return transaction.commit();
    }

    /** Writes a change of status of an archived agent to its tombstone. Returns {@code false} if the tombstone is no longer as it was read. */
    public boolean changeArchived(Transition transition, AgentProfile profile) {
        Transaction transaction = database.transaction()
                .put(
                        registry,
                        TombstoneItem.of(transition.after(), database.now()),
                        PulseConditions.wholeAsSeen(transition.before()));
        putEvents(transaction, transition, profile);
        return transaction.commit();
    }

    /**
     * Gives an agent another owner, or a new secret of its owner's key. Returns {@code false} if incarnation or owner are no longer as they
     * were read.
     */
    public boolean changeOwner(Pulse seen, Owner owner) {
        return changeOwner(seen, owner, PulseWrites.owner(PulseItem.key(seen.agentId()), seen, owner));
    }

    private boolean changeOwner(Pulse seen, Owner owner, Update update) {
        if (seen.owner().keyId().equals(owner.keyId())) {
            return pulses.update(update);
        }
        Transaction transaction = database.transaction().update(pulses, update);
        tags.putOwner(transaction, seen.agentId(), seen.owner(), owner);
        return transaction.commit();
    }

    /**
     * Transfers an agent, archived or not, to another owner that may use the agent's provider. The transfer ends its ping address, and also
     * a failed run.
     *
     * @return {@code false} if incarnation, owner or version are no longer as they were read
     */
    public boolean transfer(StoredAgent seen, Owner owner) {
        Pulse pulse = seen.pulse();
        if (pulse.runFailed()
                && !pulse.status().hasEnded()
                && !pulse.owner().keyId().equals(owner.keyId())) {
            Pulse counted = pulse.withRun(FailedRun.NONE);
            Event event =
                    AgentEvents.run(counted, seen.profile().roleId(), RunResult.ADDRESS_REVOKED, "", database.now());
            Transaction transaction =
                    database.transaction().update(pulses, PulseWrites.transferAfterRun(pulse, counted, owner));
            tags.putOwner(transaction, pulse.agentId(), pulse.owner(), owner);
            return EventWrites.add(transaction, database, List.of(event)).commit();
        }
        return seen.archived()
                ? registry.update(PulseWrites.transfer(ItemKind.TOMBSTONE.key(pulse.agentId()), pulse, owner))
                : changeOwner(pulse, owner, PulseWrites.transfer(PulseItem.key(pulse.agentId()), pulse, owner));
    }

    /**
     * Stores a requested drain, or withdraws it if {@code drain} is {@link PendingDrain#NONE}.
     *
     * @return {@code false} if the agent's incarnation, status or requested drain is no longer as it was read
     */
    public boolean putPendingDrain(Pulse seen, PendingDrain drain) {
        return pulses.update(PulseWrites.pendingDrain(seen, drain));
    }

    /** Stores another deadline of a drain. Returns {@code false} if incarnation, version, status or drain are no longer as they were read. */
    public boolean changeDrain(Pulse seen, Pulse after) {
        return pulses.update(PulseWrites.drain(seen, after));
    }

    /**
     * Dismisses a dead agent that is not archived, and writes the event of the dismissal. Returns {@code false} if the agent had another
     * event since it was read.
     */
    public boolean dismiss(Pulse dead, String roleId, String by, String note) {
        Pulse counted = dead.withDismissal();
        Event event = AgentEvents.dismissed(counted, roleId, by, note, database.now());
        Transaction transaction = database.transaction().update(pulses, PulseWrites.dismissal(counted));
        return EventWrites.add(transaction, database, List.of(event)).commit();
    }

    /**
     * Writes a profile change. The transaction also checks the profile's revision, because a read of several items may find the pulse after
     * a change and the profile before it.
     *
     * @param after the pulse after the change, with the event of the declaration counted, if there is one
     * @return {@code false} if the agent's version, incarnation or profile is no longer as it was read
     */
    public boolean changeProfile(StoredAgent before, Pulse after, AgentProfile profile, DeclarationChange declared) {
        Transaction transaction =
                database.transaction().update(pulses, PulseWrites.profile(before.pulse(), after, profile));
        tags.replace(transaction, Optional.of(before.profile()), profile);
        profiles.replace(transaction, profile, before.profileRevision(), after);
        declared.addTo(transaction, database, after, profile.roleId());
        return transaction.commit();
    }

    /**
     * Moves the row of a gone agent to its tombstone and removes the agent from discovery. All of the agent's items then expire together.
     *
     * @return {@code false} if the agent is no longer as it was read, or an item of the agent still has to be cleaned up
     * @throws IllegalArgumentException if the agent is not gone
     */
    public boolean archive(Pulse pulse, AgentProfile profile) {
        if (!pulse.status().hasEnded()) {
            throw new IllegalArgumentException(
                    "an agent that is " + pulse.status().wireName() + " is not archived");
        }
        String agentId = pulse.agentId();
        Transaction transaction = database.transaction()
                .delete(pulses, PulseItem.key(agentId), PulseConditions.wholeAndCleanedUp(pulse))
                .put(registry, TombstoneItem.of(pulse, database.now()))
                .delete(registry, ItemKind.TASKS.key(agentId));
        for (ItemKind kind : List.of(ItemKind.PROFILE, ItemKind.METADATA, ItemKind.HEALTH)) {
            transaction.update(
                    registry,
                    Update.of(kind.key(agentId))
                            .set(Attributes.EXPIRES, seconds(TombstoneItem.expiry(database.now()))));
        }
        tags.remove(transaction, profile, pulse);
        return transaction.commit();
    }

    private void putEvents(Transaction transaction, Transition transition, AgentProfile profile) {
        putEvents(transaction, transition, profile, ProbeState.NONE);
    }

    private void putEvents(Transaction transaction, Transition transition, AgentProfile profile, ProbeState probes) {
        EventWrites.add(
                transaction,
                database,
                AgentEvents.of(
                        transition, profile.roleId(), profile.agentInterface().capabilities(), probes));
    }
}
