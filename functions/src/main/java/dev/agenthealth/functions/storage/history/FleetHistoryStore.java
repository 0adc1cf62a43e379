package dev.agenthealth.functions.storage.history;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.health.availability.FleetHour;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.health.availability.GroupCount;
import dev.agenthealth.model.health.availability.GroupSum;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.StatisticsText;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the counts of the fleet by minute and hour. Each count is written once, and costs one write unit. Thread-safe. */
public final class FleetHistoryStore {

    /** The time for which the counts of a minute are kept. */
    public static final Duration RETENTION_OF_MINUTES = Duration.ofDays(7);

    /** The time for which the counts of an hour are kept. */
    public static final Duration RETENTION_OF_HOURS = Duration.ofDays(400);

    private static final int DIGITS = 8;

    private static final AttributeType<AgentStatistics> STATISTICS =
            TEXT.as(AgentStatistics.NONE, StatisticsText::of, StatisticsText::statistics);

    private static final Codec<FleetMinute> MINUTE = new Codec<>();
    private static final Attribute<Boolean> ALSO_BEFORE = MINUTE.optional("before", FLAG, FleetMinute::alsoBefore);
    private static final Attribute<AgentStatistics> COUNTS = MINUTE.always("fleet", STATISTICS, FleetMinute::fleet);
    private static final Attribute<Map<Long, long[]>> ROLE_COUNTS = MINUTE.optional(
            "roles",
            GroupBytes.type(2),
            minute -> mapped(minute.heartbeats(), role -> new long[] {role.up(), role.degraded() + role.down()}));
    private static final Attribute<Map<Long, long[]>> VERDICT_COUNTS = MINUTE.optional(
            "verdicts",
            GroupBytes.type(3),
            minute -> mapped(minute.verdicts(), group -> new long[] {group.up(), group.degraded(), group.down()}));

    private static final Codec<FleetHour> HOUR = new Codec<>();
    private static final Attribute<Long> MINUTES = HOUR.always("minutes", NUMBER, FleetHour::minutes);
    private static final Attribute<AgentStatistics> SUM = HOUR.always("fleet", STATISTICS, FleetHour::sum);
    private static final Attribute<Long> MIN_DOWN = HOUR.always("min", NUMBER, FleetHour::minDown);
    private static final Attribute<Long> MAX_DOWN = HOUR.always("max", NUMBER, FleetHour::maxDown);
    private static final Attribute<Map<Long, long[]>> ALL =
            HOUR.always("all", GroupBytes.type(6), hour -> mapped(part(hour, true), FleetHistoryStore::figures));
    private static final Attribute<Map<Long, long[]>> ROLE_SUMS =
            HOUR.optional("roles", GroupBytes.type(6), hour -> mapped(part(hour, false), FleetHistoryStore::figures));
    private static final Attribute<Map<Long, long[]>> VERDICT_SUMS = HOUR.optional(
            "verdicts", GroupBytes.type(7), hour -> mapped(hour.verdicts(), FleetHistoryStore::verdictFigures));

    private final Database database;
    private final Table registry;

    public FleetHistoryStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Writes the counts of a minute. Returns {@code false} if counts of this minute are already stored. */
    public boolean put(FleetMinute minute) {
        Map<String, AttributeValue> item = Attributes.item(
                ItemKind.FLEET_MINUTE.key(number(minute.minute())),
                minute.start().plus(RETENTION_OF_MINUTES));
        return registry.put(MINUTE.put(item, minute), Condition.absent(Attributes.PK));
    }

    /** Writes the counts of an hour. Returns {@code false} if counts of this hour are already stored. */
    public boolean put(FleetHour hour) {
        Map<String, AttributeValue> item = Attributes.item(
                ItemKind.FLEET_HOUR.key(number(hour.hour())), hour.start().plus(RETENTION_OF_HOURS));
        return registry.put(HOUR.put(item, hour), Condition.absent(Attributes.PK));
    }

    /**
     * Returns the counts of minutes in ascending order.
     *
     * @param first the first minute since 1970
     * @param last the last minute since 1970, inclusive
     */
    public List<FleetMinute> minutes(long first, long last) {
        return unexpired(between(ItemKind.FLEET_MINUTE, first, last))
                .map(FleetHistoryStore::minute)
                .toList();
    }

