package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.trust.Call;
import dev.agenthealth.model.trust.EvidenceSums;
import dev.agenthealth.model.trust.Invocation;
import dev.agenthealth.model.trust.TrackRecord;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Figures of an agent or a provider: how many of its invocations went well, and the evidence of its reputation. They are spread over many
 * items (see {@link FiguresPlace}), whose numbers add up; each write only adds. This class owns the attribute names.
 */
final class FiguresItem {

    private static final String SUCCESSES = "sc";
    private static final String FAILURES = "fc";
    private static final String EVIDENCE_AT = "ea";
    private static final String LAST_AT = "la";
    private static final String LAST_LATENCY = "ll";
    private static final String LAST_OK = "lo";

    /** Followed by the number of the era. */
    private static final String GOOD_EVIDENCE = "g";

    /** Followed by the number of the era. */
    private static final String BAD_EVIDENCE = "b";

    private FiguresItem() {}

    /** Adds an invocation to one of the items. */
    static Update.Builder add(Tables tables, Map<String, AttributeValue> key, Invocation invocation) {
        Addition addition = new Addition();
        addition.evidence(EvidenceSums.of(invocation.success(), invocation.at()), invocation.at());
        addition.add(invocation.success() ? SUCCESSES : FAILURES, BigInteger.ONE);
        addition.set(LAST_AT, n(invocation.at().toEpochMilli()));
        addition.set(LAST_LATENCY, n(invocation.latencyMs()));
        addition.set(LAST_OK, AttributeValue.fromBool(invocation.success()));
        return addition.to(tables, key);
    }

    /** Adds evidence that is no invocation through the gateway to one of the items. */
    static Update.Builder add(Tables tables, Map<String, AttributeValue> key, EvidenceSums evidence, Instant now) {
        Addition addition = new Addition();
        addition.evidence(evidence, now);
        return addition.to(tables, key);
    }

    /** What an item says. Its only call is the last one it was told of. */
    static TrackRecord read(Map<String, AttributeValue> item) {
        List<Call> last = item.containsKey(LAST_AT)
                ? List.of(new Call(
                        item.get(LAST_OK).bool(), number(item, LAST_LATENCY, 0), moment(item, LAST_AT, Instant.EPOCH)))
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

    /** Collects what one update does. */
    private static final class Addition {

        private final List<String> additions = new ArrayList<>();
        private final List<String> settings = new ArrayList<>();
        private final Map<String, String> names = new HashMap<>();
        private final Map<String, AttributeValue> values = new HashMap<>();

        Addition() {
            set(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        }

        void evidence(EvidenceSums evidence, Instant now) {
            evidence.good().forEach((era, sum) -> add(GOOD_EVIDENCE + era, sum));
            evidence.bad().forEach((era, sum) -> add(BAD_EVIDENCE + era, sum));
            set(EVIDENCE_AT, n(now.toEpochMilli()));
        }

        void add(String name, BigInteger number) {
            additions.add("#" + name + " :" + name);
            bind(name, AttributeValue.fromN(number.toString()));
        }

        void set(String name, AttributeValue value) {
            settings.add("#" + name + " = :" + name);
            bind(name, value);
        }

        Update.Builder to(Tables tables, Map<String, AttributeValue> key) {
            return Update.builder()
                    .tableName(tables.registry())
                    .key(key)
                    .updateExpression("SET " + String.join(", ", settings) + " ADD " + String.join(", ", additions))
                    .expressionAttributeNames(names)
                    .expressionAttributeValues(values);
        }

        private void bind(String name, AttributeValue value) {
            names.put("#" + name, name);
            values.put(":" + name, value);
        }
    }
}
