package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.decimal;
import static dev.agenthealth.functions.storage.dynamo.Values.flag;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.trust.Call;
import dev.agenthealth.model.trust.Invocation;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One invocation in the log from which the online status is derived. */
final class LoggedInvocationItem {

    /** How long an invocation stays in the log: storage costs little compared to the write. */
    static final Duration RETENTION = Duration.ofDays(30);

    private static final String OK = "ok";
    private static final String LATENCY = "ms";
    private static final String LIMIT = "lim";
    private static final ItemKind KIND = ItemKind.AGENT_INVOCATION;

    private LoggedInvocationItem() {}

    static Map<String, AttributeValue> of(String partition, Invocation invocation) {
        String sortKey = KIND.sortKey(Attributes.padded(invocation.at().toEpochMilli(), 13), invocation.receiptId());
        Map<String, AttributeValue> item = Attributes.item(
                Attributes.key(partition, sortKey), invocation.at().plus(RETENTION));
        item.put(OK, flag(invocation.success()));
        item.put(LATENCY, n(invocation.latencyMs()));
        if (invocation.limitMs() < Call.NO_LIMIT) {
            item.put(LIMIT, decimal(invocation.limitMs()));
        }
        return item;
    }

    /** Whether an item is an invocation, rather than figures in the same partition. */
    static boolean is(Map<String, AttributeValue> item) {
        return text(item, Attributes.SK).startsWith(KIND.prefix());
    }

    static Call read(Map<String, AttributeValue> item) {
        String moment = KIND.afterPrefix(item).split("#", 2)[0];
        return new Call(
                item.get(OK).bool(),
                number(item, LATENCY, 0),
                item.containsKey(LIMIT) ? decimal(item, LIMIT) : Call.NO_LIMIT,
                Instant.ofEpochMilli(Long.parseLong(moment)));
    }
}
