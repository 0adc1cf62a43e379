package dev.agenthealth.functions.storage.leases;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Page;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.storage.pulses.PulseConditions;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.LeaseEvents;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseRule;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores leases: record, lock and pointer, written in one transaction with the lease's event. A write that returns {@code false} changed
 * nothing, because a concurrent write changed the data on which it was decided. Thread-safe.
 */
public final class LeaseStore {

    /** Maximum number of leases in one call of {@link #end}: each lease takes four of the hundred writes of a transaction. */
    public static final int MAX_ENDED_AT_ONCE = 25;

    /** Maximum number of items of one batch of reads. */
    private static final int MAX_READ_AT_ONCE = 100;

    private final Database database;
    private final Table registry;

    public LeaseStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Returns a lease by its id, as of now; empty if there is none, or it ended more than 30 days ago. */
    public Optional<Lease> find(String intentId, String leaseId) {
        return read(ItemKind.LEASE.key(intentId, leaseId));
    }

    /** Returns the last lease of a scope, in force or not, as of now; empty if there is none, or it ended more than 30 days ago. */
    public Optional<Lease> ofScope(String intentId, String scope) {
        return read(ItemKind.LOCK.key(intentId, scope));
    }

    /**
     * Grants a lease, if the holder still has the seen incarnation and takes work, and the scope is unchanged.
     *
     * @param seen the last lease of the scope; if it expired and its end is not stored yet, the grant also stores its end
     */
    public boolean acquire(Optional<Lease> seen, Pulse holder, Lease lease) {
        Condition takesWork = PulseConditions.statusIn(LifecycleStatus.ACTIVE, LifecycleStatus.UNHEALTHY);
        Transaction transaction = database.transaction()
                .check(
                        database.pulses(),
                        PulseItem.key(holder.agentId()),
                        PulseConditions.incarnationIs(holder.incarnation()).and(takesWork))
                .put(registry, LeaseItem.lock(lease), scopeIs(seen))
                .put(registry, LeaseItem.record(lease))
                .put(registry, LeaseItem.pointer(lease))
                .put(registry, event(lease, LeaseEvents.acquired(lease)));
        seen.filter(previous -> previous.status() == LeaseStatus.ACTIVE)
                .ifPresent(previous -> putEnded(
                        transaction, previous.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, lease.acquiredAt())));
        return transaction.commit();
    }

    /** Renews a lease, if it is unchanged and its holder has the same incarnation and is not gone. */
    public boolean renew(Lease seen, Lease renewed) {
        Condition gone = PulseConditions.statusIn(LifecycleStatus.DEAD, LifecycleStatus.DEREGISTERED);
        return database.transaction()
                .check(
                        database.pulses(),
                        PulseItem.key(seen.agentId()),
                        PulseConditions.incarnationIs(seen.incarnation()).and(gone.not()))
                .put(registry, LeaseItem.lock(renewed), scopeIs(Optional.of(seen)))
                .put(registry, LeaseItem.record(renewed))
                .commit();
    }

    /**
     * Ends leases, each with its event, if all of them are unchanged. Ends all leases or none.
     *
     * @param seen at most {@link #MAX_ENDED_AT_ONCE} leases that have not ended
     * @param ended the same leases after their end, in the same order
     */
    public boolean end(List<Lease> seen, List<Lease> ended) {
        Transaction transaction = database.transaction();
        for (int i = 0; i < seen.size(); i++) {
            transaction.put(registry, LeaseItem.lock(ended.get(i)), scopeIs(Optional.of(seen.get(i))));
            putEnded(transaction, ended.get(i));
        }
        return transaction.commit();
    }

    /** Returns whether this incarnation of an agent holds a lease in force, as of now. */
    public boolean holdsAny(Pulse holder, Instant now) {
        for (Page pointers : registry.pages(pointers(holder.agentId(), ""), MAX_ENDED_AT_ONCE)) {
            if (records(pointers, incarnation -> incarnation == holder.incarnation())
                    .anyMatch(lease -> LeaseRule.isInForce(lease, now))) {
                return true;
            }
        }
        return false;
    }

    /** Counts the leases of an agent without a stored end, of all incarnations, up to a limit. Costs one query. */
    public int liveOf(String agentId, int limit) {
        return registry.first(limit, pointers(agentId, "").project(LeaseItem.ID.name()))
                .size();
    }

    /** Returns all leases in force of this incarnation of an agent, as of now. */
    public List<Lease> inForce(Pulse holder, Instant now) {
        List<Lease> leases = new ArrayList<>();
        for (Page pointers : registry.pages(pointers(holder.agentId(), ""), MAX_READ_AT_ONCE)) {
            records(pointers, incarnation -> incarnation == holder.incarnation())
                    .filter(lease -> LeaseRule.isInForce(lease, now))
                    .forEach(leases::add);
        }
        return leases;
    }

    /**
     * Returns leases of an agent that have not ended, as of now, in the order of their ids, which is the order of their granting.
     *
     * @param incarnations selects the incarnations of the leases
     * @param after the last id of the previous page; empty for the first page
     */
    public List<Lease> ofAgent(String agentId, LongPredicate incarnations, String after, int limit) {
        List<Lease> leases = new ArrayList<>();
        for (Page pointers : registry.pages(pointers(agentId, after), limit)) {
            // A lease may end between the read of its pointer and the read of its record.
            records(pointers, incarnations)
                    .filter(lease -> lease.status() == LeaseStatus.ACTIVE)
                    .sorted(Comparator.comparing(Lease::id))
                    .forEach(leases::add);
            if (leases.size() >= limit) {
                return leases.subList(0, limit);
            }
        }
        return leases;
    }

    /**
     * Returns a page of an intent's leases, in the order of their ids, which is the order of their granting.
     *
     * @param after the last id of the previous page; empty for the first page
     */
    public List<Lease> ofIntent(String intentId, String after, int limit) {
        Query query = leases(ItemKind.LEASE.partition(intentId), after).filter(Condition.unexpired(database.now()));
        return registry.first(limit, query).stream().map(LeaseItem::read).toList();
    }

    /** Returns leases that have not ended although their time is over at {@code now}, from each partition the first {@code limit}. */
    public List<Lease> expired(Instant now, int limit) {
        return LeaseItem.expiryPartitions().stream()
                .map(partition -> Query.index(Attributes.FEED_INDEX, Attributes.FEED_PK, Attributes.FEED_SK, partition)
                        .before(LeaseItem.expiryPlaceAfter(now)))
                .flatMap(query -> registry.first(limit, query).stream())
                .map(LeaseItem::read)
                .toList();
    }

    /**
     * Returns leases that have not ended and end later than any lease can, because a clock ran ahead. Returns the first {@code limit} of
     * each partition.
     */
    public List<Lease> ahead(Instant now, int limit) {
        Instant latest = now.plus(Lease.MAX_LENGTH).plus(ClockRule.MAX_SKEW);
        return LeaseItem.expiryPartitions().stream()
                .map(partition -> Query.index(Attributes.FEED_INDEX, Attributes.FEED_PK, Attributes.FEED_SK, partition)
                        .after(LeaseItem.expiryPlaceAfter(latest)))
                .flatMap(query -> registry.first(limit, query).stream())
                .map(LeaseItem::read)
                .toList();
    }

    private Optional<Lease> read(Map<String, AttributeValue> key) {
        return database.findUnexpired(key).map(LeaseItem::read);
    }

    /** Returns the leases of the pointers of these incarnations. */
    private Stream<Lease> records(Page pointers, LongPredicate incarnations) {
        List<Map<String, AttributeValue>> keys = pointers.items().stream()
                .filter(pointer -> incarnations.test(LeaseItem.INCARNATION.of(pointer)))
                .map(pointer -> ItemKind.LEASE.key(LeaseItem.INTENT.of(pointer), LeaseItem.ID.of(pointer)))
                .toList();
        return registry.getAll(keys, true).stream().map(LeaseItem::read);
    }

    private static Query pointers(String agentId, String after) {
        return leases(ItemKind.LEASE_POINTER.partition(agentId), after);
    }

    /** Returns a query of the leases, or the pointers to leases, of a partition, by id. If {@code after} is not empty, the query begins after it. */
    private static Query leases(String partition, String after) {
        return Query.partition(partition)
                .startingWith(ItemKind.LEASE.prefix(), after)
                .consistent();
    }

    /** Returns the condition that the last lease of the scope is as it was seen. */
    private Condition scopeIs(Optional<Lease> seen) {
        return seen.map(lease -> LeaseItem.ID
                        .is(lease.id())
                        .and(LeaseItem.STATUS.is(lease.status()))
                        .and(LeaseItem.EXPIRES_AT.is(lease.expiresAt())))
                .orElseGet(() -> Condition.absentOrExpired(database.now()));
    }

    private void putEnded(Transaction transaction, Lease ended) {
        transaction
                .put(registry, LeaseItem.record(ended))
                .delete(registry, ItemKind.LEASE_POINTER.key(ended.agentId(), ended.id()))
                .put(registry, event(ended, LeaseEvents.ended(ended)));
    }

    private Map<String, AttributeValue> event(Lease lease, Event event) {
        Map<String, AttributeValue> item = EventItem.of(event, database);
        EventItem.putOwner(item, lease.owner());
        return item;
    }
}
