package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What is kept of the pulse of an agent that has been gone for an hour: the pulse's own attributes, moved to the registry table,
 * so that the pulses table has the size of the living fleet.
 */
public final class TombstoneItem {

    /** How long a gone agent is remembered; longer than its events, whose numbers must not begin again. */
    static final Duration RETENTION = Duration.ofDays(400);

    private TombstoneItem() {}

    public static Map<String, AttributeValue> of(Pulse pulse, Instant now) {
        Map<String, AttributeValue> item = new HashMap<>(PulseItem.of(pulse));
        item.remove(PulseItem.ID);
        item.remove(PulseItem.STATUS_SHARD);
        item.putAll(RegistryKeys.tombstone(pulse.agentId()));
        item.put(RegistryKeys.FEED_PK, s(feedPartition(StatusShard.of(pulse.status(), pulse.agentId()))));
        item.put(RegistryKeys.FEED_SK, s(pulse.agentId()));
        item.put(RegistryKeys.EXPIRES, n(expiry(now)));
        return item;
    }

    public static Pulse read(String agentId, Map<String, AttributeValue> item) {
        Map<String, AttributeValue> row = new HashMap<>(item);
        row.put(PulseItem.ID, s(agentId));
        return PulseItem.read(row);
    }

    /** The partition of the feed index that holds the tombstones of a status and shard. */
    static String feedPartition(String statusShard) {
        return "T#" + statusShard;
    }

    static LifecycleStatus status(Map<String, AttributeValue> item) {
        return PulseItem.status(item);
    }

    static long expiry(Instant now) {
        return now.plus(RETENTION).getEpochSecond();
    }
}
