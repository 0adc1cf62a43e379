package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.DECIMAL;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.Invocation;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An invocation in the log. The online status depends on the invocations that are evidence. The other invocations are stored so that they
 * can be erased.
 */
final class LoggedInvocationItem {

    /** The time for which an invocation stays in the log. Storage costs little compared to the write. */
    static final Duration RETENTION = Duration.ofDays(30);

    private static final Codec<Invocation> CODEC = new Codec<>();
    private static final Attribute<Boolean> OK = CODEC.always("ok", FLAG, Invocation::success);
    private static final Attribute<Long> LATENCY = CODEC.always("ms", NUMBER, Invocation::latencyMs);
    private static final Attribute<Double> LIMIT =
            CODEC.optional("lim", DECIMAL.or(Call.NO_LIMIT), Invocation::limitMs);

    private static final ItemKind KIND = ItemKind.AGENT_INVOCATION;

    private LoggedInvocationItem() {}

    static Map<String, AttributeValue> of(String partition, Invocation invocation) {
        String sortKey = (invocation.evidence() ? KIND : ItemKind.OTHER_INVOCATION)
                .sortKey(Attributes.padded(invocation.at().toEpochMilli(), 13), invocation.receiptId());
        Map<String, AttributeValue> key = Attributes.key(partition, sortKey);
        return CODEC.put(Attributes.item(key, invocation.at().plus(RETENTION)), invocation);
    }

    /** Returns whether an item is an invocation, rather than a track record in the same partition. */
    static boolean is(Map<String, AttributeValue> item) {
        return text(item, Attributes.SK).startsWith(KIND.prefix());
    }

    static Call read(Map<String, AttributeValue> item) {
        String moment = KIND.afterPrefix(item).split("#", 2)[0];
        return new Call(OK.of(item), LATENCY.of(item), LIMIT.of(item), Instant.ofEpochMilli(Long.parseLong(moment)));
    }
}
