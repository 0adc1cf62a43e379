package dev.agenthealth.functions.storage.leases;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.lease.Lease;
import dev.agenthealth.model.lease.LeaseReason;
import dev.agenthealth.model.lease.LeaseStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The three items of a lease, written together: its record, the lock on its scope, and its holder's pointer to it. While it is in force the
 * lock stands in the feed index by expiry, so that expired leases are found by one query. This class owns the
 * attribute names.
 */
final class LeaseItem {

    static final String ID = "lease";
    static final String STATUS = "status";
    static final String EXPIRES_AT = "expires";
    static final String INTENT = "intent";

    /** How long an ended lease can be read. */
    private static final Duration RETENTION = Duration.ofDays(30);

    private static final String SCOPE = "scope";
    private static final String AGENT = "agent";
    private static final String ROLE = "role";
    private static final String INCARNATION = "c";
    private static final String OWNER_KEY = "owner_key";

    private static final String TOKEN = "token";
    private static final String REASON = "reason";
    private static final String ACQUIRED_AT = "acquired";
    private static final String ENDED_AT = "ended";

    /** Shards of the leases in force in the feed index. */
    private static final int SHARDS = 4;

    private LeaseItem() {}

    static Map<String, AttributeValue> record(Lease lease) {
        return attributes(ItemKind.LEASE.key(lease.intentId(), lease.id()), lease);
    }

    /** The lock. It outlives its lease for the sake of the fencing token. */
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
        item.put(INTENT, s(lease.intentId()));
        item.put(ID, s(lease.id()));
        item.put(INCARNATION, n(lease.incarnation()));
        return item;
    }

    static long incarnationOfPointer(Map<String, AttributeValue> pointer) {
        return number(pointer, INCARNATION, 0);
    }

    /** The partitions of the feed index that hold the locks in force. */
    static List<String> expiryPartitions() {
        return IntStream.range(0, SHARDS).mapToObj(LeaseItem::expiryPartition).toList();
    }

    /** Sorts after every lock that expired at or before {@code moment}. */
    static String expiryPlaceAfter(Instant moment) {
        return expiryPlace(moment.plusMillis(1));
    }

    static Lease read(Map<String, AttributeValue> item) {
        return new Lease(
                text(item, ID),
                text(item, INTENT),
                text(item, SCOPE),
                text(item, AGENT),
                text(item, ROLE),
                number(item, INCARNATION, 0),
                new Owner(text(item, OWNER_KEY), KeyHash.NONE),
                number(item, TOKEN, 0),
                LeaseStatus.valueOf(text(item, STATUS)),
                LeaseReason.valueOf(text(item, REASON)),
                moment(item, ACQUIRED_AT, Instant.EPOCH),
                moment(item, EXPIRES_AT, Instant.EPOCH),
                moment(item, ENDED_AT, Instant.MAX));
    }

    private static Map<String, AttributeValue> attributes(Map<String, AttributeValue> key, Lease lease) {
        Map<String, AttributeValue> item = Attributes.item(key);
        item.put(ID, s(lease.id()));
        item.put(INTENT, s(lease.intentId()));
        item.put(SCOPE, s(lease.scope()));
        item.put(AGENT, s(lease.agentId()));
        putText(item, ROLE, lease.roleId());
        item.put(INCARNATION, n(lease.incarnation()));
        putText(item, OWNER_KEY, lease.owner().keyId());
        item.put(TOKEN, n(lease.fencingToken()));
        item.put(STATUS, s(lease.status().name()));
        item.put(REASON, s(lease.reason().name()));
        item.put(ACQUIRED_AT, moment(lease.acquiredAt()));
        item.put(EXPIRES_AT, moment(lease.expiresAt()));
        if (lease.status() != LeaseStatus.ACTIVE) {
            item.put(ENDED_AT, moment(lease.endedAt()));
            item.put(Attributes.EXPIRES, n(lease.endedAt().plus(RETENTION).getEpochSecond()));
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
