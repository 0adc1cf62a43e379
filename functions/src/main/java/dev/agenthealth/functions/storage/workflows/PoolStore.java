package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.keys.KeyItem;
import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.registry.usage.SharedLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the members of roles, and stores the pools that are below the minimum that a workflow declares. Thread-safe. */
public final class PoolStore {

    private static final Attribute<Instant> SINCE = new Attribute<>("since", MOMENT);
    private static final Attribute<Long> ACTIVE = new Attribute<>("active", NUMBER);

    private final Database database;
    private final Table registry;

    public PoolStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** The time for which the mark of a recovered pool is kept, which is longer than clocks differ. */
    private static final Duration RETENTION = Duration.ofDays(1);

    /**
     * The mark of a pool that is below its minimum, or recently was.
     *
     * @param at when an event was last published
     * @param active the number of active members in the event; {@link #ENOUGH} if the pool has recovered
     */
    public record Mark(Instant at, long active) {

        /** A number above any minimum. */
        private static final long ENOUGH = Long.MAX_VALUE;

        /** Returns the mark of a recovered pool. By the mark, its next fall is later, whatever the clock says. */
        public static Mark recovered(Instant at) {
            return new Mark(at, ENOUGH);
        }

        /** Returns whether the pool has recovered. */
        public boolean isOver() {
            return active == ENOUGH;
        }
    }

    /**
     * The pools with a declared minimum, and the shared limits, from one read.
     *
     * @param minimums the minimum number of active members, at least 1, by role; without pools of any size
     * @param marks the marks of pools that are or were below their minimum, by role, whether or not the pool is still declared
     * @param limits the limits that the agents of a role or an owner share
     */
    public record Watch(Map<String, Integer> minimums, Map<String, Mark> marks, List<SharedLimit> limits) {

        public Watch {
            minimums = Map.copyOf(minimums);
            marks = Map.copyOf(marks);
            limits = List.copyOf(limits);
        }
    }

    /** Returns all declared minimums, all marks and all shared limits, as of now. Costs one query. */
    public Watch watch() {
        Map<String, Integer> minimums = new HashMap<>();
        Map<String, Mark> marks = new HashMap<>();
        List<SharedLimit> limits = new ArrayList<>();
        Query query = Query.partition(ItemKind.POOL_BELOW_MINIMUM.partition()).consistent();
        registry.all(query).forEach(item -> {
            String sortKey = text(item, Attributes.SK);
            if (sortKey.startsWith(ItemKind.OWNER_LIMITS.prefix())) {
                limits.add(KeyItem.limits(item));
            } else if (sortKey.startsWith(ItemKind.POOL_BELOW_MINIMUM.prefix())) {
                marks.put(ItemKind.POOL_BELOW_MINIMUM.afterPrefix(item), new Mark(SINCE.of(item), ACTIVE.of(item)));
            } else {
                WorkflowStore.minimums(item).forEach((roleId, minimum) -> minimums.put(roleId, minimum.intValue()));
                limits.addAll(WorkflowStore.limits(item));
            }
        });
        return new Watch(minimums, marks, limits);
    }

    /**
     * A pool that fell below its minimum or further, or is no longer below it.
     *
     * @param before the mark as it was read; empty if there was none
     * @param after the new mark
     * @param event the event to publish
     */
    public record Change(String roleId, Optional<Mark> before, Mark after, Event event) {}

    /** Writes the marks of pools, each with its event. Returns the changes whose mark was as it was read. */
    public List<Change> publish(List<Change> changes, BooleanSupplier timeLeft) {
        return database.writeEach(
                changes,
                2,
                (transaction, change) -> {
                    Condition seen = change.before()
                            .map(mark -> SINCE.is(mark.at()))
                            .orElseGet(() -> Condition.absent(Attributes.PK));
                    Map<String, AttributeValue> key = ItemKind.POOL_BELOW_MINIMUM.key(change.roleId());
                    transaction.put(registry, item(key, change.after()), seen);
                    EventWrites.add(transaction, database, List.of(change.event()));
                },
                timeLeft);
    }

    private Map<String, AttributeValue> item(Map<String, AttributeValue> key, Mark mark) {
        Map<String, AttributeValue> item = mark.isOver() ? Attributes.item(key, expiry(mark)) : Attributes.item(key);
        return ACTIVE.put(SINCE.put(item, mark.at()), mark.active());
    }

    /** Returns the expiry of a mark. Another clock may have set the mark far in the future, so the mark must exist until its own time is over. */
    private Instant expiry(Mark mark) {
        Instant now = database.now();
        return (mark.at().isAfter(now) ? mark.at() : now).plus(RETENTION);
    }

    /** Returns the rows of up to {@code limit} agents of a role that are not archived, by agent id. */
    public TreeMap<String, PulseRow> members(String roleId, int limit) {
        return members(List.of(roleId), limit).get(roleId);
    }

    /**
     * Returns the members of each of these roles, until {@code limit} agents of roles were found. Later roles are left out. Costs one
     * request per role, and one request per hundred agents.
     */
    public Map<String, TreeMap<String, PulseRow>> members(List<String> roleIds, int limit) {
        Map<String, TreeMap<String, PulseRow>> members = new LinkedHashMap<>();
        Map<String, String> roles = new LinkedHashMap<>();
        for (String roleId : roleIds) {
            if (roles.size() >= limit) {
                break;
            }
            members.put(roleId, new TreeMap<>());
            registry.first(limit, Query.partition(ItemKind.ROLE_TAG.partition(roleId)))
                    .forEach(tag -> roles.put(text(tag, Attributes.SK), roleId));
        }
        new PulseStore(database).findAll(List.copyOf(roles.keySet())).forEach(row -> members.get(
                        roles.get(row.pulse().agentId()))
                .put(row.pulse().agentId(), row));
        return members;
    }

    /** Returns the parts of these agents that lists show, in their order. Agents without a profile are left out. */
    public List<ListedAgent> listed(List<PulseRow> rows) {
        return new AgentStore(database).listed(rows);
    }
}
