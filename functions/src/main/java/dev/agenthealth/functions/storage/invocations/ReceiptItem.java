package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The item of a receipt. It stands in the index {@code due} by its deadline until the invocation is over and its outcome is counted. This
 * class owns the attribute names.
 */
final class ReceiptItem {

    static final String STATE = "st";
    static final String ATTEMPT = "n";
    static final String DEADLINE = "dl";
    static final String FINISHED_AT = "end";
    static final String LATENCY = "ms";
    static final String FAILURE = "why";
    /** Who called it running: tells one's own write, whose answer was lost, from another's. */
    static final String CLAIM = "by";

    private static final String AGENT = "agent";
    private static final String KEY = "key";
    private static final String ASYNCHRONOUS = "async";
    private static final String TIMEOUT = "limit";
    private static final String CREATED_AT = "at";

    /** At thousands of invocations a second, each of which enters and leaves the index, no partition of it gets hot. */
    private static final int SHARDS = 16;

    private ReceiptItem() {}

    static Map<String, AttributeValue> of(Receipt receipt) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.receipt(receipt.id()));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(RegistryKeys.DUE_PK, s(partition(shard(receipt.id()))));
        item.put(RegistryKeys.DUE_SK, s(dueAt(receipt.deadline())));
        item.put(RegistryKeys.EXPIRES, n(receipt.expiresAt().getEpochSecond()));
        item.put(AGENT, s(receipt.agentId()));
        item.put(KEY, s(receipt.keyId()));
        if (receipt.asynchronous()) {
            item.put(ASYNCHRONOUS, AttributeValue.fromBool(true));
        }
        item.put(ATTEMPT, n(receipt.attempt()));
        item.put(TIMEOUT, n(receipt.timeout().toMillis()));
        item.put(CREATED_AT, n(receipt.createdAt().toEpochMilli()));
        item.put(DEADLINE, n(receipt.deadline().toEpochMilli()));
        item.put(STATE, s(receipt.state().word()));
        return item;
    }

    static Receipt read(String receiptId, Map<String, AttributeValue> item) {
        return new Receipt(
                receiptId,
                text(item, AGENT),
                text(item, KEY),
                item.containsKey(ASYNCHRONOUS),
                (int) number(item, ATTEMPT, 1),
                Duration.ofMillis(number(item, TIMEOUT, 0)),
                moment(item, CREATED_AT, Instant.EPOCH),
                moment(item, DEADLINE, Instant.EPOCH),
                state(item));
    }

    private static ReceiptState state(Map<String, AttributeValue> item) {
        Instant end = moment(item, FINISHED_AT, Instant.EPOCH);
        long latency = number(item, LATENCY, 0);
        return switch (text(item, STATE)) {
            case "accepted" -> new ReceiptState.Accepted();
            case "running" -> new ReceiptState.Running();
            case "succeeded" -> new ReceiptState.Succeeded(end, latency);
            // A kind of failure that this version does not know is another version's, which also counts it.
            default ->
                new ReceiptState.Failed(
                        end,
                        latency,
                        InvocationFailure.ofWord(text(item, FAILURE)).orElse(InvocationFailure.INTERRUPTED));
        };
    }

    static int shards() {
        return SHARDS;
    }

    /** The partition of the index in which the receipts of a shard stand. */
    static String partition(int shard) {
        return "Z#" + shard;
    }

    /** A deadline as the index sorts it. */
    static String dueAt(Instant deadline) {
        return RegistryKeys.padded(deadline.getEpochSecond(), 10);
    }

    static String receiptId(Map<String, AttributeValue> key) {
        return text(key, RegistryKeys.PK).substring("Z#".length());
    }

    private static int shard(String receiptId) {
        return Math.floorMod(receiptId.hashCode(), SHARDS);
    }
}
