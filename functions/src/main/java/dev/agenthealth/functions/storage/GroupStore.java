package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.n;
import static dev.agenthealth.functions.storage.Values.s;
import static dev.agenthealth.functions.storage.Values.text;

import dev.agenthealth.model.census.GroupKind;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Lists of the roles, providers and platforms that were ever named. Thread-safe. */
public final class GroupStore {

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;
    private final BatchReads reads;

    GroupStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
        this.reads = new BatchReads(dynamoDb, retrying);
    }

    /**
     * Puts the provider and the platform that a profile names into their lists; the role has {@link RoleStore#note}. One read where it names
     * any, and a write for each that nobody named before; repeating it changes nothing.
     */
    public void note(AgentProfile profile) {
        // Not in the transaction of a registration: agents of one provider that start together would collide on it.
        List<Map<String, AttributeValue>> missing = new ArrayList<>();
        if (!profile.providerId().isEmpty()) {
            missing.add(RegistryKeys.key(RegistryKeys.PROVIDERS, profile.providerId()));
        }
        if (!profile.platform().isEmpty()) {
            missing.add(RegistryKeys.key(RegistryKeys.PLATFORMS, profile.platform()));
        }
        for (Map<String, AttributeValue> known : reads.get(tables.registry(), missing)) {
            missing.remove(RegistryKeys.key(text(known, RegistryKeys.PK), text(known, RegistryKeys.SK)));
        }
        for (Map<String, AttributeValue> key : missing) {
            Map<String, AttributeValue> item = new HashMap<>(key);
            item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
            retrying.call(
                    "group",
                    () -> dynamoDb.putItem(r -> r.tableName(tables.registry()).item(item)));
        }
    }

    /** The names of up to {@code most} groups of a kind, in ascending order. */
    public List<String> names(GroupKind kind, int most) {
        List<String> names = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .keyConditionExpression("#pk = :pk")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                    .expressionAttributeValues(Map.of(":pk", s(partition(kind))))
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .limit(most - names.size())
                    .build();
            QueryResponse response = retrying.call("groups", () -> dynamoDb.query(request));
            response.items().forEach(item -> names.add(text(item, RegistryKeys.SK)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && names.size() < most);
        return List.copyOf(names);
    }

    private static String partition(GroupKind kind) {
        return switch (kind) {
            case ROLE -> RegistryKeys.ROLES;
            case PROVIDER -> RegistryKeys.PROVIDERS;
            case PLATFORM -> RegistryKeys.PLATFORMS;
        };
    }
}
