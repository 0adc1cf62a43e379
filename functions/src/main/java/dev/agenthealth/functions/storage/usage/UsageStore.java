package dev.agenthealth.functions.storage.usage;

import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.version.HourSums;
import dev.agenthealth.model.registry.version.VersionSums;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the tokens and calls of agents by hour, and their totals. Thread-safe.
 *
 * <p>A report adds to the hour of its agent, in the transaction that counts its outcomes or spans. The measurement adds each hour to the totals of the
 * agent's day, its role, its owner and the fleet. The hour says which part the totals contain already, so that each part is added once.
 */
public final class UsageStore {

    /** The maximum number of models of an agent within an hour. Further models count as {@link ModelName#OTHER}. */
    static final int MAX_MODELS = 16;

    /** The maximum number of versions of an agent within an hour. Further versions count as {@code other}. */
    static final int MAX_VERSIONS = 4;

    /** The number of parts of a total. Measurements of several agents add to different parts at the same time. */
    static final int SHARDS = 4;

    /** The maximum number of roles with usage that a scrape of metrics reads. */
    private static final int MAX_ROLES_OF_TODAY = 100;

    /** The number of hours of a day. */
    public static final int HOURS_PER_DAY = 24;

    private final Database database;
    private final Table registry;
    private final VersionStore versions;

