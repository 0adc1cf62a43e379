package dev.agenthealth.functions.storage.health;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.testkit.TestTables;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes healths as a computation does, without the outcomes that they would be computed from. */
public final class SeededHealth {

    private final TestSystem system;

    public SeededHealth(TestSystem system) {
        this.system = system;
    }

    /** Puts a health in place of the one before. */
    public void put(AgentHealth health) {
        Map<String, AttributeValue> item = new HashMap<>(ItemKind.HEALTH.key(health.agentId()));
        item.putAll(HealthItem.attributes(health));
        write(item);
    }

    /** Makes an agent due whose health was not computed yet. */
    public void markDue(String agentId) {
        new DueStore(system.database()).markDue(agentId);
    }

    /** Puts the point of a health's hour into the history. */
    public void putHistory(AgentHealth health) {
        write(HistoryItem.ofHour(health));
    }

    private void write(Map<String, AttributeValue> item) {
        system.tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY).item(item));
    }
}
