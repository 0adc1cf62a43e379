package dev.agenthealth.functions.storage.usage;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
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
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.model.event.UsageEvents;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.SharedUsage;
import dev.agenthealth.model.registry.usage.SharedUsageChange;
import dev.agenthealth.model.registry.usage.SharedUsages;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the limits of roles and owners that are nearly or wholly used, in one item each, in the partition that lists blocks. So readers of the
 * blocks in force read them with one request. Thread-safe.
 */
public final class SharedUsageStore {

    private static final Codec<SharedUsage> USAGE = new Codec<>();
    private static final Attribute<Instant> SINCE = USAGE.always("since", MOMENT, SharedUsage::since);
    private static final Attribute<String> THROUGH = USAGE.optional("through", TEXT, SharedUsage::through);
    private static final Attribute<Boolean> ASKING = USAGE.optional("asking", FLAG, SharedUsage::asking);
    private static final Attribute<Boolean> LIFTING = USAGE.optional("lifting", FLAG, SharedUsage::lifting);
    private static final Attribute<OnExceeded> ACTION =
            USAGE.optional("action", AttributeType.wireName(OnExceeded.NONE), SharedUsage::action);
    private static final Codec<UsageState> STATE = USAGE.part(SharedUsage::state);
    private static final Attribute<UsageLevel> LEVEL =
            STATE.always("level", AttributeType.wireName(UsageLevel.NONE), UsageState::level);
    private static final Attribute<UsageLimit> LIMIT =
            STATE.always("limit", AttributeType.wireName(UsageLimit.TOKENS_PER_HOUR), UsageState::limit);
    private static final Attribute<Long> USED = STATE.always("used", NUMBER, UsageState::used);
    private static final Attribute<Long> MAXIMUM = STATE.always("max", NUMBER, UsageState::maximum);
    private static final Attribute<Instant> ENDS = STATE.always("ends", MOMENT, UsageState::until);

    static {
        // The end of a block. A version without shared limits takes the item for a block that is over.
        USAGE.always("until", MOMENT, usage -> Instant.EPOCH);
    }

    private final Database database;
    private final Table registry;

    public SharedUsageStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Returns the limits that are nearly or wholly used. Costs one query. */
    public SharedUsages open() {
        Query query = Query.partition(ItemKind.SHARED_USAGE.partition())
                .startingWith(ItemKind.SHARED_USAGE.prefix())
                .consistent();
        return new SharedUsages(
                registry.all(query).flatMap(item -> read(item).stream()).toList());
    }

    /** Returns whether an item of the partition is a shared limit. */
    public static boolean isSharedUsage(Map<String, AttributeValue> item) {
        return Values.text(item, Attributes.SK).startsWith(ItemKind.SHARED_USAGE.prefix());
    }

    /** Returns the use of a limit in an item; empty if another version wrote the item. */
    public static Optional<SharedUsage> read(Map<String, AttributeValue> item) {
        return LimitHolder.of(ItemKind.SHARED_USAGE.afterPrefix(item))
                .map(holder -> new SharedUsage(
                        holder,
                        new UsageState(LEVEL.of(item), LIMIT.of(item), USED.of(item), MAXIMUM.of(item), ENDS.of(item)),
                        SINCE.of(item),
                        THROUGH.of(item),
                        ASKING.of(item),
                        LIFTING.of(item),
                        ACTION.of(item)));
    }

    /** Stores a change, with its event if the level or the limit changes. Returns {@code false} if the use is no longer as it was read. */
    public boolean put(SharedUsageChange change) {
        Condition asRead = change.before()
                .map(before -> SINCE.is(before.since()))
                .orElseGet(() -> Condition.absent(Attributes.PK));
        Map<String, AttributeValue> key = key(change.holder());
        Transaction transaction = change.after()
                .map(after -> database.transaction().put(registry, USAGE.item(key, after), asRead))
                .orElseGet(() -> database.transaction().delete(registry, key, asRead));
        if (change.isPublished()) {
            EventWrites.add(transaction, database, List.of(UsageEvents.of(change)));
        }
        return transaction.commit();
    }

    /** Stores the agents that the action of a limit reached, and whether it asks agents that register. Returns {@code false} if another pass stored others, or the use changed. */
    public boolean putReached(SharedUsage before, SharedUsage after) {
        return registry.update(Update.of(key(before.holder()))
                .replace(List.of(THROUGH.name(), ASKING.name()), USAGE.item(key(before.holder()), after))
                .when(SINCE.is(before.since()))
                .when(before.through().isEmpty() ? THROUGH.isAbsent() : THROUGH.is(before.through())));
    }

    /** Stores that the blocks of all agents are lifted. If another pass was faster, this pass changes nothing. */
    public void putLifted(SharedUsage before) {
        if (before.state().level() == UsageLevel.NONE) {
            registry.delete(key(before.holder()), SINCE.is(before.since()));
        } else {
            registry.update(Update.of(key(before.holder()))
                    .remove(LIFTING.name())
                    .remove(THROUGH.name())
                    .when(SINCE.is(before.since())));
        }
    }

    /** Returns the ids of up to {@code limit} agents that share the limits, after {@code after}, by id. Costs one query. */
    public List<String> members(LimitHolder holder, String after, int limit) {
        ItemKind tag = holder.kind() == LimitHolder.Kind.ROLE ? ItemKind.ROLE_TAG : ItemKind.OWNER_TAG;
        Query all = Query.partition(tag.partition(holder.id())).consistent();
        return registry.first(limit, after.isEmpty() ? all : all.after(after)).stream()
                .map(item -> Values.text(item, Attributes.SK))
                .toList();
    }

    /** Returns the key of the item of a role or an owner. */
    public static Map<String, AttributeValue> key(LimitHolder holder) {
        return ItemKind.SHARED_USAGE.key(holder.text());
    }
}
