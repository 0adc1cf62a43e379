package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The tombstone of an archived agent: the attributes of its pulse, moved to the registry table. The pulses table then holds only the
 * monitored fleet.
 */
final class TombstoneItem {

    /** The time for which a tombstone is kept. It is longer than the life of the agent's events, because the event numbers must not start again. */
    static final Duration RETENTION = Duration.ofDays(400);

    private TombstoneItem() {}

    static Map<String, AttributeValue> of(Pulse pulse, Instant now) {
        Map<String, AttributeValue> item = PulseItem.of(pulse);
        item.remove(PulseItem.ID);
        item.remove(PulseItem.STATUS_SHARD);
        item.putAll(ItemKind.TOMBSTONE.key(pulse.agentId()));
        item.put(Attributes.FEED_PK, s(feedPartition(StatusShard.of(pulse.status(), pulse.agentId()))));
        item.put(Attributes.FEED_SK, s(pulse.agentId()));
        item.put(Attributes.EXPIRES, seconds(expiry(now)));
        return item;
    }

    static Pulse read(String agentId, Map<String, AttributeValue> item) {
        Map<String, AttributeValue> row = new HashMap<>(item);
        row.put(PulseItem.ID, s(agentId));
        return PulseItem.read(row);
    }

    /** Returns the partition of the feed index with the tombstones of a status and shard. */
    static String feedPartition(String statusShard) {
        return "T#" + statusShard;
    }

    static Instant expiry(Instant now) {
        return now.plus(RETENTION);
    }
}
