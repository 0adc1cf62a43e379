package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.Values.flag;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.gateway.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The item of a receipt, in the index {@value Attributes#DUE_INDEX} by its deadline until the outcome of the invocation is counted. */
final class ReceiptItem {

    static final String STATE = "st";
    static final String ATTEMPT = "n";
    static final String DEADLINE = "dl";
    static final String FINISHED_AT = "end";
    static final String LATENCY = "ms";
    static final String FAILURE = "why";
    /** A random id of the write that started the invocation: distinguishes that write, when its response was lost, from another one. */
    static final String CLAIM = "by";

    private static final String AGENT = "agent";
    private static final String KEY = "key";
    private static final String ASYNCHRONOUS = "async";
    private static final String TIMEOUT = "limit";
    private static final String CREATED_AT = "at";
    private static final String TRACE_PARENT = "tp";
    private static final String TRACE_STATE = "ts";

    /** Enough to avoid a hot partition of the index at thousands of invocations per second. */
    static final int SHARDS = 16;

    private ReceiptItem() {}

    static Map<String, AttributeValue> of(Receipt receipt) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.RECEIPT.key(receipt.id()), receipt.expiresAt());
        item.put(Attributes.DUE_PK, s(partition(Math.floorMod(receipt.id().hashCode(), SHARDS))));
        item.put(Attributes.DUE_SK, s(DueEntry.dueAt(receipt.deadline())));
        item.put(AGENT, s(receipt.agentId()));
        item.put(KEY, s(receipt.keyId()));
        if (receipt.asynchronous()) {
            item.put(ASYNCHRONOUS, flag(true));
        }
        item.put(ATTEMPT, n(receipt.attempt()));
        item.put(TIMEOUT, n(receipt.timeout().toMillis()));
        item.put(CREATED_AT, moment(receipt.createdAt()));
        item.put(DEADLINE, moment(receipt.deadline()));
        item.put(STATE, s(receipt.state().wireName()));
        if (!receipt.trace().isNone()) {
            item.put(TRACE_PARENT, s(receipt.trace().parent()));
        }
        if (!receipt.trace().state().isEmpty()) {
            item.put(TRACE_STATE, s(receipt.trace().state()));
        }
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
                new TraceContext(text(item, TRACE_PARENT), text(item, TRACE_STATE)),
                state(item));
    }

    private static ReceiptState state(Map<String, AttributeValue> item) {
        Instant end = moment(item, FINISHED_AT, Instant.EPOCH);
        long latency = number(item, LATENCY, 0);
        return switch (text(item, STATE)) {
            case "accepted" -> new ReceiptState.Accepted();
            case "running" -> new ReceiptState.Running();
            case "succeeded" -> new ReceiptState.Succeeded(end, latency);
            // A failure unknown to this version was written, and is counted, by another one.
            default ->
                new ReceiptState.Failed(
                        end,
                        latency,
                        InvocationFailure.ofWireName(text(item, FAILURE)).orElse(InvocationFailure.INTERRUPTED));
        };
    }

    /** The partition of the index for a shard. */
    static String partition(int shard) {
        return "Z#" + shard;
    }

    static String receiptId(Map<String, AttributeValue> key) {
        return ItemKind.RECEIPT.ofPartition(key);
    }
}
