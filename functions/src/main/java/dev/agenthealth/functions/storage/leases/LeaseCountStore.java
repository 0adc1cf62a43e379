package dev.agenthealth.functions.storage.leases;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBERS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lease.LeaseCounts;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Counts the live leases of each owner, and stores the last count in one item. Thread-safe. */
public final class LeaseCountStore {

    /** The maximum number of owners with their own count in the item. An owner beyond them has few leases. */
    static final int MAX_OWNERS = 500;

    private static final int BASE = 36;

    private static final Codec<LeaseCounts> COUNTS = new Codec<>();
    private static final Attribute<Instant> AT = COUNTS.always("at", MOMENT, LeaseCounts::at);
    private static final Attribute<Long> IN_ALL = COUNTS.always("leases", NUMBER, LeaseCounts::inAll);
    private static final Attribute<Map<String, Long>> BY_OWNER =
            COUNTS.optional("owners", NUMBERS, LeaseCountStore::texts);

    private final Table registry;

    public LeaseCountStore(Database database) {
        this.registry = database.registry();
    }

    /** Counts the leases without a stored end, expired or not. Reads each lease once. */
    public LeaseCounts count(Instant now) {
        Map<Long, Long> byOwner = new HashMap<>();
        LeaseItem.expiryPartitions().stream()
                .map(partition -> Query.index(Attributes.FEED_INDEX, Attributes.FEED_PK, Attributes.FEED_SK, partition)
                        .project(LeaseItem.OWNER_KEY.name()))
                .flatMap(registry::all)
                .forEach(item -> byOwner.merge(
                        OwnerCounts.numberOf(new Owner(LeaseItem.OWNER_KEY.of(item), KeyHash.NONE)), 1L, Long::sum));
        long inAll = byOwner.values().stream().mapToLong(Long::longValue).sum();
        return new LeaseCounts(now, inAll, byOwner);
    }

    /** Stores a count. */
    public void put(LeaseCounts counts) {
        registry.put(COUNTS.item(ItemKind.LEASE_COUNTS.key(), counts.largest(MAX_OWNERS)));
    }

    /** Returns the last count, eventually consistent. */
    public LeaseCounts last() {
        Map<String, AttributeValue> item = registry.get(ItemKind.LEASE_COUNTS.key(), false);
        return item.isEmpty() ? LeaseCounts.NONE : new LeaseCounts(AT.of(item), IN_ALL.of(item), numbers(item));
    }

    private static Map<String, Long> texts(LeaseCounts counts) {
        return counts.byOwner().entrySet().stream()
                .collect(Collectors.toMap(owner -> Long.toString(owner.getKey(), BASE), Map.Entry::getValue));
    }

    private static Map<Long, Long> numbers(Map<String, AttributeValue> item) {
        return BY_OWNER.of(item).entrySet().stream()
                .collect(Collectors.toMap(owner -> Long.valueOf(owner.getKey(), BASE), Map.Entry::getValue));
    }
}