    public UsageStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.versions = new VersionStore(database);
    }

    /** The subjects that have totals. */
    public enum Scope {
        ROLE,
        OWNER,
        FLEET;

        String key() {
            return name().substring(0, 1);
        }
    }

    /** The id of the fleet among the subjects. */
    public static final String FLEET = "fleet";

    /** Returns the writes that add usage to the hours of an agent. Reads the hours, which bound the numbers of models and versions. */
    public List<Update> additions(String agentId, Map<Long, HourSums> byHour, UsageLimits limits) {
        Map<Long, HourSums> used = new TreeMap<>(byHour);
        used.values().removeIf(hour -> !hour.isReported());
        if (used.isEmpty()) {
            return List.of();
        }
        Map<Long, HourSums> stored = stored(agentId, used.keySet());
        List<Update> updates = new ArrayList<>();
        used.forEach((hour, usage) -> {
            Update update = Update.upsert(UsageItem.hourKey(agentId, hour)).set(Attributes.EXPIRES, expiry(hour));
            HourSums known = stored.getOrDefault(hour, HourSums.NONE);
            Set<ModelName> named = models(known.usage());
            usage.usage()
                    .bySource()
                    .forEach((source, ofSource) -> UsageItem.add(update, source, ofSource.bounded(named, MAX_MODELS)));
            usage.bounded(known.versions().keySet(), MAX_VERSIONS)
                    .forEach((version, sums) -> VersionItem.add(update, version, sums));
            UsageItem.setPeaks(update, usage.usage(), limits);
            updates.add(update);
        });
        return updates;
    }

    private static AttributeValue expiry(long hour) {
        return seconds(HourUsage.start(hour).plus(UsageItem.RETENTION));
    }

    private Map<Long, HourSums> stored(String agentId, Collection<Long> hours) {
        Map<Map<String, AttributeValue>, Long> keys = new HashMap<>();
        hours.forEach(hour -> keys.put(UsageItem.hourKey(agentId, hour), hour));
        Map<Long, HourSums> stored = new HashMap<>();
        registry.getAll(List.copyOf(keys.keySet()), false)
                .forEach(item -> stored.put(
                        keys.get(Attributes.keyOf(item)), new HourSums(UsageItem.read(item), VersionItem.read(item))));
        return stored;
    }

    private static Set<ModelName> models(HourUsage hour) {
        Set<ModelName> named = new HashSet<>();
        hour.bySource().values().forEach(usage -> named.addAll(usage.byModel().keySet()));
        return named;
    }

    /** Returns the usage of an agent by hour, strongly consistent, without hours without usage. */
    public SortedMap<Long, HourUsage> hours(String agentId, long first, long last) {
        SortedMap<Long, HourUsage> hours = new TreeMap<>();
        registry.all(Query.partition(ItemKind.USAGE_HOUR.partition(agentId))
                        .between(UsageItem.hourSortKey(first), UsageItem.hourSortKey(last))
                        .consistent())
                .forEach(
                        item -> hours.put(Long.parseLong(ItemKind.USAGE_HOUR.afterPrefix(item)), UsageItem.read(item)));
        return hours;
    }

    /** Returns the usage of an agent by day, without days without usage. */
    public SortedMap<Long, Usage> days(String agentId, long first, long last) {
        SortedMap<Long, Usage> days = new TreeMap<>();
        registry.all(Query.partition(ItemKind.USAGE_DAY.partition(agentId))
                        .between(UsageItem.daySortKey(first), UsageItem.daySortKey(last)))
                .forEach(item -> days.put(Long.parseLong(ItemKind.USAGE_DAY.afterPrefix(item)), total(item)));
        return days;
    }

    /**
     * Adds the hours of an agent to the totals, as far as the totals do not contain them.
     *
     * @param roleId the agent's role; empty without a role
     * @param ownerId the key that owns the agent; empty without an owner
     * @param hours the hours, with the executions without usage by source if a limit counts executions
     * @return whether executions of a version of the role were added
     */
    public boolean addToTotals(String agentId, String roleId, String ownerId, Map<Long, Map<UsageSource, Long>> hours) {
        boolean withVersions = false;
        for (Map.Entry<Long, Map<UsageSource, Long>> hour : new TreeMap<>(hours).entrySet()) {
            withVersions |= OptimisticUpdates.untilPresent(
                    () -> addToTotals(agentId, roleId, ownerId, hour.getKey(), hour.getValue()));
        }
        return withVersions;
    }

    private Optional<Boolean> addToTotals(
            String agentId, String roleId, String ownerId, long hour, Map<UsageSource, Long> withoutUsage) {
        Map<String, AttributeValue> key = UsageItem.hourKey(agentId, hour);
        Map<String, AttributeValue> stored = registry.get(key, true);
        Map<String, AttributeValue> item = UsageItem.withExecutions(stored, withoutUsage);
        Usage counted = UsageItem.read(item).counted();
        Usage more = counted.minus(UsageItem.inTotals(item));
        Map<String, VersionSums> ofVersions = HourSums.counted(VersionItem.read(item));
        Map<String, VersionSums> moreOfVersions = HourSums.difference(ofVersions, VersionItem.inTotals(item));
        if (more.isNone() && moreOfVersions.isEmpty()) {
            return Optional.of(false);
        }
        Update inTotals = stored.isEmpty()
                ? Update.upsert(key).set(Attributes.EXPIRES, expiry(hour)).when(Condition.absent(Attributes.PK))
                : Update.of(key).when(Condition.exists(Attributes.PK));
        UsageItem.setExecutions(inTotals, stored, item);
        mark(inTotals, UsageItem.IN_TOTALS, item, UsageItem.text(counted));
        mark(inTotals, VersionItem.IN_TOTALS, item, VersionItem.text(ofVersions));
        Transaction transaction = database.transaction().update(registry, inTotals);
        int shard = Math.floorMod(agentId.hashCode(), SHARDS);
        if (!more.isNone()) {
            addToTotals(
                    transaction,
                    agentId,
                    Map.of(Scope.ROLE, roleId, Scope.OWNER, ownerId, Scope.FLEET, FLEET),
                    hour,
                    more);
        }
        if (!roleId.isEmpty()) {
            versions.addToTotals(transaction, roleId, shard, hour, moreOfVersions);
        }
        return transaction.commit() ? Optional.of(!roleId.isEmpty() && !moreOfVersions.isEmpty()) : Optional.empty();
    }

    private void addToTotals(
            Transaction transaction, String agentId, Map<Scope, String> subjects, long hour, Usage more) {
        transaction.update(registry, total(UsageItem.dayKey(agentId, day(hour)), more, hour));
        String shard = Integer.toString(Math.floorMod(agentId.hashCode(), SHARDS));
        new TreeMap<>(subjects).forEach((scope, subject) -> {
            if (!subject.isEmpty()) {
                for (String period : List.of(ofHour(hour), ofDay(day(hour)))) {
                    transaction.update(
                            registry, total(ItemKind.USAGE_TOTAL.key(scope.key(), period, subject, shard), more, hour));
                }
            }
        });
    }

    /** Sets the part that the totals contain, if it is still as it was read. */
    private static void mark(Update update, String attribute, Map<String, AttributeValue> item, String part) {
        String before = Values.text(item, attribute);
        if (!part.equals(before)) {
            update.set(attribute, s(part));
        }
        update.when(before.isEmpty() ? Condition.absent(attribute) : Condition.equal(attribute, s(before)));
    }

    private static Update total(Map<String, AttributeValue> key, Usage more, long hour) {
        Instant expiry = HourUsage.start(hour).plus(UsageItem.RETENTION).plus(Duration.ofDays(1));
        return UsageItem.addition(key, UsageSource.SELF, more).set(Attributes.EXPIRES, seconds(expiry));
    }

    private static Usage total(Map<String, AttributeValue> item) {
        return UsageItem.read(item).counted();
    }

    /** Returns the number of the day of an hour. */
    public static long day(long hour) {
        return Math.floorDiv(hour, HOURS_PER_DAY);
    }

    private static String ofHour(long hour) {
        return "H" + Attributes.padded(hour, 8);
    }

    private static String ofDay(long day) {
        return "D" + Attributes.padded(day, 6);
    }

    /** Returns the usage of every subject in one hour. */
    public SortedMap<String, Usage> inHour(Scope scope, long hour) {
        return all(scope, ofHour(hour));
    }

    /** Returns the usage of every subject on one day. */
    public SortedMap<String, Usage> onDay(Scope scope, long day) {
        return all(scope, ofDay(day));
    }

    private SortedMap<String, Usage> all(Scope scope, String period) {
        return bySubject(registry.all(Query.partition(ItemKind.USAGE_TOTAL.partition(scope.key(), period))));
    }

    private static SortedMap<String, Usage> bySubject(Stream<Map<String, AttributeValue>> items) {
        SortedMap<String, Usage> subjects = new TreeMap<>();
        items.forEach(item -> {
            String sortKey = Values.text(item, Attributes.SK);
            subjects.merge(sortKey.substring(0, sortKey.lastIndexOf('#')), total(item), Usage::plus);
        });
        return subjects;
    }

    /**
     * Returns the usage of roles and owners in the present hour and on the present day, in this order, strongly consistent. Costs one request for
     * twelve of them.
     */
    public Map<LimitHolder, List<Usage>> inHourAndDay(Collection<LimitHolder> holders, Instant now) {
        long hour = HourUsage.at(now);
        List<String> periods = List.of(ofHour(hour), ofDay(day(hour)));
        Map<Map<String, AttributeValue>, LimitHolder> keys = new HashMap<>();
        Map<LimitHolder, List<Usage>> sums = new HashMap<>();
        for (LimitHolder holder : holders) {
            sums.put(holder, new ArrayList<>(Collections.nCopies(periods.size(), Usage.NONE)));
            for (String period : periods) {
                for (int shard = 0; shard < SHARDS; shard++) {
                    keys.put(
                            ItemKind.USAGE_TOTAL.key(scope(holder).key(), period, holder.id(), Integer.toString(shard)),
                            holder);
                }
            }
        }
        for (Map<String, AttributeValue> item : registry.getAll(List.copyOf(keys.keySet()), true)) {
            LimitHolder holder = keys.get(Attributes.keyOf(item));
            String ofHour = ItemKind.USAGE_TOTAL.partition(scope(holder).key(), periods.get(0));
            int period = Values.text(item, Attributes.PK).equals(ofHour) ? 0 : 1;
            sums.get(holder).set(period, sums.get(holder).get(period).plus(total(item)));
        }
        return sums;
    }

    /**
     * The usage of the present day (UTC).
     *
     * @param roles the usage of the first {@value #MAX_ROLES_OF_TODAY} roles with usage, by id
     * @param fleet the usage of all agents
     */
    public record Today(SortedMap<String, Usage> roles, Usage fleet) {}

    /** Returns the usage of the present day, eventually consistent. Costs two queries of bounded size. */
    public Today today(Instant now) {
        String period = ofDay(day(HourUsage.at(now)));
        SortedMap<String, Usage> roles = bySubject(registry
                .first(
                        MAX_ROLES_OF_TODAY * SHARDS,
                        Query.partition(ItemKind.USAGE_TOTAL.partition(Scope.ROLE.key(), period)))
                .stream());
        return new Today(roles, all(Scope.FLEET, period).getOrDefault(FLEET, Usage.NONE));
    }

    private static Scope scope(LimitHolder holder) {
        return holder.kind() == LimitHolder.Kind.ROLE ? Scope.ROLE : Scope.OWNER;
    }
}
