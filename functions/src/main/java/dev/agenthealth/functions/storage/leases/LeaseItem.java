package dev.agenthealth.functions.storage.leases;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The three items of a lease, written together: its record, the lock on its scope, and its holder's pointer to it. While the lease is in
 * force, the lock is in the feed index by expiry, so that one query finds expired leases. This class owns the attribute names.
 */
final class LeaseItem {

    private static final Codec<Lease> LEASE = new Codec<>();

    static final Attribute<String> ID = LEASE.always("lease", TEXT, Lease::id);
    static final Attribute<String> INTENT = LEASE.always("intent", TEXT, Lease::intentId);
    private static final Attribute<String> SCOPE = LEASE.always("scope", TEXT, Lease::scope);
    private static final Attribute<String> AGENT = LEASE.always("agent", TEXT, Lease::agentId);
    private static final Attribute<String> ROLE = LEASE.optional("role", TEXT, Lease::roleId);
    static final Attribute<Long> INCARNATION = LEASE.always("c", NUMBER, Lease::incarnation);
    static final Attribute<String> OWNER_KEY =
            LEASE.optional("owner_key", TEXT, lease -> lease.owner().keyId());
    private static final Attribute<Long> TOKEN = LEASE.always("token", NUMBER, Lease::fencingToken);
    static final Attribute<LeaseStatus> STATUS =
            LEASE.always("status", TEXT.as(LeaseStatus.ACTIVE, LeaseStatus::name, LeaseStatus::valueOf), Lease::status);
    private static final Attribute<LeaseReason> REASON =
            LEASE.always("reason", TEXT.as(LeaseReason.NONE, LeaseReason::name, LeaseReason::valueOf), Lease::reason);
    private static final Attribute<Instant> ACQUIRED_AT = LEASE.always("acquired", MOMENT, Lease::acquiredAt);
    static final Attribute<Instant> EXPIRES_AT = LEASE.always("expires", MOMENT, Lease::expiresAt);
    private static final Attribute<Instant> ENDED_AT = LEASE.optional("ended", MOMENT.or(Instant.MAX), Lease::endedAt);

    /** The time for which an ended lease can be read. */
    private static final Duration RETENTION = Duration.ofDays(30);

    /** The number of shards of the leases in force in the feed index. */
    private static final int SHARDS = 4;

    private LeaseItem() {}

    static Map<String, AttributeValue> record(Lease lease) {
        return attributes(ItemKind.LEASE.key(lease.intentId(), lease.id()), lease);
    }

    /** Returns the lock. It is kept longer than its lease, because the next lease needs the fencing token. */
    static Map<String, AttributeValue> lock(Lease lease) {
        Map<String, AttributeValue> item = attributes(ItemKind.LOCK.key(lease.intentId(), lease.scope()), lease);
        if (lease.status() == LeaseStatus.ACTIVE) {
            item.put(
                    Attributes.FEED_PK,
                    s(expiryPartition(Math.floorMod(lease.id().hashCode(), SHARDS))));
            item.put(Attributes.FEED_SK, s(expiryPlace(lease.expiresAt()) + "#" + lease.id()));
        }
        return item;
    }

    static Map<String, AttributeValue> pointer(Lease lease) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.LEASE_POINTER.key(lease.agentId(), lease.id()));
        INTENT.put(item, lease.intentId());
        ID.put(item, lease.id());
        INCARNATION.put(item, lease.incarnation());
        return item;
    }

    /** Returns the partitions of the feed index with the locks in force. */
    static List<String> expiryPartitions() {
        return IntStream.range(0, SHARDS).mapToObj(LeaseItem::expiryPartition).toList();
    }

    /** Returns a position that sorts after every lock that expired at or before {@code moment}. */
    static String expiryPlaceAfter(Instant moment) {
        return expiryPlace(moment.plusMillis(1));
    }

    static Lease read(Map<String, AttributeValue> item) {
        return new Lease(
                ID.of(item),
                INTENT.of(item),
                SCOPE.of(item),
                new Lease.Holder(
                        AGENT.of(item),
                        ROLE.of(item),
                        INCARNATION.of(item),
                        new Owner(OWNER_KEY.of(item), KeyHash.NONE)),
                TOKEN.of(item),
                new Lease.Term(ACQUIRED_AT.of(item), EXPIRES_AT.of(item)),
                new Lease.State(STATUS.of(item), REASON.of(item), ENDED_AT.of(item)));
    }

    private static Map<String, AttributeValue> attributes(Map<String, AttributeValue> key, Lease lease) {
        Map<String, AttributeValue> item = LEASE.item(key, lease);
        if (lease.status() != LeaseStatus.ACTIVE) {
            item.put(Attributes.EXPIRES, seconds(lease.endedAt().plus(RETENTION)));
        }
        return item;
    }

    private static String expiryPartition(int shard) {
        return "X#" + shard;
    }

    private static String expiryPlace(Instant moment) {
        return Attributes.padded(moment.toEpochMilli(), 13);
    }
}
