package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.n;

import dev.agenthealth.model.trust.ForwardDecay;
import dev.agenthealth.model.trust.Invocation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * The figures of an agent or a provider: how many of its invocations went well, and the evidence of its reputation. They are spread over many
 * items, whose numbers add up, so that no item is written by everybody; each write only adds. This class owns the attribute names.
 */
final class FiguresItem {

    /** Over so many items the figures of an agent are spread; one query reads them all. */
    static final int SHARDS_OF_AGENT = 16;

    /** Over so many items, each in a partition of its own, the figures of a provider are spread. */
    static final int SHARDS_OF_PROVIDER = 64;

    private static final String SUCCESSES = "sc";
    private static final String FAILURES = "fc";
    /** Followed by the number of the era. */
    private static final String GOOD_EVIDENCE = "s";

    private static final String BAD_EVIDENCE = "f";
    private static final String EVIDENCE_AT = "ea";
    private static final String LAST_AT = "la";
    private static final String LAST_LATENCY = "ll";
    private static final String LAST_OK = "lo";

    private FiguresItem() {}

    /** The shard of something with this id. */
    static int shard(String id, int shards) {
        int mixed = id.hashCode() * 0x9E3779B9;
        return Math.floorMod(mixed ^ mixed >>> 15, shards);
    }

    /** Adds an invocation to one of the items. */
    static Update.Builder add(Tables tables, Map<String, AttributeValue> key, Invocation invocation) {
        Addition addition = new Addition();
        addition.add(invocation.success() ? SUCCESSES : FAILURES, 1);
        addition.evidence(invocation.success(), invocation.at(), 1);
        addition.set(EVIDENCE_AT, n(invocation.at().toEpochMilli()));
        addition.set(LAST_AT, n(invocation.at().toEpochMilli()));
        addition.set(LAST_LATENCY, n(invocation.latencyMs()));
        addition.set(LAST_OK, AttributeValue.fromBool(invocation.success()));
        return addition.to(tables, key);
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

        void evidence(boolean good, Instant at, long outcomes) {
            add(
                    (good ? GOOD_EVIDENCE : BAD_EVIDENCE) + ForwardDecay.era(at),
                    Math.multiplyExact(outcomes, ForwardDecay.weight(at)));
        }

        void add(String name, long number) {
            additions.add("#" + name + " :" + name);
            bind(name, n(number));
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
