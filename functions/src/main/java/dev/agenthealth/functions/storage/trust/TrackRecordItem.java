package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.DECIMAL;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.EvidenceScope;
import dev.agenthealth.model.health.trust.EvidenceSums;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.health.trust.TrackRecord;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The track record of an agent or a provider: counts of its invocations and the evidence of its reputation. It consists of several items
 * (see {@link TrackRecordPlace}) whose numbers add up. Every write only adds.
 */
final class TrackRecordItem {

    private static final Attribute<Long> SUCCESSES = new Attribute<>("sc", NUMBER);
    private static final Attribute<Long> FAILURES = new Attribute<>("fc", NUMBER);
    private static final Attribute<Instant> EVIDENCE_AT = new Attribute<>("ea", MOMENT);
    private static final Attribute<Instant> LAST_AT = new Attribute<>("la", MOMENT);
    private static final Attribute<Long> LAST_LATENCY = new Attribute<>("ll", NUMBER);
    private static final Attribute<Boolean> LAST_OK = new Attribute<>("lo", FLAG);
    private static final Attribute<Double> LAST_LIMIT = new Attribute<>("lm", DECIMAL.or(Call.NO_LIMIT));

    /** The time of the last invocation that is no evidence. */
    private static final Attribute<Instant> OTHER_AT = new Attribute<>("oa", MOMENT);

    private static final Attribute<Long> OTHER_LATENCY = new Attribute<>("ol", NUMBER);
    private static final Attribute<Boolean> OTHER_OK = new Attribute<>("oo", FLAG);

    /** The prefix of the sums of good evidence; the number of the era follows. */
    private static final String GOOD_EVIDENCE = "g";

    /** The prefix of the sums of bad evidence; the number of the era follows. */
    private static final String BAD_EVIDENCE = "b";

    private TrackRecordItem() {}

    /** Adds an invocation to the item with this key. */
    static Update addition(Map<String, AttributeValue> key, Invocation invocation) {
        if (!invocation.evidence()) {
            return Update.upsert(key)
                    .add((invocation.success() ? SUCCESSES : FAILURES).name(), n(1))
                    .set(OTHER_AT, invocation.at())
                    .set(OTHER_LATENCY, invocation.latencyMs())
                    .set(OTHER_OK, invocation.success());
        }
        Update evidence = invocation.scope() == EvidenceScope.REPUTATION
                ? addition(key, EvidenceSums.of(invocation.success(), invocation.at()), invocation.at())
                : Update.upsert(key);
        Update update = evidence.add((invocation.success() ? SUCCESSES : FAILURES).name(), n(1))
                .set(LAST_AT, invocation.at())
                .set(LAST_LATENCY, invocation.latencyMs())
                .set(LAST_OK, invocation.success());
        return invocation.limitMs() < Call.NO_LIMIT
                ? update.set(LAST_LIMIT, invocation.limitMs())
                : update.remove(LAST_LIMIT.name());
    }

    /** Adds evidence to the item with this key. */
    static Update addition(Map<String, AttributeValue> key, EvidenceSums evidence, Instant now) {
        Update update = Update.upsert(key).set(EVIDENCE_AT, now);
        evidence.good().forEach((era, sum) -> update.add(GOOD_EVIDENCE + era, exact(sum)));
        evidence.bad().forEach((era, sum) -> update.add(BAD_EVIDENCE + era, exact(sum)));
        return update;
    }

    /** Returns the track record of an item. Its calls are the last calls that were added to the item. */
    static TrackRecord read(Map<String, AttributeValue> item) {
        List<Call> last = LAST_AT.isIn(item)
                ? List.of(new Call(LAST_OK.of(item), LAST_LATENCY.of(item), LAST_LIMIT.of(item), LAST_AT.of(item)))
                : List.of();
        return new TrackRecord(
                SUCCESSES.of(item),
                FAILURES.of(item),
                new EvidenceSums(byEra(item, GOOD_EVIDENCE), byEra(item, BAD_EVIDENCE)),
                EVIDENCE_AT.of(item),
                last,
                OTHER_AT.isIn(item)
                        ? Optional.of(new Call(OTHER_OK.of(item), OTHER_LATENCY.of(item), OTHER_AT.of(item)))
                        : Optional.empty());
    }

    private static Map<Long, BigInteger> byEra(Map<String, AttributeValue> item, String prefix) {
        Map<Long, BigInteger> sums = new HashMap<>();
        item.forEach((name, value) -> {
            String era = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
            if (!era.isEmpty() && era.chars().allMatch(Character::isDigit)) {
                // DynamoDB may return a number with an exponent.
                sums.put(Long.parseLong(era), new BigDecimal(value.n()).toBigIntegerExact());
            }
        });
        return sums;
    }

    private static AttributeValue exact(BigInteger sum) {
        return AttributeValue.fromN(sum.toString());
    }
}
