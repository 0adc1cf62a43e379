package dev.agenthealth.functions.storage.usage;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.version.AgentVersion;
import dev.agenthealth.model.registry.version.VersionFigures;
import dev.agenthealth.model.registry.version.VersionSums;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the executions of the versions of each role by day. {@link UsageStore} adds to these totals, each part once, and several agents of a role add to
 * different parts at the same time. Thread-safe.
 */
public final class VersionStore {

    /** The maximum number of versions of a role within {@link #DAYS}. Further versions count as {@link AgentVersion#OTHER}. */
    public static final int MAX_VERSIONS = 20;

    /** The number of days whose executions are compared. */
    public static final int DAYS = 7;

    /** The maximum number of days that are read. */
    public static final int MAX_DAYS = 30;

    private static final Attribute<Long> FIRST = new Attribute<>("first", NUMBER);
    private static final Attribute<Long> LAST = new Attribute<>("last", NUMBER);
    private static final Attribute<Long> COUNTED = new Attribute<>("counted", NUMBER);
    private static final int DIGITS_OF_DAY = 6;

    private final Database database;
    private final Table registry;

    public VersionStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The times of a version and its executions.
     *
     * @param first when its first execution was counted, in seconds since 1970
     * @param last the hour of its last execution, in hours since 1970
     * @param counted when its last execution was counted, and at most the end of its hour, in seconds since 1970
     */
    private record Seen(long first, long last, long counted, VersionSums sums) {

        static Seen of(Map<String, AttributeValue> item, VersionSums sums) {
            long last = LAST.of(item);
            long counted = COUNTED.of(item);
            // An earlier version of the program stores the hour alone.
            return new Seen(FIRST.of(item), last, counted < last * HourUsage.SECONDS ? endOf(last) : counted, sums);
        }

        Seen plus(Seen other) {
            return new Seen(
                    Math.min(first, other.first),
                    Math.max(last, other.last),
                    Math.max(counted, other.counted),
                    sums.plus(other.sums));
        }

        VersionFigures figures(String version, Instant now) {
            long lastSeen = Math.max(first, Math.min(counted, now.getEpochSecond()));
            return new VersionFigures(version, Instant.ofEpochSecond(first), Instant.ofEpochSecond(lastSeen), sums);
        }

        private static long endOf(long hour) {
            return (hour + 1) * HourUsage.SECONDS;
        }
    }

    /** Adds executions within an hour to the totals of a role. Reads the totals, which bound the number of versions. */
    void addToTotals(Transaction transaction, String roleId, int shard, long hour, Map<String, VersionSums> more) {
        if (more.isEmpty()) {
            return;
        }
        long day = UsageStore.day(hour);
        Map<String, Seen> known = seen(registry.getAll(
                more.keySet().stream()
                        .map(version -> key(roleId, day, version, shard))
                        .toList(),
                false));
        Map<String, Seen> ofRole = known.keySet().containsAll(more.keySet())
                ? known
                : seen(registry.all(days(roleId, day - DAYS + 1, day)).toList());
        Set<String> named = new HashSet<>(ofRole.keySet());
        named.remove(AgentVersion.OTHER);
        Map<String, VersionSums> bounded = new TreeMap<>();
        more.forEach((version, sums) -> {
            boolean fits = ofRole.containsKey(version) || named.size() < MAX_VERSIONS && named.add(version);
            bounded.merge(fits ? version : AgentVersion.OTHER, sums, VersionSums::plus);
        });
        bounded.forEach((version, sums) -> {
            long now = database.now().getEpochSecond();
            Seen times = new Seen(now, hour, Math.min(now, Seen.endOf(hour)), sums);
            times = ofRole.containsKey(version) ? times.plus(ofRole.get(version)) : times;
            times = known.containsKey(version) ? times.plus(known.get(version)) : times;
            Update update = Update.upsert(key(roleId, day, version, shard))
                    .set(Attributes.EXPIRES, seconds(startOf(day + 1).plus(Duration.ofDays(MAX_DAYS))))
                    .setIfAbsent(FIRST, times.first())
                    .set(LAST, times.last())
                    .set(COUNTED, times.counted());
            VersionItem.add(update, version, sums);
            transaction.update(registry, update);
        });
    }

    /** Returns the figures of the versions of a role on the last days, in no order. */
    public List<VersionFigures> figures(String roleId, int days, Instant now) {
        long day = UsageStore.day(HourUsage.at(now));
        return seen(registry.all(days(roleId, day - days + 1, day)).toList()).entrySet().stream()
                .map(version -> version.getValue().figures(version.getKey(), now))
                .toList();
    }

    private static Query days(String roleId, long first, long last) {
        return Query.partition(ItemKind.POOL_VERSION.partition(roleId))
                .between(Attributes.padded(first, DIGITS_OF_DAY), Attributes.padded(last + 1, DIGITS_OF_DAY));
    }

    private static Map<String, Seen> seen(List<Map<String, AttributeValue>> items) {
        Map<String, Seen> versions = new HashMap<>();
        items.forEach(item -> VersionItem.read(item)
                .forEach((version, sums) -> versions.merge(version, Seen.of(item, sums), Seen::plus)));
        return versions;
    }

    private static Map<String, AttributeValue> key(String roleId, long day, String version, int shard) {
        return ItemKind.POOL_VERSION.key(
                roleId, Attributes.padded(day, DIGITS_OF_DAY), version, Integer.toString(shard));
    }

    private static Instant startOf(long day) {
        return HourUsage.start(day * UsageStore.HOURS_PER_DAY);
    }
}
