package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.BatchDeletes;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.storage.hosts.HostStore;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.TransitionWrites;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Erases agents. One transaction makes an agent unknown to everybody: its row or tombstone, its profile, tags and tasks go, and a tombstone
 * without any text comes. While that says that the erasure is not done, nobody registers the id again; so what stands below the id is only what
 * is to be erased, whoever comes with it late. Of several requests at once one goes on. Every step may be repeated. Thread-safe.
 *
 * <p>What is kept: the numbers of incarnations and events and the hash of the owner's key (400 days, as of any gone agent), a block without its
 * reason (for good), events without texts (30 days), and what belongs to others: leases of intents, figures of the provider.
 */
public final class ErasureStore {

    /** Receipts expire after a day, and DynamoDB removes what has expired within some more. */
    private static final Duration RECEIPTS_MAY_BE_THERE = Duration.ofDays(4);

    private static final int PORTION = 50;

    private static final String OF_PARTITION = "#pk = :pk";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Transactions transactions;
    private final BatchDeletes deletes;
    private final DiscoveryTags tags;
    private final OwnerIndex owners;
    private final HostStore hosts;
    private final BlockStore blocks;
    private final Clock clock;

    public ErasureStore(
            DynamoDbClient dynamoDb, Tables tables, Retries retries, HostStore hosts, BlockStore blocks, Clock clock) {
        this.hosts = hosts;
        this.blocks = blocks;
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.transactions = new Transactions(dynamoDb, retries);
        this.deletes = new BatchDeletes(dynamoDb, retries);
        this.tags = new DiscoveryTags(tables.registry());
        this.owners = new OwnerIndex(dynamoDb, tables, retries);
        this.clock = clock;
    }

