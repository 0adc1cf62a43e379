package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.health.MarkStore;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.functions.storage.pulses.TransitionWrites;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.lifecycle.PendingDrain;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Transition;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Agents as a whole: pulse, profile, discovery tags, tombstone. Every change of status is one transaction with its event; a
 * write that answers {@code false} changed nothing, because somebody else was faster. Thread-safe.
 */
public final class AgentStore {

    private final BatchReads reads;
    private final Tables tables;
    private final Retries retries;
    private final Transactions transactions;
    private final DynamoDbClient dynamoDb;
    private final DiscoveryTags tags;
    private final OwnerIndex owners;
    private final Clock clock;

    public AgentStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.clock = clock;
        this.reads = new BatchReads(dynamoDb, retries);
        this.transactions = new Transactions(dynamoDb, retries);
        this.tags = new DiscoveryTags(tables.registry());
        this.owners = new OwnerIndex(dynamoDb, tables, retries);
    }

    /** All about an agent, living or buried, as of now; empty where the id is unknown, erased or forgotten. One request. */
    public Optional<StoredAgent> find(String agentId) {
        return findEvenErased(agentId).filter(StoredAgent::hasProfile);
    }

    /**
     * The same, but also what stays of an agent that was erased, which has no profile: whoever registers the id again goes on with its
     * numbers.
     */
    public Optional<StoredAgent> findEvenErased(String agentId) {
        Optional<StoredAgent> found = read(agentId);
        // A burial between the reads of row and tombstone shows neither: the second look finds the tombstone.
        return found.isPresent() ? found : read(agentId);
    }

    /** The profile of an agent without its metadata, as of now, as its events need it; empty where there is none. */
    public Optional<AgentProfile> profile(String agentId) {
        Map<String, AttributeValue> item = retries.call(
                        "read of a profile",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.profile(agentId))
                                .consistentRead(true)))
                .item();
        return item.isEmpty() ? Optional.empty() : Optional.of(ProfileItem.read(agentId, item, Map.of()));
    }

    /** The pulse of a buried agent; empty where it has no tombstone, or was erased. */
    public Optional<Pulse> tombstone(String agentId) {
        Map<String, AttributeValue> item = retries.call(
                        "read of a tombstone",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.tombstone(agentId))
                                .consistentRead(true)))
                .item();
        return item.isEmpty() || RegistryKeys.isExpired(item, clock.instant()) || ErasureItem.is(item)
                ? Optional.empty()
                : Optional.of(TombstoneItem.read(agentId, item));
    }

    /** Writes the first registration of an id with its event; {@code false} where the id is taken. */
    public boolean register(Transition registration, AgentProfile profile) {
        Transactions.Items items = new Transactions.Items();
        items.put(Put.builder()
                .tableName(tables.pulses())
                .item(PulseItem.of(
                        registration.after(), HealthSummary.NONE.in(profile.providerId(), profile.platform())))
                .conditionExpression("attribute_not_exists(#id)")
                .expressionAttributeNames(Map.of("#id", PulseItem.ID)));
        // No tombstone may appear meanwhile: its sequence would be lost. An expired one is as good as none.
        items.delete(Delete.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.tombstone(profile.agentId()))
                .conditionExpression("attribute_not_exists(#pk) OR #ttl <= :now")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#ttl", RegistryKeys.EXPIRES))
                .expressionAttributeValues(Map.of(":now", n(clock.instant().getEpochSecond()))));
        ProfileWrites.first(items, tables.registry(), profile);
        tags.write(items, profile);
        owners.write(items, registration.after());
        MarkStore.mark(items, tables, profile, clock.instant());
        putEvents(items, List.of(AgentEvents.registered(registration, profile.roleId(), profile.capabilities())));
        return transactions.write("registration", items.list());
    }

    /** Writes the return of a gone agent with its event; {@code false} where it is no longer as it was read. */
    public boolean registerAgain(StoredAgent previous, Transition registration, AgentProfile profile) {
        // Health that is computed meanwhile is lost here; the sweep has it computed again, as for any change of status.
        Map<String, AttributeValue> row =
                PulseItem.of(registration.after(), previous.standing().in(profile.providerId(), profile.platform()));
        Transactions.Items items = new Transactions.Items();
        if (previous.buried()) {
            items.put(Put.builder()
                    .tableName(tables.pulses())
                    .item(row)
                    .conditionExpression("attribute_not_exists(#id)")
                    .expressionAttributeNames(Map.of("#id", PulseItem.ID)));
            items.delete(Delete.builder()
                    .tableName(tables.registry())
                    .key(RegistryKeys.tombstone(profile.agentId()))
                    .conditionExpression(TransitionWrites.AS_SEEN)
                    .expressionAttributeNames(TransitionWrites.seenNames())
                    .expressionAttributeValues(TransitionWrites.seenValues(previous.pulse())));
        } else {
            items.put(Put.builder()
                    .tableName(tables.pulses())
                    .item(row)
                    .conditionExpression(TransitionWrites.AS_SEEN)
                    .expressionAttributeNames(TransitionWrites.seenNames())
                    .expressionAttributeValues(TransitionWrites.seenValues(previous.pulse())));
        }
        ProfileWrites.replace(items, tables.registry(), profile, previous.profileRevision());
        tags.replace(items, previous.buried() ? Optional.empty() : Optional.of(previous.profile()), profile);
        owners.write(items, registration.after());
        items.delete(tables.registry(), RegistryKeys.tasks(profile.agentId()));
        MarkStore.mark(items, tables, profile, clock.instant());
        putEvents(items, AgentEvents.of(registration, profile.roleId(), profile.capabilities()));
        return transactions.write("registration", items.list());
    }

    /**
     * Writes a change of status with its events; {@code false} where incarnation, version, status, beat counter or event number
     * are no longer as they were read.
     */
    public boolean change(Transition transition, AgentProfile profile) {
        Transactions.Items items = new Transactions.Items();
        items.update(TransitionWrites.of(tables.pulses(), transition));
        putEvents(items, AgentEvents.of(transition, profile.roleId(), profile.capabilities()));
        return transactions.write("transition", items.list());
    }

    /** Writes a change of status of a buried agent to its tombstone; {@code false} where that is no longer as it was read. */
    public boolean changeBuried(Transition transition, AgentProfile profile) {
        Transactions.Items items = new Transactions.Items();
        items.put(Put.builder()
                .tableName(tables.registry())
                .item(TombstoneItem.of(transition.after(), clock.instant()))
                .conditionExpression(TransitionWrites.AS_SEEN)
                .expressionAttributeNames(TransitionWrites.seenNames())
                .expressionAttributeValues(TransitionWrites.seenValues(transition.before())));
        putEvents(items, AgentEvents.of(transition, profile.roleId(), profile.capabilities()));
        return transactions.write("transition", items.list());
    }

    /** Notes a drain that the agent is asked for; {@code false} where its incarnation or status is no longer as it was read. */
    public boolean ask(Pulse seen, PendingDrain drain) {
        Map<String, AttributeValue> values = new HashMap<>(Map.of(
                ":c", n(seen.incarnation()),
                ":s", s(StatusShard.letter(seen.status())),
                ":p", n(drain.timeout().toSeconds())));
        boolean reason = !drain.reason().isEmpty();
        if (reason) {
            values.put(":pr", s(drain.reason()));
        }
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(seen.agentId()))
                .updateExpression("SET #p = :p" + (reason ? ", #pr = :pr" : " REMOVE #pr"))
                .conditionExpression("#c = :c AND #s = :s")
                .expressionAttributeNames(Map.of(
                        "#p", PulseItem.PENDING_DRAIN_TIMEOUT,
                        "#pr", PulseItem.PENDING_DRAIN_REASON,
                        "#c", PulseItem.INCARNATION,
                        "#s", PulseItem.STATUS))
                .expressionAttributeValues(values)
                .build();
        try {
            retries.call("command", () -> dynamoDb.updateItem(request));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }

    /** Writes an event that changes no status, counted on the pulse; {@code false} where the pulse's events moved on. */
    public boolean tell(Pulse seen, Pulse counted, Event event) {
        Transactions.Items items = new Transactions.Items();
        items.update(Update.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(seen.agentId()))
                .updateExpression("SET #e = :e, #f = :f")
                .conditionExpression("#c = :c AND #e = :seenE")
                .expressionAttributeNames(
                        Map.of("#e", PulseItem.SEQUENCE, "#f", PulseItem.DRIFT_REPORTED, "#c", PulseItem.INCARNATION))
                .expressionAttributeValues(Map.of(
                        ":e", n(counted.sequence()),
                        ":f", n(counted.driftReportedAt().toEpochMilli()),
                        ":c", n(seen.incarnation()),
                        ":seenE", n(seen.sequence()))));
        putEvents(items, List.of(event));
        return transactions.write("event", items.list());
    }

    /**
     * Writes a profile change; {@code false} where the agent's version, incarnation or profile is no longer as it was read. The
     * pulse alone does not tell: a read of several items may find the pulse of after a change and the profile of before.
     */
    public boolean reprofile(StoredAgent before, Pulse after, AgentProfile profile) {
        Transactions.Items items = new Transactions.Items();
        items.update(ProfileWrites.ofRow(tables.pulses(), before.pulse(), after, profile));
        ProfileWrites.replace(items, tables.registry(), profile, before.profileRevision());
        tags.replace(items, Optional.of(before.profile()), profile);
        MarkStore.mark(items, tables, profile, clock.instant());
        return transactions.write("profile change", items.list());
    }

    /**
     * Stores the list of task ids that a heartbeat brought, in place of the one before, and notes its digest on the pulse: both or
     * neither, so that a digest never stands for another list. {@code false} where the agent registered again meanwhile: the list
     * is not the new incarnation's.
     */
    public boolean storeTasks(Pulse pulse, long digest, List<String> tasks) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.tasks(pulse.agentId()));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put("c", n(pulse.incarnation()));
        item.put("tasks", list(tasks));
        Transactions.Items items = new Transactions.Items();
        items.put(tables.registry(), item);
        items.update(Update.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(pulse.agentId()))
                .updateExpression("SET #t = :t, #tn = :tn")
                .conditionExpression("#c = :c")
                .expressionAttributeNames(
                        Map.of("#t", PulseItem.TASK_DIGEST, "#tn", PulseItem.TASK_COUNT, "#c", PulseItem.INCARNATION))
                .expressionAttributeValues(
                        Map.of(":t", n(digest), ":tn", n(tasks.size()), ":c", n(pulse.incarnation()))));
        return transactions.write("tasks", items.list());
    }

    /** Removes the list of tasks that a gone incarnation stored; a later incarnation's list stays. */
    public void removeTasks(String agentId, long incarnation) {
        DeleteItemRequest request = DeleteItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.tasks(agentId))
                .conditionExpression("attribute_not_exists(#pk) OR #c <= :c")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#c", "c"))
                .expressionAttributeValues(Map.of(":c", n(incarnation)))
                .build();
        try {
            retries.call("tasks", () -> dynamoDb.deleteItem(request));
        } catch (ConditionalCheckFailedException e) {
            // The agent registered again and has tasks of its own.
        }
    }

    /**
     * Moves a gone agent's row to its tombstone and takes it out of discovery; {@code false} where it is no longer as it was read,
     * or something is left to be cleaned up.
     *
     * @throws IllegalArgumentException for an agent that is not gone
     */
    public boolean bury(Pulse pulse, AgentProfile profile) {
        if (!pulse.status().isGone()) {
            throw new IllegalArgumentException(
                    "an agent that is " + pulse.status().word() + " is not buried");
        }
        Transactions.Items items = new Transactions.Items();
        ArchivalWrites.add(items, tables, pulse, clock.instant());
        tags.remove(items, profile);
        owners.remove(items, pulse);
        return transactions.write("burial", items.list());
    }

    private Optional<StoredAgent> read(String agentId) {
        BatchReads.Result result = reads.get(
                Map.of(
                        tables.pulses(), List.of(PulseItem.key(agentId)),
                        tables.registry(),
                                List.of(
                                        RegistryKeys.profile(agentId),
                                        RegistryKeys.metadata(agentId),
                                        RegistryKeys.tasks(agentId),
                                        RegistryKeys.tombstone(agentId))),
                true);
        Map<String, Map<String, AttributeValue>> bySortKey = new HashMap<>();
        result.of(tables.registry()).forEach(item -> bySortKey.put(Values.text(item, RegistryKeys.SK), item));
        Map<String, AttributeValue> profileItem = bySortKey.getOrDefault("P", Map.of());
        Map<String, AttributeValue> metadataItem = bySortKey.getOrDefault("M", Map.of());
        AgentProfile profile = ProfileItem.read(agentId, profileItem, metadataItem);
        long revision = ProfileItem.revision(profileItem, metadataItem);
        List<Map<String, AttributeValue>> rows = result.of(tables.pulses());
        if (!rows.isEmpty() && !PulseItem.isCanary(rows.get(0))) {
            Pulse pulse = PulseItem.read(rows.get(0));
            return Optional.of(new StoredAgent(
                    pulse,
                    profile,
                    tasks(pulse, bySortKey.getOrDefault("W", Map.of())),
                    false,
                    PulseItem.standing(rows.get(0)),
                    revision));
        }
        Map<String, AttributeValue> tombstone = bySortKey.getOrDefault("T", Map.of());
        return tombstone.isEmpty() || RegistryKeys.isExpired(tombstone, clock.instant())
                ? Optional.empty()
                : Optional.of(new StoredAgent(
                        TombstoneItem.read(agentId, tombstone),
                        profile,
                        List.of(),
                        true,
                        ErasureItem.is(tombstone) ? StoredAgent.NO_PROFILE : revision));
    }

    /** A list stored by an earlier incarnation is not this one's. */
    private static List<String> tasks(Pulse pulse, Map<String, AttributeValue> item) {
        return Values.number(item, "c", 0) == pulse.incarnation() ? texts(item, "tasks") : List.of();
    }

    private void putEvents(Transactions.Items items, List<Event> events) {
        EventWrites.add(items, tables.registry(), events, clock.instant());
    }
}
