package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.census.GroupKind;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Lists of the roles, providers and platforms that were ever named. Thread-safe. */
public final class GroupStore {

    private static final String NOTED_AT = "at";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final BatchReads reads;
    private final Clock clock;

    public GroupStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.reads = new BatchReads(dynamoDb, retries);
        this.clock = clock;
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
            item.put(NOTED_AT, n(clock.millis()));
            retries.call(
                    "group",
                    () -> dynamoDb.putItem(r -> r.tableName(tables.registry()).item(item)));
        }
    }

    /** A group, as of now; empty where nobody named it. */
    public Optional<Group> find(GroupKind kind, String name) {
        return reads
                .get(Map.of(tables.registry(), List.of(RegistryKeys.key(partition(kind), name))), true)
                .of(tables.registry())
                .stream()
                .map(GroupStore::read)
                .findFirst();
    }

    /** The names of up to {@code most} groups of a kind, in ascending order. */
    public List<String> names(GroupKind kind, int most) {
        return page(kind, "", most).stream().map(Group::name).toList();
    }

    /** Up to {@code limit} groups of a kind after this one, in ascending order; {@code after} is empty at the beginning. */
    public List<Group> page(GroupKind kind, String after, int limit) {
        List<Group> groups = new ArrayList<>();
        Map<String, AttributeValue> start = after.isEmpty() ? Map.of() : RegistryKeys.key(partition(kind), after);
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .keyConditionExpression("#pk = :pk")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                    .expressionAttributeValues(Map.of(":pk", s(partition(kind))))
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .limit(limit - groups.size())
                    .build();
            QueryResponse response = retries.call("groups", () -> dynamoDb.query(request));
            response.items().forEach(item -> groups.add(read(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && groups.size() < limit);
        return List.copyOf(groups);
    }

    private static Group read(Map<String, AttributeValue> item) {
        return new Group(text(item, RegistryKeys.SK), moment(item, NOTED_AT, Instant.EPOCH));
    }

    private static String partition(GroupKind kind) {
        return switch (kind) {
            case ROLE -> RegistryKeys.ROLES;
            case PROVIDER -> RegistryKeys.PROVIDERS;
            case PLATFORM -> RegistryKeys.PLATFORMS;
        };
    }
}
