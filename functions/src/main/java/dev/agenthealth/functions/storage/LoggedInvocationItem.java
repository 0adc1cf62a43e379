package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.n;

import dev.agenthealth.model.trust.Invocation;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One invocation in the log from which the online status is judged. This class owns the attribute names. */
final class LoggedInvocationItem {

    /** How long an invocation stays in the log. */
    static final Duration RETENTION = Duration.ofDays(7);

    /** Over so many partitions the log of a provider is spread. */
    static final int PARTITIONS_OF_PROVIDER = 16;

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
}
