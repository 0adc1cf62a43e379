package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.decimal;
import static dev.agenthealth.functions.storage.dynamo.Values.flag;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.trust.Call;
import dev.agenthealth.model.trust.EvidenceSums;
import dev.agenthealth.model.trust.Invocation;
import dev.agenthealth.model.trust.TrackRecord;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Figures of an agent or a provider: counts of its invocations and the evidence of its reputation, spread over several items (see
 * {@link FiguresPlace}) whose numbers add up. Every write only adds.
 */
final class FiguresItem {

    private static final String SUCCESSES = "sc";
    private static final String FAILURES = "fc";
    private static final String EVIDENCE_AT = "ea";
    private static final String LAST_AT = "la";
    private static final String LAST_LATENCY = "ll";
    private static final String LAST_OK = "lo";
    private static final String LAST_LIMIT = "lm";

    /** Followed by the number of the era. */
    private static final String GOOD_EVIDENCE = "g";

    /** Followed by the number of the era. */
    private static final String BAD_EVIDENCE = "b";

    private FiguresItem() {}

    /** Adds an invocation to the item with this key. */
    static Update addition(Map<String, AttributeValue> key, Invocation invocation) {
        Update update = addition(key, EvidenceSums.of(invocation.success(), invocation.at()), invocation.at())
                .add(invocation.success() ? SUCCESSES : FAILURES, n(1))
                .set(LAST_AT, moment(invocation.at()))
                .set(LAST_LATENCY, n(invocation.latencyMs()))
                .set(LAST_OK, flag(invocation.success()));
        return invocation.limitMs() < Call.NO_LIMIT
                ? update.set(LAST_LIMIT, decimal(invocation.limitMs()))
                : update.remove(LAST_LIMIT);
    }

    /** Adds evidence to the item with this key. */
    static Update addition(Map<String, AttributeValue> key, EvidenceSums evidence, Instant now) {
        Update update = Update.upsert(key).set(EVIDENCE_AT, moment(now));
        evidence.good().forEach((era, sum) -> update.add(GOOD_EVIDENCE + era, exact(sum)));
        evidence.bad().forEach((era, sum) -> update.add(BAD_EVIDENCE + era, exact(sum)));
        return update;
    }

    /** The figures of an item; its only call is the last one that was added to it. */
    static TrackRecord read(Map<String, AttributeValue> item) {
        List<Call> last = item.containsKey(LAST_AT)
                ? List.of(new Call(
                        item.get(LAST_OK).bool(),
                        number(item, LAST_LATENCY, 0),
                        item.containsKey(LAST_LIMIT) ? decimal(item, LAST_LIMIT) : Call.NO_LIMIT,
                        moment(item, LAST_AT, Instant.EPOCH)))
                : List.of();
        return new TrackRecord(
                number(item, SUCCESSES, 0),
                number(item, FAILURES, 0),
                new EvidenceSums(byEra(item, GOOD_EVIDENCE), byEra(item, BAD_EVIDENCE)),
                moment(item, EVIDENCE_AT, Instant.EPOCH),
                last);
    }

    private static Map<Long, BigInteger> byEra(Map<String, AttributeValue> item, String prefix) {
        Map<Long, BigInteger> sums = new HashMap<>();
        item.forEach((name, value) -> {
            String era = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
            if (!era.isEmpty() && era.chars().allMatch(Character::isDigit)) {
                // A number may come back with an exponent.
                sums.put(Long.parseLong(era), new BigDecimal(value.n()).toBigIntegerExact());
            }
        });
        return sums;
    }

    private static AttributeValue exact(BigInteger sum) {
        return AttributeValue.fromN(sum.toString());
    }
}
