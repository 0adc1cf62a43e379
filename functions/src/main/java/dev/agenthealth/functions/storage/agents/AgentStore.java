package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.pulses.FindingWrites;
import dev.agenthealth.functions.storage.pulses.PulseConditions;
import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.HealthAttributes;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.RunResult;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.LoopChange;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.lifecycle.UsageChange;
import dev.agenthealth.model.registry.lifecycle.WaitingChange;
import dev.agenthealth.model.registry.lifecycle.WaitingRule;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.util.ArrayList;
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
 * the row for each heartbeat; this class writes every change that needs more than the row.
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

    private static final Attribute<List<String>> TASKS = new Attribute<>("tasks", TEXTS);
    private static final Attribute<String> WAITS_FOR = new Attribute<>("for", TEXT);
    private static final Attribute<Long> TASKS_INCARNATION = new Attribute<>("c", NUMBER);

    /** The items of an agent besides its row. */
    private static final List<ItemKind> KINDS =
            List.of(ItemKind.PROFILE, ItemKind.METADATA, ItemKind.TASKS, ItemKind.TOMBSTONE);

    private final Database database;
    private final Table pulses;
    private final Table registry;
    private final DiscoveryTags tags;

    public AgentStore(Database database) {
        this.database = database;
        this.pulses = database.pulses();
        this.registry = database.registry();
        this.tags = new DiscoveryTags(registry);
    }

    /** Returns an agent, archived or not, as of now. Empty if the id is unknown, erased or expired. Costs one request. */
    public Optional<StoredAgent> find(String agentId) {
        // An agent that is archived between the reads of row and tombstone shows neither. The second read finds the
        // tombstone.
        return read(agentId).or(() -> read(agentId)).filter(StoredAgent::hasProfile);
    }

    /**
     * An agent with another of its items.
     *
     * @param item the attributes; empty if there is no such item
     */
    public record WithItem(StoredAgent agent, Map<String, AttributeValue> item) {}

    /** Returns an agent as {@link #find(String)}, with its item of this kind, which has a constant sort key. Costs one request. */
    public Optional<WithItem> find(String agentId, ItemKind kind) {
        Database.Items items = items(agentId, kind);
        return stored(agentId, items)
                .or(() -> read(agentId))
                .filter(StoredAgent::hasProfile)
                .map(agent -> new WithItem(agent, items.of(kind)));
    }

    /**
     * Returns an agent and its profile, both of the same version. Clients whose change depends on both use it. {@link #find} may return the
     * version after a change with the profile before the change. Costs one request, and another one if the status changed since the profile
     * was written.
     */
    public Optional<StoredAgent> findWhole(String agentId) {
        AtomicReference<Optional<Pulse>> before = new AtomicReference<>(Optional.empty());
        return OptimisticUpdates.untilPresent(() -> {
            Database.Items items = items(agentId);
            Optional<StoredAgent> found = stored(agentId, items).filter(StoredAgent::hasProfile);
            if (found.isEmpty()) {
                return Optional.of(find(agentId));
            }
            Optional<Pulse> seen = before.getAndSet(found.map(StoredAgent::pulse));
            return isWhole(found.get(), items, seen) ? Optional.of(found) : Optional.empty();
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

    /**
     * Returns the agent that a registration of an id continues. For an erased agent it returns the kept numbers, which continue, without a
     * profile. Costs one request. It does not find an agent that is archived at the same time, and {@link #register} then refuses the
     * registration. It removes expired health, because the next health would expire with it.
     */
    public Optional<StoredAgent> findToRegister(String agentId) {
        return toRegister(agentId, items(agentId, ItemKind.HEALTH));
    }

    /** Reads the items of {@link #findToRegister} together with other items of the registry table, in one request. */
    public Database.Items itemsToRegister(String agentId, List<Map<String, AttributeValue>> others) {
        return items(agentId, others, ItemKind.HEALTH);
    }

    /**
     * Returns the agent of {@link #findToRegister}.
     *
     * @param items the result of {@link #itemsToRegister}
     */
    public Optional<StoredAgent> toRegister(String agentId, Database.Items items) {
        Database.Items ofAgent = items.in(ItemKind.PROFILE.partition(agentId));
        Optional<StoredAgent> found = stored(agentId, ofAgent);
        if (found.isEmpty() && !ofAgent.of(ItemKind.HEALTH).isEmpty()) {
            registry.delete(
                    ItemKind.HEALTH.key(agentId),
                    Condition.atMost(Attributes.EXPIRES, n(database.now().getEpochSecond())));
        }
        return found;
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
        return rows.stream()
                .flatMap(row ->
                        listed(row, Optional.ofNullable(profiles.get(row.pulse().agentId()))).stream())
                .toList();
    }

    private static Optional<ListedAgent> listed(PulseRow row, Optional<AgentProfile> profile) {
        return row.profile()
                .map(shown -> new ListedAgent(row.pulse(), row.health(), shown))
                .or(() -> profile.map(read -> new ListedAgent(row.pulse(), row.health(), read.listed())));
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
     * Writes the first registration of an id with its event. The agent's health is not due: without outcomes, documents follow from row and
     * profile.
     *
     * @param block the block of the id, which may be blocked before it registers
     * @return {@code false} if the id is taken, or was blocked or unblocked since it was read
     */
    public boolean register(Transition registration, AgentProfile profile, Block block) {
        Transaction transaction = database.transaction()
                .put(pulses, row(registration.after(), HealthSummary.NONE, profile), PulseConditions.absent())
                // A concurrent archival would lose the sequence number of its tombstone.
                .delete(registry, ItemKind.TOMBSTONE.key(profile.agentId()), Condition.absentOrExpired(database.now()))
                .check(registry, ItemKind.AGENT_BLOCK.key(profile.agentId()), BlockStore.isStill(block));
        tags.replace(transaction, Optional.empty(), profile);
        tags.putOwner(
                transaction, profile.agentId(), Owner.NONE, registration.after().owner());
        putProfile(transaction, profile, 1, registration.after(), Condition.NONE);
        EventWrites.add(
                transaction,
                database,
                List.of(AgentEvents.registered(
                        registration, profile.roleId(), profile.agentInterface().capabilities())));
        return transaction.commit();
    }

    /**
     * Writes the registration of a known id with its events.
     *
     * @param end the end of the previous incarnation; empty if the agent is already gone
     * @return {@code false} if the agent is no longer as it was read
     */
    public boolean registerAgain(
            StoredAgent previous, Optional<Transition> end, Transition registration, AgentProfile profile) {
        return registerAgain(previous, end, registration, profile, DeclarationChange.NONE, false, Optional.empty());
    }

    /**
     * Writes the registration of a known id, and its changed declaration.
     *
     * @param afterSilence whether the registration is allowed because the previous process sent no heartbeats: a new heartbeat of that
     *     process then prevents the registration
     * @param block the block of an erased id, which the row does not hold: a decision about the block then prevents the registration
     * @see #registerAgain(StoredAgent, Optional, Transition, AgentProfile)
     */
    public boolean registerAgain(
            StoredAgent previous,
            Optional<Transition> end,
            Transition registration,
            AgentProfile profile,
            DeclarationChange declared,
            boolean afterSilence,
            Optional<Block> block) {
        Pulse after = declared.counted(registration.after());
        // Health that is computed at the same time is lost here. The sweep then makes it due again, as for any change
        // of status.
        Map<String, AttributeValue> row = row(after, previous.health(), profile);
        Condition alike = PulseConditions.unchangedButHeartbeats(previous.pulse());
        Condition unchanged = afterSilence ? alike.and(PulseConditions.sameHeartbeats(previous.pulse())) : alike;
        Transaction transaction = database.transaction();
        if (previous.archived()) {
            transaction
                    .put(pulses, row, PulseConditions.absent())
                    .delete(registry, ItemKind.TOMBSTONE.key(profile.agentId()), unchanged);
        } else {
            transaction.put(pulses, row, unchanged);
        }
        tags.replace(transaction, Optional.of(previous.profile()).filter(before -> !previous.archived()), profile);
        Owner before = previous.archived() ? Owner.NONE : previous.pulse().owner();
        tags.putOwner(
                transaction, profile.agentId(), before, registration.after().owner());
        transaction.delete(registry, ItemKind.TASKS.key(profile.agentId()));
        replaceProfile(transaction, profile, previous.profileRevision(), after);
        end.ifPresent(change -> putEvents(transaction, change, previous.profile()));
        putEvents(transaction, registration, profile);
        declared.addTo(transaction, database, after, profile.roleId());
        block.ifPresent(seen ->
                transaction.check(registry, ItemKind.AGENT_BLOCK.key(profile.agentId()), BlockStore.isStill(seen)));
        return transaction.commit();
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
     * Writes the event of a clock drift, which changes no status.
     *
     * @param counted the pulse with the event counted
     * @return {@code false} if the agent had another event since it was read
     */
    public boolean appendDriftEvent(Pulse counted, Event event) {
        return EventWrites.add(
                        database.transaction().update(pulses, PulseWrites.drift(counted)), database, List.of(event))
                .commit();
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
     * Writes that a run failed, or that a run succeeded after a failed one, with its event.
     *
     * @param shared whether a failure is a part of the problem of a model provider
     * @return {@code false} if the agent had another event or another owner since it was read, or the ping address that reported the
     *     run was revoked
     */
    public boolean changeRun(StoredAgent agent, RunResult result, String exitCode, boolean shared) {
        Pulse counted = agent.pulse().withRun(FailedRun.of(result.isFailure(), shared));
        Event event = AgentEvents.run(counted, agent.profile().roleId(), result, exitCode, database.now());
        Transaction transaction = database.transaction().update(pulses, PulseWrites.run(counted));
        if (result != RunResult.ADDRESS_REVOKED) {
            transaction.check(registry, ItemKind.PING_ADDRESS.key(counted.agentId()), Condition.exists(Attributes.PK));
        }
        return EventWrites.add(transaction, database, List.of(event)).commit();
    }

    /** Publishes a failed run again, which is no longer a part of another problem. Returns {@code false} if the agent had another event since. */
    public boolean publishRunAgain(Pulse seen, String roleId) {
        Pulse counted = seen.withRun(FailedRun.OWN);
        Transaction transaction = database.transaction().update(pulses, PulseWrites.run(counted));
        Event event = AgentEvents.runOutlives(counted, roleId, database.now());
        return EventWrites.add(transaction, database, List.of(event)).commit();
    }

    /** Writes the beginning, worsening or end of a stall with its event. Returns {@code false} if the pulse is no longer as it was read. */
    public boolean change(StallChange change, String roleId) {
        Transaction transaction = database.transaction().update(pulses, FindingWrites.stall(change));
        EventWrites.add(transaction, database, List.of(AgentEvents.of(change, roleId)));
        return transaction.commit();
    }

    /** Writes the beginning or end of a published wait for a person with its event. Returns {@code false} if the pulse changed since. */
    public boolean change(WaitingChange change, String roleId) {
        Transaction transaction = database.transaction().update(pulses, FindingWrites.waiting(change));
        EventWrites.add(transaction, database, List.of(AgentEvents.of(change, roleId)));
        return transaction.commit();
    }

    /** Writes a change of the used part of a limit with its event. Returns {@code false} if the agent had another event since it was read. */
    public boolean change(UsageChange change, String roleId) {
        Transaction transaction = database.transaction().update(pulses, FindingWrites.usage(change));
        if (change.isPublished()) {
            EventWrites.add(transaction, database, List.of(AgentEvents.of(change, roleId)));
        }
        return transaction.commit();
    }

    /** Writes the beginning, worsening or end of a loop with its event. Returns {@code false} if the pulse is no longer as it was read. */
    public boolean change(LoopChange change, String roleId) {
        Transaction transaction = database.transaction().update(pulses, FindingWrites.loop(change));
        EventWrites.add(transaction, database, List.of(AgentEvents.of(change, roleId)));
        return transaction.commit();
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
        replaceProfile(transaction, profile, before.profileRevision(), after);
        declared.addTo(transaction, database, after, profile.roleId());
        return transaction.commit();
    }

    /**
     * Replaces the list of task ids by the list of a heartbeat, and stores its hash on the pulse. Both are written together. Returns
     * {@code false} if the agent registered again since it was read.
     */
    public boolean storeTasks(Pulse pulse, long hash, List<String> tasks) {
        Update list = ofTasks(pulse).set(TASKS, tasks);
        return database.transaction()
                .update(registry, list)
                .update(pulses, PulseWrites.tasks(pulse, hash))
                .commit();
    }

    /**
     * Replaces the text that says what the agent waits for, and stores its hash on the pulse. Both are written together. Returns {@code
     * false} if the agent registered again since it was read.
     *
     * @param text the text; empty if the agent no longer says it
     */
    public boolean storeWaitsFor(Pulse pulse, int hash, String text) {
        Update stored = ofTasks(pulse);
        if (text.isEmpty()) {
            stored.remove(WAITS_FOR.name());
        } else {
            stored.set(WAITS_FOR, text);
        }
        return database.transaction()
                .update(registry, stored)
                .update(pulses, FindingWrites.waitsFor(pulse, hash))
                .commit();
    }

    private static Update ofTasks(Pulse pulse) {
        return Update.upsert(ItemKind.TASKS.key(pulse.agentId())).set(TASKS_INCARNATION, pulse.incarnation());
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

    private Optional<StoredAgent> read(String agentId) {
        return stored(agentId, items(agentId));
    }

    /** Reads the items of an agent, and its items of these kinds. */
    private Database.Items items(String agentId, ItemKind... more) {
        return items(agentId, List.of(), more);
    }

    private Database.Items items(String agentId, List<Map<String, AttributeValue>> others, ItemKind... more) {
        List<Map<String, AttributeValue>> keys = new ArrayList<>(others);
        for (ItemKind kind : KINDS) {
            keys.add(kind.key(agentId));
        }
        for (ItemKind kind : more) {
            keys.add(kind.key(agentId));
        }
        return database.get(PulseItem.key(agentId), keys, true);
    }

    private Optional<StoredAgent> stored(String agentId, Database.Items found) {
        Map<String, AttributeValue> profileItem = found.of(ItemKind.PROFILE);
        Map<String, AttributeValue> metadataItem = found.of(ItemKind.METADATA);
        AgentProfile profile = ProfileItem.read(agentId, profileItem, metadataItem);
        long revision = ProfileItem.revision(profileItem, metadataItem);
        Map<String, AttributeValue> row = found.row();
        if (!row.isEmpty() && !PulseItem.isCanary(row)) {
            Pulse pulse = PulseItem.read(row);
            return Optional.of(new StoredAgent(
                    pulse,
                    profile,
                    tasks(pulse, found.of(ItemKind.TASKS)),
                    waitsFor(pulse, found.of(ItemKind.TASKS)),
                    false,
                    HealthAttributes.read(row),
                    revision));
        }
        Map<String, AttributeValue> tombstone = found.of(ItemKind.TOMBSTONE);
        return tombstone.isEmpty() || Attributes.isExpired(tombstone, database.now())
                ? Optional.empty()
                : Optional.of(new StoredAgent(
                        TombstoneItem.read(agentId, tombstone),
                        profile,
                        List.of(),
                        "",
                        true,
                        HealthSummary.NONE,
                        Erasure.isOf(tombstone) ? StoredAgent.NO_PROFILE : revision));
    }

    /** Returns the task ids of the pulse's incarnation. A list of an earlier incarnation does not count. */
    private static List<String> tasks(Pulse pulse, Map<String, AttributeValue> item) {
        return TASKS_INCARNATION.of(item) == pulse.incarnation() ? TASKS.of(item) : List.of();
    }

    private static String waitsFor(Pulse pulse, Map<String, AttributeValue> item) {
        boolean current = WaitingRule.isByActivity(pulse) && TASKS_INCARNATION.of(item) == pulse.incarnation();
        return current ? WAITS_FOR.of(item) : "";
    }

    private static Map<String, AttributeValue> row(Pulse pulse, HealthSummary health, AgentProfile profile) {
        return PulseItem.of(
                pulse,
                health.in(
                                profile.description().providerId(),
                                profile.description().platform())
                        .after(profile.history().restarts()),
                profile);
    }

    /** Writes the next revision of the profile, if the seen revision is still the last, and makes the agent's health due. */
    private void replaceProfile(Transaction transaction, AgentProfile profile, long seenRevision, Pulse after) {
        putProfile(
                transaction,
                profile,
                seenRevision + 1,
                after,
                Condition.absent(Attributes.PK).or(Condition.equal(ProfileItem.REVISION, n(seenRevision))));
        transaction.update(
                registry,
                DueEntry.ofHealth(profile.agentId(), profile.description().personal(), database));
    }

    private void putProfile(
            Transaction transaction, AgentProfile profile, long revision, Pulse after, Condition condition) {
        transaction
                .put(registry, ProfileItem.of(profile, revision, after), condition)
                .put(registry, ProfileItem.metadata(profile, revision));
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
