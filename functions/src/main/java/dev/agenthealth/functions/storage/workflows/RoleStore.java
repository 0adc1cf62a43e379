package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.workflow.RoleDefaults;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Roles: which there are, and what workflows declare for them. Thread-safe. */
public final class RoleStore {

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final BatchReads reads;

    public RoleStore(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.reads = new BatchReads(dynamoDb, retries);
    }

    /**
     * What is known of a role.
     *
     * @param known whether it is in the list of roles
     * @param declared whether a workflow declares it
     * @param defaults what its agents inherit; {@link RoleDefaults#NONE} where no workflow declares it
     */
    public record Role(boolean known, boolean declared, RoleDefaults defaults) {

        /** A role that nobody named yet. */
        public static final Role NONE = new Role(false, false, RoleDefaults.NONE);
    }

    /** What is known of a role, as of now. One request. */
    public Role find(String roleId) {
        List<Map<String, AttributeValue>> items = reads.get(
                        Map.of(
                                tables.registry(),
                                List.of(
                                        RegistryKeys.roleDefaults(roleId),
                                        RegistryKeys.key(RegistryKeys.ROLES, roleId))),
                        true)
                .of(tables.registry());
        Role role = Role.NONE;
        for (Map<String, AttributeValue> item : items) {
            role = text(item, RegistryKeys.PK).equals(RegistryKeys.ROLES)
                    ? new Role(true, role.declared(), role.defaults())
                    : new Role(role.known(), true, RoleItem.read(item));
        }
        return role;
    }

    /** Puts a role into the list of roles; repeating it changes nothing. */
    public void note(String roleId) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.key(RegistryKeys.ROLES, roleId));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        // Not in the transaction of a registration: agents of one role that start together would collide on it.
        retries.call(
                "role",
                () -> dynamoDb.putItem(r -> r.tableName(tables.registry()).item(item)));
    }

    /** Up to {@code limit} roles after this one, in ascending order; {@code after} is empty at the beginning. */
    public List<String> page(String after, int limit) {
        List<String> roles = new ArrayList<>();
        Map<String, AttributeValue> start = after.isEmpty() ? Map.of() : RegistryKeys.key(RegistryKeys.ROLES, after);
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .keyConditionExpression("#pk = :pk")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                    .expressionAttributeValues(Map.of(":pk", s(RegistryKeys.ROLES)))
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .limit(limit - roles.size())
                    .build();
            QueryResponse response = retries.call("roles", () -> dynamoDb.query(request));
            response.items().forEach(item -> roles.add(text(item, RegistryKeys.SK)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && roles.size() < limit);
        return List.copyOf(roles);
    }
}
