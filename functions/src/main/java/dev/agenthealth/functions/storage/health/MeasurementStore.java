package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.agents.ProfileItem;
import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.outcomes.ClosedSlicesItem;
import dev.agenthealth.functions.storage.outcomes.ReadSlices;
import dev.agenthealth.functions.storage.outcomes.SliceItem;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What the computation of an agent's health reads and writes. Every write is conditional on what was read: of two computations at the same
 * time one wins, and the other leaves nothing behind. Thread-safe.
 */
public final class MeasurementStore {

    /** After every slice of an agent. */
    private static final String AFTER_SLICES = "O$";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final BatchReads reads;
    private final Transactions transactions;
    private final Clock clock;

    public MeasurementStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.reads = new BatchReads(dynamoDb, retries);
        this.transactions = new Transactions(dynamoDb, retries);
        this.clock = clock;
    }

    /**
     * What the health of an agent is computed from, as of now. Two requests: the mark is read before everything else, so that whatever was its
     * reason is in what is read after it. DynamoDB reads the items of one request at different moments.
     */
    public MeasurementInputs read(String agentId) {
        Map<String, AttributeValue> health = retries.call(
                        "read of a mark",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.health(agentId))
                                .consistentRead(true)))
                .item();
        BatchReads.Result result = reads.get(
                Map.of(
                        tables.pulses(), List.of(PulseItem.key(agentId)),
                        tables.registry(), List.of(RegistryKeys.profile(agentId), RegistryKeys.closedSlices(agentId))),
                true);
        Map<String, Map<String, AttributeValue>> bySortKey = new HashMap<>();
        result.of(tables.registry()).forEach(item -> bySortKey.put(Values.text(item, RegistryKeys.SK), item));
        Map<String, AttributeValue> profile = bySortKey.getOrDefault("P", Map.of());
        Map<String, AttributeValue> closed = bySortKey.getOrDefault("R", Map.of());
        Optional<Map<String, AttributeValue>> row =
                result.of(tables.pulses()).stream().findFirst();
        return new MeasurementInputs(
                MarkItem.read(agentId, health),
                profile.isEmpty() ? Optional.empty() : Optional.of(ProfileItem.read(agentId, profile, Map.of())),
                row.map(PulseItem::read),
                row.map(PulseItem::standing).orElse(HealthSummary.NONE),
                HealthItem.holdsHealth(health) ? Optional.of(HealthItem.read(agentId, health)) : Optional.empty(),
                number(health, HealthItem.REVISION, 0),
                ClosedSlicesItem.read(closed),
                number(closed, ClosedSlicesItem.REVISION, 0));
    }

    /** The slices of an agent that start at this epoch second or later, as of now. */
    public ReadSlices slicesFrom(String agentId, long start) {
        return slices(agentId, SliceItem.startingAt(start), AFTER_SLICES);
    }

    /** One slice of an agent as of now; empty where it holds nothing. */
    public ReadSlices slice(String agentId, Slice slice) {
        String prefix = SliceItem.prefix(slice);
        return slices(agentId, prefix, prefix + "~");
    }

    private ReadSlices slices(String agentId, String from, String to) {
        SortedMap<Slice, OutcomeCounts> slices = new TreeMap<>();
        List<ReadSlices.ChangedPart> changed = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .keyConditionExpression("#pk = :pk AND #sk BETWEEN :from AND :to")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK))
                    .expressionAttributeValues(
                            Map.of(":pk", s(RegistryKeys.agent(agentId)), ":from", s(from), ":to", s(to)))
                    .consistentRead(true)
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .build();
            QueryResponse response = retries.call("slices", () -> dynamoDb.query(request));
            SliceItem.bySlice(response.items())
                    .forEach((slice, counts) -> slices.merge(slice, counts, OutcomeCounts::plus));
            response.items().stream()
                    .filter(SliceItem::isMarked)
                    .map(item -> new ReadSlices.ChangedPart(
                            SliceItem.slice(item), SliceItem.part(item), SliceItem.batchCount(item)))
                    .forEach(changed::add);
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
        return new ReadSlices(slices, changed);
    }

    /** Takes the marks from parts of slices whose health is stored, unless a batch came since they were read: then the agent stays due. */
    public void settle(String agentId, List<ReadSlices.ChangedPart> parts) {
        for (ReadSlices.ChangedPart part : parts) {
            UpdateItemRequest request = UpdateItemRequest.builder()
                    .tableName(tables.registry())
                    .key(SliceItem.key(agentId, part.slice(), part.part()))
                    .updateExpression("REMOVE #dp, #ds")
                    .conditionExpression("size(#batches) = :seen")
                    .expressionAttributeNames(Map.of(
                            "#dp", RegistryKeys.DUE_PK, "#ds", RegistryKeys.DUE_SK, "#batches", SliceItem.BATCHES))
                    .expressionAttributeValues(Map.of(":seen", n(part.batches())))
                    .build();
            updated("mark of a slice", request);
        }
    }

    /** Stores the closed slices; {@code false} where they are no longer as they were read. */
    public boolean putClosed(String agentId, ClosedSlices closed, long seenRevision) {
        PutItemRequest request = PutItemRequest.builder()
                .tableName(tables.registry())
                .item(ClosedSlicesItem.of(agentId, closed, seenRevision + 1, clock.instant()))
                .conditionExpression(seenRevision == 0 ? "attribute_not_exists(#rev)" : "#rev = :rev")
                .expressionAttributeNames(Map.of("#rev", ClosedSlicesItem.REVISION))
                .expressionAttributeValues(seenRevision == 0 ? null : Map.of(":rev", n(seenRevision)))
                .build();
        try {
            retries.call("closed slices", () -> dynamoDb.putItem(request));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }

    /** Stores a health as its hour's point of the history. */
    public void putHistory(AgentHealth health) {
        putHistory(HistoryItem.of(health));
    }

    /** Stores a health as the point at which the score began, beside that of its hour; of several in one hour the last stays. */
    public void putBeginningOfHistory(AgentHealth health) {
        putHistory(HistoryItem.ofBeginning(health));
    }

    /** Stores a health as the point at which the score ended, beside that of its hour; of several in one hour the last stays. */
    public void putEndOfHistory(AgentHealth health) {
        putHistory(HistoryItem.ofEnd(health));
    }

    private void putHistory(Map<String, AttributeValue> item) {
        retries.call(
                "history",
                () -> dynamoDb.putItem(r -> r.tableName(tables.registry()).item(item)));
    }

    /**
     * Stores a health and settles the mark, unless another reason came since: then the agent stays due.
     *
     * @param seen what it was computed from
     * @param next when it changes by itself; {@link Instant#MAX} for never
     * @return {@code false} where another computation was faster
     */
    public boolean put(AgentHealth health, MeasurementInputs seen, Instant next) {
        HealthWrite whole = new HealthWrite(health.agentId())
                .health(health, seen.revision())
                .settling(seen.mark(), next, tables);
        return updated(whole) || updated(new HealthWrite(health.agentId()).health(health, seen.revision()));
    }

    /**
     * Stores a health together with the events that tell of it; the agent stays due.
     *
     * @param counted the pulse as it was read, but with the events counted
     * @return {@code false} where another computation was faster, or the agent had another event meanwhile
     */
    public boolean tell(AgentHealth health, MeasurementInputs seen, Pulse counted, List<Event> events) {
        Transactions.Items items = new Transactions.Items();
        items.update(new HealthWrite(health.agentId())
                .health(health, seen.revision())
                .inTransaction(tables.registry()));
        items.update(Update.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(health.agentId()))
                .updateExpression("SET #e = :e")
                .conditionExpression("#c = :c AND #e = :seen")
                .expressionAttributeNames(Map.of("#e", PulseItem.SEQUENCE, "#c", PulseItem.INCARNATION))
                .expressionAttributeValues(Map.of(
                        ":e", n(counted.sequence()),
                        ":c", n(counted.incarnation()),
                        ":seen", n(counted.sequence() - events.size()))));
        EventWrites.add(items, tables.registry(), events, clock.instant());
        return transactions.write("health", items.list());
    }

    /**
     * Settles a mark by itself; {@code false} where another reason came since, so that the agent stays due.
     *
     * @param next when the health changes by itself; {@link Instant#MAX} for never
     */
    public boolean settle(Mark seen, Instant next) {
        return updated(new HealthWrite(seen.agentId()).existing().settling(seen, next, tables));
    }

    private boolean updated(HealthWrite write) {
        return updated("health", write.alone(tables.registry()));
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