    /** The erasure of an agent, done or not; empty where none was begun since it last registered. */
    public Optional<Erasure> find(String agentId) {
        Map<String, AttributeValue> item = retries.call(
                        "read of a tombstone",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.tombstone(agentId))
                                .consistentRead(true)))
                .item();
        return RegistryKeys.isExpired(item, clock.instant()) ? Optional.empty() : ErasureItem.read(agentId, item);
    }

    /** Whether anything stands below an id that the registry has forgotten, such as figures, which are kept for good. */
    public boolean isLeftOver(String agentId) {
        return !page(RegistryKeys.agent(agentId), "", 1).items().isEmpty();
    }

    /**
     * Makes a gone agent unknown to everybody.
     *
     * @return {@code false} where it is no longer as it was read
     */
    public boolean begin(StoredAgent agent) {
        String agentId = agent.pulse().agentId();
        Transactions.Items items = new Transactions.Items();
        Put.Builder tombstone = Put.builder()
                .tableName(tables.registry())
                .item(ErasureItem.of(agent.pulse().erased(clock.instant()), clock.instant()));
        if (agent.buried()) {
            items.put(tombstone
                    .conditionExpression(TransitionWrites.AS_SEEN)
                    .expressionAttributeNames(TransitionWrites.seenNames())
                    .expressionAttributeValues(TransitionWrites.seenValues(agent.pulse())));
        } else {
            Map<String, String> names = TransitionWrites.seenNames();
            names.put("#z", PulseItem.CLEAN_UP_OF);
            items.put(tombstone);
            items.delete(Delete.builder()
                    .tableName(tables.pulses())
                    .key(PulseItem.key(agentId))
                    .conditionExpression(TransitionWrites.AS_SEEN + " AND attribute_not_exists(#z)")
                    .expressionAttributeNames(names)
                    .expressionAttributeValues(TransitionWrites.seenValues(agent.pulse())));
            tags.remove(items, agent.profile());
            owners.remove(items, agent.pulse());
        }
        items.delete(tables.registry(), RegistryKeys.profile(agentId));
        items.delete(tables.registry(), RegistryKeys.metadata(agentId));
        items.delete(tables.registry(), RegistryKeys.tasks(agentId));
        return transactions.write("erasure", items.list());
    }

    /**
     * The same for an id of which only leavings are there.
     *
     * @return {@code false} where somebody registered it meanwhile
     */
    public boolean beginForgotten(String agentId) {
        Instant now = clock.instant();
        Transactions.Items items = new Transactions.Items();
        items.putNew(tables.registry(), ErasureItem.of(Pulse.forgotten(agentId, now), now), now);
        items.check(ConditionCheck.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(agentId))
                .conditionExpression("attribute_not_exists(#id)")
                .expressionAttributeNames(Map.of("#id", PulseItem.ID)));
        return transactions.write("erasure", items.list());
    }

    /**
     * Takes an erasure up for a while; others stand back until then, or until {@link #put} gives it back.
     *
     * @return {@code false} where somebody else has it, or it is not as it was read
     */
    public boolean take(Erasure seen, Instant until) {
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.tombstone(seen.agentId()))
                .updateExpression("SET #until = :until")
                .conditionExpression("#begun = :begun AND attribute_not_exists(#done)"
                        + " AND (attribute_not_exists(#until) OR #until <= :now)")
                .expressionAttributeNames(Map.of(
                        "#until", ErasureItem.TAKEN_UNTIL,
                        "#begun", ErasureItem.BEGUN_AT,
                        "#done", ErasureItem.DONE))
                .expressionAttributeValues(Map.of(
                        ":until", n(until.toEpochMilli()),
                        ":now", n(clock.instant().toEpochMilli()),
                        ":begun", n(seen.begunAt().toEpochMilli())))
                .build();
        return updated("erasure", request);
    }

    /**
     * Notes how far an erasure got and gives it back.
     *
     * @param until until when it was taken up, by which it is known that it still is
     * @return {@code false} where somebody else has it
     */
    public boolean put(Erasure erasure, Instant until) {
        Map<String, AttributeValue> progress = ErasureItem.progress(erasure);
        Map<String, String> names = new HashMap<>(Map.of("#until", ErasureItem.TAKEN_UNTIL));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":until", n(until.toEpochMilli())));
        List<String> sets = new ArrayList<>();
        List<String> removes = new ArrayList<>(List.of("#until"));
        for (String name :
                List.of(ErasureItem.PASSES, ErasureItem.PASS_BEGUN_AT, ErasureItem.POSITION, ErasureItem.DONE)) {
            names.put("#" + name, name);
            if (progress.containsKey(name)) {
                values.put(":" + name, progress.get(name));
                sets.add("#" + name + " = :" + name);
            } else {
                removes.add("#" + name);
            }
        }
        return updated(
                "erasure",
                UpdateItemRequest.builder()
                        .tableName(tables.registry())
                        .key(RegistryKeys.tombstone(erasure.agentId()))
                        .updateExpression("SET " + String.join(", ", sets) + " REMOVE " + String.join(", ", removes))
                        .conditionExpression("#until = :until")
                        .expressionAttributeNames(names)
                        .expressionAttributeValues(values)
                        .build());
    }

    /** Erases what stands elsewhere: hosts that show the agent's health, and why it was blocked. */
    public void eraseElsewhere(String agentId) {
        hosts.removeOf(agentId);
        String position = RegistryKeys.EVENT_PREFIX + "trust:agent:" + agentId + ":";
        Map<String, AttributeValue> values = Map.of(":pk", s(RegistryKeys.SYSTEM), ":prefix", s(position));
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest request = query(OF_PARTITION + " AND begins_with(#sk, :prefix)", values, start, PORTION);
            QueryResponse response = retries.call("events of blocks", () -> dynamoDb.query(request));
            response.items().stream()
                    // An id may hold a colon, and begin like another one.
                    .filter(item ->
                            EventItem.detail(item).path("agent_id").asText().equals(agentId))
                    .forEach(this::eraseTexts);
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
    }

    /**
     * Erases a portion of what stands below the agent's id.
     *
     * @param position the sort key after which it begins; empty for the first portion
     * @return the position of the next one; empty where this was the last
     */
    public String erasePortion(String agentId, String position) {
        QueryResponse page = page(RegistryKeys.agent(agentId), position, PORTION);
        List<Map<String, AttributeValue>> erased = new ArrayList<>();
        for (Map<String, AttributeValue> item : page.items()) {
            String sortKey = text(item, RegistryKeys.SK);
            if (sortKey.equals("X")) {
                blocks.replaceReason(agentId, ErasedEvent.ERASED);
            } else if (sortKey.startsWith(RegistryKeys.EVENT_PREFIX)) {
                eraseTexts(item);
            } else if (!sortKey.equals("T")) {
                erased.add(RegistryKeys.key(RegistryKeys.agent(agentId), sortKey));
                receipt(sortKey).forEach(erased::add);
            }
        }
        deletes.delete(tables.registry(), erased);
        return page.hasLastEvaluatedKey() ? text(page.lastEvaluatedKey(), RegistryKeys.SK) : "";
    }

    /** The items of the receipt of an invocation that is in the log; none where this is something else, or long ago. */
    private Stream<Map<String, AttributeValue>> receipt(String sortKey) {
        if (!sortKey.startsWith(RegistryKeys.INVOCATION_PREFIX)) {
            return Stream.empty();
        }
        String[] parts = sortKey.split("#", 3);
        Instant at = Instant.ofEpochMilli(Long.parseLong(parts[1]));
        return at.plus(RECEIPTS_MAY_BE_THERE).isBefore(clock.instant())
                ? Stream.empty()
                : Stream.of(
                        RegistryKeys.receipt(parts[2]), RegistryKeys.message(parts[2]), RegistryKeys.output(parts[2]));
    }

    private void eraseTexts(Map<String, AttributeValue> event) {
        String detail = text(event, EventItem.DETAIL);
        String erased = ErasedEvent.detail(text(event, EventItem.TYPE), detail);
        if (!erased.equals(detail)) {
            updated(
                    "event",
                    UpdateItemRequest.builder()
                            .tableName(tables.registry())
                            .key(RegistryKeys.key(text(event, RegistryKeys.PK), text(event, RegistryKeys.SK)))
                            .updateExpression("SET #detail = :detail")
                            // It may have expired meanwhile.
                            .conditionExpression("attribute_exists(#pk)")
                            .expressionAttributeNames(Map.of("#detail", EventItem.DETAIL, "#pk", RegistryKeys.PK))
                            .expressionAttributeValues(Map.of(":detail", s(erased)))
                            .build());
        }
    }

    private QueryResponse page(String partition, String position, int limit) {
        Map<String, AttributeValue> start = position.isEmpty() ? Map.of() : RegistryKeys.key(partition, position);
        QueryRequest request = query(OF_PARTITION, Map.of(":pk", s(partition)), start, limit);
        return retries.call("what is to be erased", () -> dynamoDb.query(request));
    }

    private QueryRequest query(
            String condition, Map<String, AttributeValue> values, Map<String, AttributeValue> start, int limit) {
        return QueryRequest.builder()
                .tableName(tables.registry())
                .keyConditionExpression(condition)
                .projectionExpression("#pk, #sk, #type, #detail")
                .expressionAttributeNames(Map.of(
                        "#pk", RegistryKeys.PK,
                        "#sk", RegistryKeys.SK,
                        "#type", EventItem.TYPE,
                        "#detail", EventItem.DETAIL))
                .expressionAttributeValues(values)
                .exclusiveStartKey(start.isEmpty() ? null : start)
                .consistentRead(true)
                .limit(limit)
                .build();
    }

    private boolean updated(String name, UpdateItemRequest request) {
        try {
            retries.call(name, () -> dynamoDb.updateItem(request));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }
}
