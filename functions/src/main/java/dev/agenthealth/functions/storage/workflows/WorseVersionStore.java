package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.model.event.PoolEvents;
import dev.agenthealth.model.registry.version.VersionRule;
import dev.agenthealth.model.registry.version.WorseVersion;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the versions of roles that are worse than the version before them, beside the pools below their minimum. Thread-safe. */
public final class WorseVersionStore {

    private static final Codec<WorseVersion> WORSE = new Codec<>();
    private static final Attribute<String> BEFORE = WORSE.always("before", TEXT, WorseVersion::before);
    private static final Attribute<Instant> SINCE = WORSE.always("since", MOMENT, WorseVersion::since);

    private final Database database;
    private final Table registry;

    public WorseVersionStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Returns the worse versions of all roles. Costs one query. */
    public List<WorseVersion> all() {
        return read(ItemKind.WORSE_VERSION.prefix());
    }

    /** Returns the worse versions of a role. Costs one query. */
    public List<WorseVersion> ofRole(String roleId) {
        return read(ItemKind.WORSE_VERSION.sortKey(roleId, ""));
    }

    private List<WorseVersion> read(String prefix) {
        Query query = Query.partition(ItemKind.WORSE_VERSION.partition())
                .startingWith(prefix)
                .consistent();
        return registry.all(query).map(WorseVersionStore::read).toList();
    }

    private static WorseVersion read(Map<String, AttributeValue> item) {
        String[] names = ItemKind.WORSE_VERSION.afterPrefix(item).split("#", 2);
        return new WorseVersion(names[0], names[1], BEFORE.of(item), SINCE.of(item));
    }

    /** Stores the begin or the end of a problem with its event. Returns {@code false} if the problem is no longer as it was read. */
    public boolean put(String roleId, VersionRule.Change change, Instant now) {
        if (change.ended().isPresent()) {
            WorseVersion ended = change.ended().get();
            return EventWrites.add(
                            database.transaction().delete(registry, key(ended), SINCE.is(ended.since())),
                            database,
                            List.of(PoolEvents.versionRecovered(ended, change, now)))
                    .commit();
        }
        WorseVersion begun = new WorseVersion(
                roleId, change.version().version(), change.before().version(), now);
        return EventWrites.add(
                        database.transaction()
                                .put(registry, WORSE.item(key(begun), begun), Condition.absent(Attributes.PK)),
                        database,
                        List.of(PoolEvents.versionWorse(begun, change)))
                .commit();
    }

    private static Map<String, AttributeValue> key(WorseVersion worse) {
        return ItemKind.WORSE_VERSION.key(worse.roleId(), worse.version());
    }
}
