package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Pulse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Which agents a key has registered, kept with the discovery tags of the living. Thread-safe. */
public final class OwnerIndex {

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;

    public OwnerIndex(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
    }

    /** Notes the owner of an agent that registers. */
    void write(Transactions.Items items, Pulse pulse) {
        Map<String, AttributeValue> item = new HashMap<>(key(pulse));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        items.put(tables.registry(), item);
    }

    /** Forgets the owner of an agent that is buried; where its key was revoked, nobody asks any more. */
    void remove(Transactions.Items items, Pulse pulse) {
        if (!pulse.credential().isNone()) {
            items.delete(tables.registry(), key(pulse));
        }
    }

    private static Map<String, AttributeValue> key(Pulse pulse) {
        return RegistryKeys.key(RegistryKeys.owner(pulse.credential().hex()), pulse.agentId());
    }

    /** Up to {@code most} agents that were registered with the key of this hash and are not buried, by id. */
    public List<String> agentsOf(KeyHash credential, int most) {
        QueryResponse response = retries.call(
                "agents of a key",
                () -> dynamoDb.query(r -> r.tableName(tables.registry())
                        .keyConditionExpression("#pk = :pk")
                        .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                        .expressionAttributeValues(Map.of(":pk", s(RegistryKeys.owner(credential.hex()))))
                        .consistentRead(true)
                        .limit(most)));
        return response.items().stream()
                .map(item -> text(item, RegistryKeys.SK))
                .toList();
    }
}
