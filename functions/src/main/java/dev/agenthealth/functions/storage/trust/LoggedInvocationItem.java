package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.model.trust.Call;
import dev.agenthealth.model.trust.Invocation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One invocation in the log from which the online status is judged. This class owns the attribute names. */
final class LoggedInvocationItem {

    /** How long an invocation stays in the log: storing it for so long costs little beside writing it. */
    static final Duration RETENTION = Duration.ofDays(30);

    private static final String OK = "ok";
    private static final String LATENCY = "ms";

    private LoggedInvocationItem() {}

    /** The item of an invocation in one of the logs. */
    static Map<String, AttributeValue> of(String partition, Invocation invocation) {
        Map<String, AttributeValue> item =
                new HashMap<>(RegistryKeys.loggedInvocation(partition, invocation.at(), invocation.receiptId()));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(OK, AttributeValue.fromBool(invocation.success()));
        item.put(LATENCY, n(invocation.latencyMs()));
        item.put(RegistryKeys.EXPIRES, n(invocation.at().plus(RETENTION).getEpochSecond()));
        return item;
    }

    /** Whether an item is an invocation, rather than figures that stand beside it. */
    static boolean is(Map<String, AttributeValue> item) {
        return item.get(RegistryKeys.SK).s().startsWith(RegistryKeys.INVOCATION_PREFIX);
    }

    static Call read(Map<String, AttributeValue> item) {
        String moment = item.get(RegistryKeys.SK).s().split("#", 3)[1];
        return new Call(item.get(OK).bool(), number(item, LATENCY, 0), Instant.ofEpochMilli(Long.parseLong(moment)));
    }
}
