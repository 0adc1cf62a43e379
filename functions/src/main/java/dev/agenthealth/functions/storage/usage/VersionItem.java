package dev.agenthealth.functions.storage.usage;

import static dev.agenthealth.functions.storage.dynamo.Values.decimal;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.version.TokenSums;
import dev.agenthealth.model.registry.version.VersionSums;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The attributes of items with the executions of versions. Each number is an attribute of its own, so that executions are added without a read. The
 * name of the attribute consists of the number's kind and the version.
 */
final class VersionItem {

    /** The part of an hour that the totals of versions contain already. */
    static final String IN_TOTALS = "rv";

    private static final char SUCCESSES = 's';
    private static final char FAILURES = 'f';
    private static final char BUCKET = 'b';
    private static final char TOKENS = 't';
    private static final char SQUARES = 'q';
    private static final char EXECUTIONS = 'e';

    /** The beginning of the names of all these attributes. */
    private static final char PREFIX = 'v';

    private static final String SEPARATOR = "|";
    private static final int KIND = 1;
    private static final int NUMBER = 2;
    private static final int FIELDS = 6;

    private VersionItem() {}

    /** Adds executions of a version to an item. */
    static void add(Update update, String version, VersionSums sums) {
        add(update, "" + SUCCESSES, version, sums.successes());
        add(update, "" + FAILURES, version, sums.failures());
        sums.latencies().counts().forEach((bucket, count) -> add(update, "" + BUCKET + bucket, version, count));
        sums.tokens().forEach((source, tokens) -> {
            add(update, "" + TOKENS + source.ordinal(), version, tokens.tokens());
            add(update, "" + EXECUTIONS + source.ordinal(), version, tokens.executions());
            if (tokens.squares() != 0) {
                update.add(name("" + SQUARES + source.ordinal(), version), decimal(tokens.squares()));
            }
        });
    }

    private static void add(Update update, String kind, String version, long number) {
        if (number != 0) {
            update.add(name(kind, version), n(number));
        }
    }

    private static String name(String kind, String version) {
        return PREFIX + kind + SEPARATOR + version;
    }

    /** Returns the executions in an item, by version. */
    static Map<String, VersionSums> read(Map<String, AttributeValue> item) {
        Map<String, Parts> versions = new HashMap<>();
        item.forEach((name, value) -> {
            int end = name.indexOf(SEPARATOR);
            if (end > KIND && name.charAt(0) == PREFIX) {
                versions.computeIfAbsent(name.substring(end + 1), version -> new Parts())
                        .put(name.charAt(KIND), name.substring(NUMBER, end), value.n());
            }
        });
        return versions.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, version -> version.getValue()
                .sums()));
    }

    /** The numbers of a version during reading. */
    private static final class Parts {

        private long successes;
        private long failures;
        private final Map<Integer, Long> latencies = new HashMap<>();
        private final Map<UsageSource, TokenSums> tokens = new EnumMap<>(UsageSource.class);

        void put(char kind, String number, String value) {
            switch (kind) {
                case SUCCESSES -> successes = Long.parseLong(value);
                case FAILURES -> failures = Long.parseLong(value);
                case BUCKET -> latencies.put(Integer.parseInt(number), Long.parseLong(value));
                case TOKENS -> put(number, new TokenSums(Long.parseLong(value), 0, 0));
                case SQUARES -> put(number, new TokenSums(0, Double.parseDouble(value), 0));
                default -> put(number, new TokenSums(0, 0, Long.parseLong(value)));
            }
        }

        private void put(String source, TokenSums part) {
            tokens.merge(UsageSource.values()[Integer.parseInt(source)], part, TokenSums::plus);
        }

        VersionSums sums() {
            return new VersionSums(successes, failures, LatencyHistogram.of(latencies), tokens);
        }
    }

    /** Returns executions as a text with a line for each version. */
    static String text(Map<String, VersionSums> versions) {
        return new TreeMap<>(versions)
                .entrySet().stream()
                        .map(version -> text(version.getKey(), version.getValue()))
                        .collect(Collectors.joining("\n"));
    }

    private static String text(String version, VersionSums sums) {
        TokenSums tokens = sums.tokensThatCount();
        String latencies = sums.latencies().counts().entrySet().stream()
                .map(bucket -> bucket.getKey() + "=" + bucket.getValue())
                .collect(Collectors.joining(","));
        return String.join(
                SEPARATOR,
                version,
                sums.successes() + "," + sums.failures(),
                Long.toString(tokens.tokens()),
                Double.toString(tokens.squares()),
                Long.toString(tokens.executions()),
                latencies);
    }

    /** Returns the part of an hour that the totals of versions contain already. */
    static Map<String, VersionSums> inTotals(Map<String, AttributeValue> item) {
        Map<String, VersionSums> versions = new HashMap<>();
        for (String line : Values.text(item, IN_TOTALS).split("\n")) {
            String[] fields = line.split("\\|", FIELDS);
            if (fields.length == FIELDS) {
                versions.put(fields[0], sums(fields));
            }
        }
        return versions;
    }

    private static VersionSums sums(String[] fields) {
        String[] results = fields[1].split(",");
        Map<Integer, Long> latencies = new HashMap<>();
        for (String bucket : fields[5].split(",")) {
            if (!bucket.isEmpty()) {
                int middle = bucket.indexOf('=');
                latencies.put(
                        Integer.parseInt(bucket.substring(0, middle)), Long.parseLong(bucket.substring(middle + 1)));
            }
        }
        return new VersionSums(
                Long.parseLong(results[0]),
                Long.parseLong(results[1]),
                LatencyHistogram.of(latencies),
                Map.of(
                        UsageSource.SELF,
                        new TokenSums(
                                Long.parseLong(fields[2]), Double.parseDouble(fields[3]), Long.parseLong(fields[4]))));
    }
}
