package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.gateway.CallHours;
import dev.agenthealth.model.gateway.CallSums;
import dev.agenthealth.model.health.trust.Invocation;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The sums of the calls of one caller to one agent on a day, by hour. A day's sums lie in {@value #SHARDS} partitions, and the sums of one caller and
 * agent in {@value #ITEMS} items, as concurrent transactions on one item conflict. Every write only adds.
 */
final class CallSumsItem {

    static final int SHARDS = 8;

    private static final int ITEMS = 16;

    /** The prefix of the number of calls; the hour of the day follows. */
    private static final String CALLS = "n";

    /** The prefix of the number of failures; the hour of the day follows. */
    private static final String FAILURES = "f";

    private CallSumsItem() {}

    /** Adds an invocation. */
    static Update addition(Invocation invocation) {
        long day = CallHours.day(invocation.at());
        int hour = CallHours.hourOfDay(invocation.at());
        Instant midnight = Instant.EPOCH.plus(Duration.ofDays(day));
        Update update = Update.upsert(ItemKind.CALL_SUMS.key(
                        Long.toString(day),
                        Integer.toString(shard(invocation.agentId())),
                        invocation.agentId(),
                        invocation.callerKeyId(),
                        Integer.toString(mixed(invocation.receiptId()) % ITEMS)))
                .set(Attributes.EXPIRES, seconds(midnight.plus(CallHours.RETENTION)))
                .add(CALLS + hour, n(1));
        return invocation.success() ? update : update.add(FAILURES + hour, n(1));
    }

    static String partition(long day, int shard) {
        return ItemKind.CALL_SUMS.partition(Long.toString(day), Integer.toString(shard));
    }

    static int shard(String agentId) {
        return mixed(agentId) % SHARDS;
    }

    /** Returns the agent and the caller of an item. */
    static CallSumsStore.Pair pair(String sortKey) {
        String[] parts = sortKey.split("#", 3);
        return new CallSumsStore.Pair(parts[1], parts[0]);
    }

    static CallSums read(Map<String, AttributeValue> item, long day, CallHours window) {
        CallSums sums = CallSums.NONE;
        for (int hour = 0; hour < CallHours.HOURS_OF_DAY; hour++) {
            if (window.contains(day, hour)) {
                sums = sums.plus(new CallSums(number(item, CALLS + hour, 0), number(item, FAILURES + hour, 0)));
            }
        }
        return sums;
    }

    /** Returns a hash of at least 0 whose low bits depend on the whole id. */
    private static int mixed(String id) {
        int mixed = id.hashCode() * 0x9E3779B9;
        return (mixed ^ mixed >>> 16) & Integer.MAX_VALUE;
    }
}
