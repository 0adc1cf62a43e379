package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The tombstone of an erased agent: the numbers that continue if its id is registered again, the hash of its owner key, and the progress of
 * the erasure. It stands in no index. This class owns the names of the attributes that other tombstones do not have.
 */
final class ErasureItem {

    static final String BEGUN_AT = "ea";
    static final String PASSES = "en";
    static final String PASS_BEGUN_AT = "eb";
    static final String POSITION = "ek";
    static final String DONE = "ed";
    /** Until when a request has claimed the erasure. */
    static final String TAKEN_UNTIL = "et";

    private ErasureItem() {}

    static Map<String, AttributeValue> of(Pulse pulse, Instant now) {
        Map<String, AttributeValue> item = TombstoneItem.of(pulse, now);
        item.remove(Attributes.FEED_PK);
        item.remove(Attributes.FEED_SK);
        item.put(BEGUN_AT, moment(now));
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

    /** The attributes of an erasure that change. */
    static Map<String, AttributeValue> progress(Erasure erasure) {
        Map<String, AttributeValue> attributes = new HashMap<>();
        attributes.put(PASSES, n(erasure.passes()));
        if (erasure.isUnderWay()) {
            attributes.put(PASS_BEGUN_AT, moment(erasure.passBegunAt()));
            attributes.put(POSITION, s(erasure.position()));
        }
        if (erasure.done()) {
            attributes.put(DONE, n(1));
        }
        return attributes;
    }
}
