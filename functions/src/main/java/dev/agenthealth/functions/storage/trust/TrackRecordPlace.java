package dev.agenthealth.functions.storage.trust;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.health.trust.TrustSubject;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Distributes the track record and the log of an agent or a provider over items and partitions. DynamoDB takes about 1,000 write units per
 * second for an item or a partition, and cancels a transaction that conflicts with another transaction on an item.
 *
 * <p>An agent has {@value #ITEMS_OF_AGENT} items beside its log, read by one query. A provider has {@value #PARTITIONS_OF_PROVIDER}
 * partitions of {@value #ITEMS_OF_PROVIDER} items, each with a log. At 2,000 invocations per second of one provider, each item is in about
 * 31 transactions per second, and each partition takes 500 write units.
 */
final class TrackRecordPlace {

    /** The number of items in the single partition of an agent. */
    static final int ITEMS_OF_AGENT = 16;

    static final int PARTITIONS_OF_PROVIDER = 16;

    /** The number of items in each partition of a provider. */
    static final int ITEMS_OF_PROVIDER = 4;

    private TrackRecordPlace() {}

    /** Returns all partitions of an agent or a provider. */
    static List<String> partitions(TrustSubject subject) {
        return IntStream.range(0, partitionsOf(subject))
                .mapToObj(number -> partition(subject, number))
                .toList();
    }

    /** Returns the partition for a receipt or batch with this id. */
    static String partition(TrustSubject subject, String id) {
        return partition(subject, mixed(id) % partitionsOf(subject));
    }

    /** Returns the key of the item for a receipt or batch with this id. */
    static Map<String, AttributeValue> key(TrustSubject subject, String id) {
        int number = mixed(id) / partitionsOf(subject) % itemsOfPartition(subject);
        return Attributes.key(
                partition(subject, id), ItemKind.AGENT_TRACK_RECORD.sortKey(Attributes.padded(number, 2)));
    }

    /** Returns the maximum number of items in a partition. */
    static int itemsOfPartition(TrustSubject subject) {
        return subject instanceof TrustSubject.OfProvider ? ITEMS_OF_PROVIDER : ITEMS_OF_AGENT;
    }

    private static int partitionsOf(TrustSubject subject) {
        return subject instanceof TrustSubject.OfProvider ? PARTITIONS_OF_PROVIDER : 1;
    }

    private static String partition(TrustSubject subject, int number) {
        return subject instanceof TrustSubject.OfProvider
                ? ItemKind.PROVIDER_TRACK_RECORD.partition(subject.id(), Integer.toString(number))
                : ItemKind.AGENT_TRACK_RECORD.partition(subject.id());
    }

    /** Returns a hash of at least 0 whose low bits depend on the whole id, because ids created in a row differ only in a few characters. */
    private static int mixed(String id) {
        int mixed = id.hashCode() * 0x9E3779B9;
        mixed = (mixed ^ mixed >>> 15) * 0x85EBCA6B;
        return (mixed ^ mixed >>> 13) & Integer.MAX_VALUE;
    }
}
