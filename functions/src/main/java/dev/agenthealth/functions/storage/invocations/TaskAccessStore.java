package dev.agenthealth.functions.storage.invocations;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.identity.Sha256;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the keys to which an agent returned a task, as hashes. Thread-safe. */
public final class TaskAccessStore {

    /** The time for which a key may use a task after the agent last returned it to a message of the key. */
    public static final Duration RETENTION = Duration.ofDays(30);

    private final Database database;
    private final Table registry;

    public TaskAccessStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Allows a key to use a task. Costs one write unit. */
    public void allow(String agentId, String taskId, String keyId) {
        registry.put(Attributes.item(key(agentId, taskId, keyId), database.now().plus(RETENTION)));
    }

    /** Returns whether a key may use all of these tasks of an agent, strongly consistent. */
    public boolean allows(String agentId, Collection<String> taskIds, String keyId) {
        return allowed(agentId, taskIds, keyId).containsAll(taskIds);
    }

    /** Returns the tasks of an agent, among these tasks, that a key may use, strongly consistent. */
    public Set<String> allowed(String agentId, Collection<String> taskIds, String keyId) {
        Map<Map<String, AttributeValue>, String> taskByKey = new HashMap<>();
        taskIds.forEach(taskId -> taskByKey.put(key(agentId, taskId, keyId), taskId));
        return registry.getAll(List.copyOf(taskByKey.keySet()), true).stream()
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .map(item -> taskByKey.get(Attributes.keyOf(item)))
                .collect(Collectors.toSet());
    }

    private static Map<String, AttributeValue> key(String agentId, String taskId, String keyId) {
        return ItemKind.TASK_ACCESS.key(agentId, HexFormat.of().formatHex(Sha256.of(List.of(taskId, keyId))));
    }
}
