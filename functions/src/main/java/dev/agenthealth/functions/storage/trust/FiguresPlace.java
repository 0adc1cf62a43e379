package dev.agenthealth.functions.storage.trust;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.model.trust.TrustSubject;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Where figures and log of an agent or a provider stand, so that writes do not get in each other's way: DynamoDB takes about 1,000 write units a
 * second for an item or a partition, and cancels a transaction that meets another one at an item.
 *
 * <p>An agent's figures are spread over {@value #ITEMS_OF_AGENT} items beside its log, which one query reads all. A provider's are spread over
 * {@value #PARTITIONS_OF_PROVIDER} partitions of {@value #ITEMS_OF_PROVIDER} items, each partition with a log of its own. At 2,000 invocations a
 * second of one provider, each item takes part in about 31 transactions a second, and each partition takes 500 write units.
 */
final class FiguresPlace {

    /** An agent has a single partition, with so many items of figures. */
    static final int ITEMS_OF_AGENT = 16;

    /** A provider has so many partitions. */
    static final int PARTITIONS_OF_PROVIDER = 16;

    /** Each of them has so many items of figures. */
    static final int ITEMS_OF_PROVIDER = 4;

    private FiguresPlace() {}

    /** The partitions in which something may stand. */
    static List<String> partitions(TrustSubject subject) {
        return IntStream.range(0, partitionsOf(subject))
                .mapToObj(number -> partition(subject, number))
                .toList();
    }

    /** The partition for something with this id. */
    static String partition(TrustSubject subject, String id) {
        return partition(subject, mixed(id) % partitionsOf(subject));
    }

    /** The key of the item of figures for something with this id. */
    static Map<String, AttributeValue> figures(TrustSubject subject, String id) {
        int number = mixed(id) / partitionsOf(subject) % itemsOfPartition(subject);
        return RegistryKeys.key(partition(subject, id), RegistryKeys.FIGURES_PREFIX + RegistryKeys.padded(number, 2));
    }

    /** So many items of figures may stand in a partition. */
    static int itemsOfPartition(TrustSubject subject) {
        return subject instanceof TrustSubject.OfProvider ? ITEMS_OF_PROVIDER : ITEMS_OF_AGENT;
    }

    private static int partitionsOf(TrustSubject subject) {
        return subject instanceof TrustSubject.OfProvider ? PARTITIONS_OF_PROVIDER : 1;
    }

    private static String partition(TrustSubject subject, int number) {
        return subject instanceof TrustSubject.OfProvider
                ? RegistryKeys.provider(subject.id(), number)
                : RegistryKeys.agent(subject.id());
    }

    /** A number of an id, at least 0, the bits of which depend on all of it: ids that were made one after the other differ in a few letters. */
    private static int mixed(String id) {
        int mixed = id.hashCode() * 0x9E3779B9;
        mixed = (mixed ^ mixed >>> 15) * 0x85EBCA6B;
        return (mixed ^ mixed >>> 13) & Integer.MAX_VALUE;
    }
}
