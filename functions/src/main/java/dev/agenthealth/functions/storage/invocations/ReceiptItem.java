package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MILLIS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.gateway.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The item of a receipt. Until the outcome of the invocation is counted, it is in the index {@value Attributes#DUE_INDEX} by its deadline. */
final class ReceiptItem {

    private static final Codec<Receipt> RECEIPT = new Codec<>();

    /** The state. Another version of this code wrote a state that this version does not know, and also counts it. */
    static final Attribute<ReceiptState> STATE =
            RECEIPT.always("st", AttributeType.wireName(ReceiptState.FAILED), Receipt::state);

    static final Attribute<Integer> ATTEMPT = RECEIPT.always("n", INTEGER.or(1), Receipt::attempt);
    static final Attribute<Instant> DEADLINE = RECEIPT.always("dl", MOMENT, Receipt::deadline);
    private static final Attribute<String> AGENT = RECEIPT.always("agent", TEXT, Receipt::agentId);
    private static final Attribute<String> KEY = RECEIPT.always("key", TEXT, Receipt::keyId);
    private static final Attribute<Boolean> ASYNCHRONOUS = RECEIPT.optional("async", FLAG, Receipt::asynchronous);
    private static final Attribute<Duration> TIMEOUT = RECEIPT.always("limit", MILLIS, Receipt::timeout);
    private static final Attribute<Instant> CREATED_AT = RECEIPT.always("at", MOMENT, Receipt::createdAt);
    private static final Attribute<String> AGENT_VERSION = RECEIPT.optional("version", TEXT, Receipt::agentVersion);
    private static final Attribute<String> TRACE_PARENT =
            RECEIPT.optional("tp", TEXT, receipt -> receipt.trace().parent());
    private static final Attribute<String> TRACE_STATE =
            RECEIPT.optional("ts", TEXT, receipt -> receipt.trace().state());

    private static final Attribute<Boolean> EARLY =
            RECEIPT.optional("early", FLAG, receipt -> receipt.terms().early());

    /** True if the outcome is counted; {@code false} if the outcome is no evidence. */
    static final Attribute<Boolean> COUNTED = RECEIPT.optional("counted", FLAG.or(true), Receipt::counted);

    static final Attribute<Instant> FINISHED_AT = new Attribute<>("end", MOMENT);
    static final Attribute<Long> LATENCY = new Attribute<>("ms", NUMBER);

    /** The failure. Another version of this code wrote a failure that this version does not know, and also counts it. */
    static final Attribute<InvocationFailure> FAILURE =
            new Attribute<>("why", AttributeType.wireName(InvocationFailure.INTERRUPTED));

    /** A random id of the write that started the invocation. It identifies that write if its response was lost. */
    static final Attribute<String> CLAIM = new Attribute<>("by", TEXT);

    /** The number of shards, which avoids a hot partition of the index at thousands of invocations per second. */
    static final int SHARDS = 16;

    private ReceiptItem() {}

    static Map<String, AttributeValue> of(Receipt receipt) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.RECEIPT.key(receipt.id()), receipt.expiresAt());
        item.put(Attributes.DUE_PK, s(partition(Math.floorMod(receipt.id().hashCode(), SHARDS))));
        item.put(Attributes.DUE_SK, s(DueEntry.dueAt(receipt.deadline())));
        RECEIPT.put(item, receipt);
        return item;
    }

    static Receipt read(String receiptId, Map<String, AttributeValue> item) {
        ReceiptState state = STATE.of(item);
        return new Receipt(
                receiptId,
                AGENT.of(item),
                KEY.of(item),
                new Receipt.Terms(
                        ASYNCHRONOUS.of(item),
                        TIMEOUT.of(item),
                        new TraceContext(TRACE_PARENT.of(item), TRACE_STATE.of(item)),
                        EARLY.of(item)),
                CREATED_AT.of(item),
                new Receipt.Progress(ATTEMPT.of(item), DEADLINE.of(item), state, result(item, state), COUNTED.of(item)),
                AGENT_VERSION.of(item));
    }

    private static Optional<CallResult> result(Map<String, AttributeValue> item, ReceiptState state) {
        return switch (state) {
            case ACCEPTED, RUNNING -> Optional.empty();
            case SUCCEEDED -> Optional.of(CallResult.success("", FINISHED_AT.of(item), LATENCY.of(item)));
            case FAILED -> Optional.of(CallResult.failure(FAILURE.of(item), FINISHED_AT.of(item), LATENCY.of(item)));
        };
    }

    /** Returns the partition of the index for a shard. */
    static String partition(int shard) {
        return "Z#" + shard;
    }

    static String receiptId(Map<String, AttributeValue> key) {
        return ItemKind.RECEIPT.ofPartition(key);
    }
}
