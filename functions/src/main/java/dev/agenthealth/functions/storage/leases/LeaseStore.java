package dev.agenthealth.functions.storage.leases;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.LeaseEvents;
import dev.agenthealth.model.lease.Lease;
import dev.agenthealth.model.lease.LeaseReason;
import dev.agenthealth.model.lease.LeaseRule;
import dev.agenthealth.model.lease.LeaseStatus;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Leases: record, lock and pointer, always written in one transaction with the lease's event. A write that answers {@code false} changed
 * nothing, because somebody else was faster. Thread-safe.
 */
public final class LeaseStore {

    /** Ending a lease writes four items, and a transaction has room for a hundred. */
    public static final int MAX_ENDED_AT_ONCE = 25;

    private static final String LOCK_AS_SEEN = "#lease = :lease AND #status = :status AND #expires = :expires";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Transactions transactions;
    private final BatchReads reads;
    private final Clock clock;

    public LeaseStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.transactions = new Transactions(dynamoDb, retries);
        this.reads = new BatchReads(dynamoDb, retries);
        this.clock = clock;
    }

    /** A lease by its id, as of now; empty where there is none, or it ended long ago. */
    public Optional<Lease> find(String intentId, String leaseId) {
        return item(RegistryKeys.lease(intentId, leaseId)).map(LeaseItem::read);
    }

    /** The last lease of a scope, in force or not, as of now; empty where it was never leased, or long ago. */
    public Optional<Lease> ofScope(String intentId, String scope) {
        return item(RegistryKeys.lock(intentId, scope)).map(LeaseItem::read);
    }

    /**
     * Grants a lease, if the holder is still of the seen incarnation and takes work, and the scope is still as it was seen.
     *
     * @param seen the last lease of the scope; where it ran out and nobody has noted it yet, that is noted together with the grant
     */
    public boolean acquire(Optional<Lease> seen, Pulse holder, Lease lease) {
        Transactions.Items items = new Transactions.Items();
        items.check(ConditionCheck.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(holder.agentId()))
                .conditionExpression("#c = :c AND (#s = :active OR #s = :unhealthy)")
                .expressionAttributeNames(Map.of("#c", PulseItem.INCARNATION, "#s", PulseItem.STATUS))
                .expressionAttributeValues(Map.of(
                        ":c", n(holder.incarnation()),
                        ":active", s(StatusShard.letter(LifecycleStatus.ACTIVE)),
                        ":unhealthy", s(StatusShard.letter(LifecycleStatus.UNHEALTHY)))));
        items.put(lockPut(seen, lease));
        items.put(tables.registry(), LeaseItem.record(lease));
        items.put(tables.registry(), LeaseItem.pointer(lease));
        putEvent(items, lease, LeaseEvents.acquired(lease));
        seen.filter(previous -> previous.status() == LeaseStatus.ACTIVE)
                .ifPresent(previous ->
                        putEnded(items, previous.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, lease.acquiredAt())));
        return transactions.write("lease", items.list());
    }

    /** Gives a lease a later end, if its holder is still of the same incarnation and alive and nobody changed it meanwhile. */
    public boolean renew(Lease seen, Lease renewed) {
        Transactions.Items items = new Transactions.Items();
        items.check(ConditionCheck.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(seen.agentId()))
                .conditionExpression("#c = :c AND NOT #s IN (:dead, :deregistered)")
                .expressionAttributeNames(Map.of("#c", PulseItem.INCARNATION, "#s", PulseItem.STATUS))
                .expressionAttributeValues(Map.of(
                        ":c", n(seen.incarnation()),
                        ":dead", s(StatusShard.letter(LifecycleStatus.DEAD)),
                        ":deregistered", s(StatusShard.letter(LifecycleStatus.DEREGISTERED)))));
        items.put(lockPut(Optional.of(seen), renewed));
        items.put(tables.registry(), LeaseItem.record(renewed));
        return transactions.write("lease", items.list());
    }

    /**
     * Ends leases, all or none, each with its event, if nobody changed them meanwhile.
     *
     * @param seen at most {@link #MAX_ENDED_AT_ONCE} leases that have not ended
     * @param ended the same leases after their end, in the same order
     */
    public boolean end(List<Lease> seen, List<Lease> ended) {
        Transactions.Items items = new Transactions.Items();
        for (int i = 0; i < seen.size(); i++) {
            items.put(lockPut(Optional.of(seen.get(i)), ended.get(i)));
            putEnded(items, ended.get(i));
        }
        return transactions.write("end of leases", items.list());
    }

    /**
     * Whether this incarnation of an agent holds a lease in force. Leases that an earlier one left behind, and those that ran out and wait
     * to be noted, keep nobody from leaving.
     */
    public boolean holdsAny(Pulse holder, Instant now) {
        Pointers pointers = new Pointers(holder.agentId(), incarnation -> incarnation == holder.incarnation(), "");
        while (pointers.hasMore()) {
            if (records(pointers.next(MAX_ENDED_AT_ONCE)).stream().anyMatch(lease -> LeaseRule.isInForce(lease, now))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Leases of an agent that have not ended, as of now: at most {@code most} of them.
     *
     * @param incarnations whose leases
     */
    public List<Lease> ofAgent(String agentId, LongPredicate incarnations, int most) {
        return ofAgent(agentId, incarnations, "", most);
    }

    /**
     * The same in pages, in the order of their ids, which is that of their granting.
     *
     * @param after the last id of the page before; empty for the first
     */
    public List<Lease> ofAgent(String agentId, LongPredicate incarnations, String after, int most) {
        List<Lease> leases = new ArrayList<>();
        Pointers pointers = new Pointers(agentId, incarnations, after);
        while (leases.size() < most && pointers.hasMore()) {
            // A lease may end between the reads of its pointer and of itself.
            records(pointers.next(most - leases.size())).stream()
                    .filter(lease -> lease.status() == LeaseStatus.ACTIVE)
                    .sorted(Comparator.comparing(Lease::id))
                    .forEach(leases::add);
        }
        return leases;
    }

    /**
     * A page of an intent's leases, in the order of their ids, which is that of their granting.
     *
     * @param after the last id of the page before; empty for the first
     */
    public List<Lease> ofIntent(String intentId, String after, int limit) {
        List<Lease> leases = new ArrayList<>();
        QueryRequest.Builder request = inOrder(RegistryKeys.intent(intentId), after);
        boolean more = true;
        while (more && leases.size() < limit) {
            QueryRequest next = request.limit(limit - leases.size()).build();
            QueryResponse response = retries.call("list of leases", () -> dynamoDb.query(next));
            response.items().stream()
                    .filter(item -> !RegistryKeys.isExpired(item, clock.instant()))
                    .map(LeaseItem::read)
                    .forEach(leases::add);
            more = response.hasLastEvaluatedKey()
                    && !response.lastEvaluatedKey().isEmpty();
            request.exclusiveStartKey(response.lastEvaluatedKey());
        }
        return leases;
    }

    /** Up to {@code most} leases that ran out by {@code now} and have not ended, those that ran out first before the others. */
    public List<Lease> ranOut(Instant now, int most) {
        List<Lease> leases = new ArrayList<>();
        for (String partition : LeaseItem.expiryPartitions()) {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .indexName("feed")
                    .keyConditionExpression("#fp = :fp AND #fs < :end")
                    .expressionAttributeNames(Map.of("#fp", RegistryKeys.FEED_PK, "#fs", RegistryKeys.FEED_SK))
                    .expressionAttributeValues(Map.of(":fp", s(partition), ":end", s(LeaseItem.expiryPlaceAfter(now))))
                    .limit(most)
                    .build();
            retries.call("leases that ran out", () -> dynamoDb.query(request)).items().stream()
                    .map(LeaseItem::read)
                    .forEach(leases::add);
        }
        return leases;
    }

    private Optional<Map<String, AttributeValue>> item(Map<String, AttributeValue> key) {
        Map<String, AttributeValue> item = retries.call(
                        "read of a lease",
                        () -> dynamoDb.getItem(
                                r -> r.tableName(tables.registry()).key(key).consistentRead(true)))
                .item();
        return item.isEmpty() || RegistryKeys.isExpired(item, clock.instant()) ? Optional.empty() : Optional.of(item);
    }

    private List<Lease> records(List<Map<String, AttributeValue>> pointers) {
        List<Map<String, AttributeValue>> keys = pointers.stream()
                .map(pointer -> RegistryKeys.lease(text(pointer, LeaseItem.INTENT), text(pointer, LeaseItem.ID)))
                .toList();
        List<Lease> leases = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += BatchReads.MAX_KEYS) {
            List<Map<String, AttributeValue>> some =
                    keys.subList(from, Math.min(keys.size(), from + BatchReads.MAX_KEYS));
            reads.get(Map.of(tables.registry(), some), true).of(tables.registry()).stream()
                    .map(LeaseItem::read)
                    .forEach(leases::add);
        }
        return leases;
    }

    /** A query of the leases, or the pointers to leases, of a partition: those whose ids come after this one, all where it is empty. */
    private QueryRequest.Builder inOrder(String partition, String after) {
        return QueryRequest.builder()
                .tableName(tables.registry())
                .keyConditionExpression("#pk = :pk AND #sk BETWEEN :from AND :to")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK))
                .expressionAttributeValues(Map.of(
                        ":pk", s(partition),
                        ":from", s(RegistryKeys.LEASE_PREFIX + (after.isEmpty() ? "" : after + "!")),
                        ":to", s(RegistryKeys.LEASE_PREFIX + "~")))
                .consistentRead(true);
    }

    /** Goes through an agent's pointers, strongly consistent, page by page. */
    private final class Pointers {

        private final QueryRequest.Builder request;
        private final LongPredicate incarnations;
        private boolean more = true;

        Pointers(String agentId, LongPredicate incarnations, String after) {
            this.incarnations = incarnations;
            this.request = inOrder(RegistryKeys.agent(agentId), after);
        }

        boolean hasMore() {
            return more;
        }

        /** The next page, of at most so many; empty where none of the pointers on it is of these incarnations. */
        List<Map<String, AttributeValue>> next(int most) {
            QueryRequest page = request.limit(most).build();
            QueryResponse response = retries.call("leases of an agent", () -> dynamoDb.query(page));
            more = response.hasLastEvaluatedKey()
                    && !response.lastEvaluatedKey().isEmpty();
            request.exclusiveStartKey(response.lastEvaluatedKey());
            return response.items().stream()
                    .filter(pointer -> incarnations.test(LeaseItem.incarnationOfPointer(pointer)))
                    .toList();
        }
    }

    private Put.Builder lockPut(Optional<Lease> seen, Lease lease) {
        Put.Builder put = Put.builder().tableName(tables.registry()).item(LeaseItem.lock(lease));
        if (seen.isEmpty()) {
            return put.conditionExpression("attribute_not_exists(#pk) OR #ttl <= :now")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#ttl", RegistryKeys.EXPIRES))
                    .expressionAttributeValues(Map.of(":now", n(clock.instant().getEpochSecond())));
        }
        return put.conditionExpression(LOCK_AS_SEEN)
                .expressionAttributeNames(
                        Map.of("#lease", LeaseItem.ID, "#status", LeaseItem.STATUS, "#expires", LeaseItem.EXPIRES_AT))
                .expressionAttributeValues(Map.of(
                        ":lease", s(seen.get().id()),
                        ":status", s(seen.get().status().name()),
                        ":expires", n(seen.get().expiresAt().toEpochMilli())));
    }

    private void putEnded(Transactions.Items items, Lease ended) {
        items.put(tables.registry(), LeaseItem.record(ended));
        items.delete(tables.registry(), RegistryKeys.leasePointer(ended.agentId(), ended.id()));
        putEvent(items, ended, LeaseEvents.ended(ended));
    }

    private void putEvent(Transactions.Items items, Lease lease, Event event) {
        Map<String, AttributeValue> item = new HashMap<>(EventItem.of(event, clock.instant()));
        if (!lease.owner().isNone()) {
            item.put(EventItem.OWNER, b(lease.owner().bytes()));
        }
        items.put(tables.registry(), item);
    }
}