    /** Returns the first counts of a minute at or after {@code from}; empty if there are none. */
    public Optional<FleetMinute> firstMinute(long from) {
        return registry.first(1, between(ItemKind.FLEET_MINUTE, from, Long.MAX_VALUE)).stream()
                .map(FleetHistoryStore::minute)
                .findFirst();
    }

    /**
     * Returns the counts of hours in ascending order.
     *
     * @param first the first hour since 1970
     * @param last the last hour since 1970, inclusive
     */
    public List<FleetHour> hours(long first, long last) {
        return unexpired(between(ItemKind.FLEET_HOUR, first, last))
                .map(FleetHistoryStore::hour)
                .toList();
    }

    /** Returns the last hour with stored counts, in hours since 1970; empty if there is none. */
    public OptionalLong lastHour() {
        Query newestFirst = Query.partition(ItemKind.FLEET_HOUR.partition()).descending();
        return registry.first(1, newestFirst).stream()
                .mapToLong(item -> Long.parseLong(ItemKind.FLEET_HOUR.afterPrefix(item)))
                .findFirst();
    }

    private Stream<Map<String, AttributeValue>> unexpired(Query query) {
        return registry.all(query).filter(item -> !Attributes.isExpired(item, database.now()));
    }

    private static Query between(ItemKind kind, long first, long last) {
        return Query.partition(kind.partition()).between(number(first), number(last));
    }

    private static String number(long number) {
        return Attributes.padded(Math.max(0, Math.min(number, 99_999_999)), DIGITS);
    }

    private static FleetMinute minute(Map<String, AttributeValue> item) {
        return new FleetMinute(
                Long.parseLong(ItemKind.FLEET_MINUTE.afterPrefix(item)),
                ALSO_BEFORE.of(item),
                COUNTS.of(item),
                mapped(ROLE_COUNTS.of(item), figures -> new GroupCount(figures[0], 0, figures[1])),
                mapped(VERDICT_COUNTS.of(item), figures -> new GroupCount(figures[0], figures[1], figures[2])));
    }

    private static FleetHour hour(Map<String, AttributeValue> item) {
        return new FleetHour(
                Long.parseLong(ItemKind.FLEET_HOUR.afterPrefix(item)),
                MINUTES.of(item),
                SUM.of(item),
                MIN_DOWN.of(item),
                MAX_DOWN.of(item),
                heartbeats(item),
                mapped(VERDICT_SUMS.of(item), f -> new GroupSum(f[0], f[1], f[2], f[3], f[4], f[5], f[6])));
    }

    private static Map<Long, GroupSum> heartbeats(Map<String, AttributeValue> item) {
        Map<Long, GroupSum> sums = mapped(ROLE_SUMS.of(item), FleetHistoryStore::sum);
        sums.putAll(mapped(ALL.of(item), FleetHistoryStore::sum));
        return sums;
    }

    /** Returns the sums of the fleet, or of its roles, by heartbeats alone. */
    private static Map<Long, GroupSum> part(FleetHour hour, boolean ofFleet) {
        Map<Long, GroupSum> part = new HashMap<>(hour.heartbeats());
        part.keySet().removeIf(group -> (group == FleetMinute.FLEET) != ofFleet);
        return part;
    }

    private static long[] figures(GroupSum sum) {
        return new long[] {
            sum.minutes(), sum.up(), sum.degradedAgents() + sum.downAgents(), sum.degraded(), sum.down(), sum.none()
        };
    }

    private static long[] verdictFigures(GroupSum sum) {
        return new long[] {
            sum.minutes(), sum.up(), sum.degradedAgents(), sum.downAgents(), sum.degraded(), sum.down(), sum.none()
        };
    }

    private static GroupSum sum(long[] figures) {
        return new GroupSum(figures[0], figures[1], 0, figures[2], figures[3], figures[4], figures[5]);
    }

    private static <V, W> Map<Long, W> mapped(Map<Long, V> map, Function<V, W> function) {
        Map<Long, W> mapped = new HashMap<>();
        map.forEach((key, value) -> mapped.put(key, function.apply(value)));
        return mapped;
    }
}
