package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The tombstone of an erased agent: the numbers that must go on if its id is registered again, whose id it is, and how far the erasure got. It
 * stands in no index. This class owns the names of what a tombstone does not have.
 */
final class ErasureItem {

    static final String BEGUN_AT = "ea";
    static final String PASSES = "en";
    static final String PASS_BEGUN_AT = "eb";
    static final String POSITION = "ek";
    static final String DONE = "ed";
    /** Until when the request that took the erasure up has it for itself. */
    static final String TAKEN_UNTIL = "et";

    private ErasureItem() {}

    static Map<String, AttributeValue> of(Pulse pulse, Instant now) {
        Map<String, AttributeValue> item = new HashMap<>(TombstoneItem.of(pulse, now));
        item.remove(RegistryKeys.FEED_PK);
        item.remove(RegistryKeys.FEED_SK);
        item.put(BEGUN_AT, n(now.toEpochMilli()));
        return item;
    }

    /** Whether a tombstone is that of an erased agent. */
    static boolean is(Map<String, AttributeValue> tombstone) {
        return tombstone.containsKey(BEGUN_AT);
    }

    static Optional<Erasure> read(String agentId, Map<String, AttributeValue> item) {
        return is(item)
                ? Optional.of(new Erasure(
                        agentId,
                        moment(item, BEGUN_AT, Instant.EPOCH),
                        number(item, PASSES, 0),
                        moment(item, PASS_BEGUN_AT, Instant.MAX),
                        text(item, POSITION),
                        item.containsKey(DONE)))
                : Optional.empty();
    }

    /** What of an erasure changes. */
    static Map<String, AttributeValue> progress(Erasure erasure) {
        Map<String, AttributeValue> attributes = new HashMap<>();
        attributes.put(PASSES, n(erasure.passes()));
        if (erasure.isUnderWay()) {
            attributes.put(PASS_BEGUN_AT, n(erasure.passBegunAt().toEpochMilli()));
            attributes.put(POSITION, s(erasure.position()));
        }
        if (erasure.done()) {
            attributes.put(DONE, n(1));
        }
        return attributes;
    }
}
