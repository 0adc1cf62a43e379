package dev.agenthealth.functions.storage.health;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.testkit.TestTables;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Healths put where a computation leaves them, without outcomes from which they would be computed. */
public final class SeededHealth {

    private final TestSystem system;

    public SeededHealth(TestSystem system) {
        this.system = system;
    }

    /** Puts a health in place of the one before. */
    public void put(AgentHealth health) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.health(health.agentId()));
        item.putAll(HealthItem.attributes(health));
        write(item);
    }

    /** Puts a mark where no health was computed yet. */
    public void mark(String agentId) {
        system.stores().marks().mark(agentId);
    }

    /** Puts the point of a health's hour into the history. */
    public void putHistory(AgentHealth health) {
        write(HistoryItem.of(health));
    }

    private void write(Map<String, AttributeValue> item) {
        system.tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY).item(item));
    }
}
