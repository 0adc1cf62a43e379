package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.pulses.FindingWrites;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the running A2A tasks that the gateway saw. The row of an agent has a copy of the time since which a task waits for a person. Thread-safe.
 */
public final class OpenTaskStore {

    /** The number of partitions. A stop reads all of them. */
    public static final int SHARDS = 16;

    private static final Codec<OpenTask> TASK = new Codec<>();
    private static final Attribute<String> AGENT = TASK.always("agent", TEXT, OpenTask::agentId);
    private static final Attribute<String> TASK_ID = TASK.always("task", TEXT, OpenTask::taskId);
    private static final Attribute<String> ROLE = TASK.optional("role", TEXT, OpenTask::roleId);
    private static final Attribute<String> OWNER = TASK.always("owner", TEXT, OpenTask::ownerKeyId);
    private static final Attribute<Boolean> WAITS = TASK.always("waits", FLAG, OpenTask::waits);
    private static final Attribute<Instant> SINCE = TASK.always("since", MOMENT, OpenTask::since);

    private final Database database;
    private final Table registry;
    private final PulseStore pulses;

    public OpenTaskStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.pulses = new PulseStore(database);
    }

    /**
     * A task that has not ended.
     *
     * @param waits whether the task waits for a person
     * @param since when the gateway first saw the task in this state
     */
    public record OpenTask(
            String agentId, String taskId, String roleId, String ownerKeyId, boolean waits, Instant since) {

        /** Returns the scopes of the stops that cover the task's agent. */
        public List<StopScope> scopes() {
            return StopScope.covering(agentId, roleId, ownerKeyId);
        }
    }

    /** Returns a task, strongly consistent; empty if it ended or is unknown. */
    public Optional<OpenTask> find(String agentId, String taskId) {
        return database.findUnexpired(key(agentId, taskId)).map(OpenTaskStore::read);
    }

    /** Returns the task at a position, strongly consistent; empty if it ended or is unknown. */
    public Optional<OpenTask> at(String position) {
        int end = Math.max(0, position.lastIndexOf('#'));
        String agentId = position.substring(0, end);
        return database.findUnexpired(ItemKind.OPEN_TASK.key(
                        shard(agentId), agentId, position.substring(Math.min(end + 1, position.length()))))
                .map(OpenTaskStore::read);
    }

    /** Stores a task. The item expires when the access to the task does. */
    public void put(OpenTask task) {
        Map<String, AttributeValue> item = TASK.item(key(task.agentId(), task.taskId()), task);
        item.putAll(Attributes.item(
                key(task.agentId(), task.taskId()), database.now().plus(TaskAccessStore.RETENTION)));
        registry.put(item);
    }

    /** Removes a task that ended. */
    public void remove(String agentId, String taskId) {
        registry.delete(key(agentId, taskId));
    }

    /**
     * Copies the beginning of the longest wait for a person to the agent's row. Costs two or three requests.
     *
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if other writers are faster too often
     */
    public void noteWait(String agentId) {
        OptimisticUpdates.untilDone(() -> {
            Optional<Pulse> pulse = pulses.find(agentId);
            if (pulse.filter(seen -> !seen.status().hasEnded()).isEmpty()) {
                return true;
            }
            Instant since = waitsSince(agentId);
            return since.equals(pulse.get().personWait().taskSince())
                    || database.pulses()
                            .update(FindingWrites.taskWait(
                                    pulse.get(), pulse.get().withTaskWait(since)));
        });
    }

    /** Removes all tasks of an agent. */
    public void removeOf(String agentId) {
        Query query = Query.partition(ItemKind.OPEN_TASK.partition(shard(agentId)))
                .startingWith(agentId + "#")
                .consistent();
        registry.deleteAll(registry.all(query).map(Attributes::keyOf).toList());
    }

    private Instant waitsSince(String agentId) {
        Query query = Query.partition(ItemKind.OPEN_TASK.partition(shard(agentId)))
                .startingWith(agentId + "#")
                .consistent();
        return registry.all(query)
                .filter(item -> !Attributes.isExpired(item, database.now()) && WAITS.of(item))
                .map(SINCE::of)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    /**
     * Tasks of a shard.
     *
     * @param next the position of the next page; empty at the end
     */
    public record Shard(List<OpenTask> tasks, String next) {}

    /**
     * Returns up to {@code limit} tasks of a shard, eventually consistent.
     *
     * @param after the position after which they begin; empty at the beginning
     */
    public Shard page(int shard, String after, int limit) {
        Query query = Query.partition(ItemKind.OPEN_TASK.partition(Integer.toString(shard)))
                .after(after);
        List<Map<String, AttributeValue>> items = registry.first(limit, query);
        String last = items.size() < limit ? "" : Values.text(items.get(items.size() - 1), Attributes.SK);
        return new Shard(
                items.stream()
                        .filter(item -> !Attributes.isExpired(item, database.now()))
                        .map(OpenTaskStore::read)
                        .toList(),
                last);
    }

    /** Returns the position of a task in its shard. */
    public static String position(OpenTask task) {
        return Values.text(key(task.agentId(), task.taskId()), Attributes.SK);
    }

    private static OpenTask read(Map<String, AttributeValue> item) {
        return new OpenTask(
                AGENT.of(item), TASK_ID.of(item), ROLE.of(item), OWNER.of(item), WAITS.of(item), SINCE.of(item));
    }

    private static Map<String, AttributeValue> key(String agentId, String taskId) {
        String hash = HexFormat.of().formatHex(Sha256.of(List.of(taskId)));
        return ItemKind.OPEN_TASK.key(shard(agentId), agentId, hash);
    }

    private static String shard(String agentId) {
        return Integer.toString(Math.floorMod(agentId.hashCode(), SHARDS));
    }
}
