package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.pulses.FindingWrites;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.WaitingRule;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the task ids of an agent's last heartbeat, and the text that says what the agent waits for. Both belong to one incarnation. Thread-safe.
 */
public final class TaskStore {

    private static final Attribute<List<String>> TASKS = new Attribute<>("tasks", TEXTS);
    private static final Attribute<String> WAITS_FOR = new Attribute<>("for", TEXT);
    private static final Attribute<Long> TASKS_INCARNATION = new Attribute<>("c", NUMBER);

    private final Database database;

    public TaskStore(Database database) {
        this.database = database;
    }

    /**
     * Replaces the list of task ids by the list of a heartbeat, and stores its hash on the pulse. Both are written together. Returns
     * {@code false} if the agent registered again since it was read.
     */
    public boolean storeTasks(Pulse pulse, long hash, List<String> tasks) {
        Update list = ofTasks(pulse).set(TASKS, tasks);
        return database.transaction()
                .update(database.registry(), list)
                .update(database.pulses(), PulseWrites.tasks(pulse, hash))
                .commit();
    }

    /**
     * Replaces the text that says what the agent waits for, and stores its hash on the pulse. Both are written together. Returns {@code
     * false} if the agent registered again since it was read.
     *
     * @param text the text; empty if the agent no longer says it
     */
    public boolean storeWaitsFor(Pulse pulse, int hash, String text) {
        Update stored = ofTasks(pulse);
        if (text.isEmpty()) {
            stored.remove(WAITS_FOR.name());
        } else {
            stored.set(WAITS_FOR, text);
        }
        return database.transaction()
                .update(database.registry(), stored)
                .update(database.pulses(), FindingWrites.waitsFor(pulse, hash))
                .commit();
    }

    private static Update ofTasks(Pulse pulse) {
        return Update.upsert(ItemKind.TASKS.key(pulse.agentId())).set(TASKS_INCARNATION, pulse.incarnation());
    }

    /** Returns the task ids of the pulse's incarnation. A list of an earlier incarnation does not count. */
    static List<String> tasks(Pulse pulse, Map<String, AttributeValue> item) {
        return TASKS_INCARNATION.of(item) == pulse.incarnation() ? TASKS.of(item) : List.of();
    }

    static String waitsFor(Pulse pulse, Map<String, AttributeValue> item) {
        boolean current = WaitingRule.isByActivity(pulse) && TASKS_INCARNATION.of(item) == pulse.incarnation();
        return current ? WAITS_FOR.of(item) : "";
    }
}
