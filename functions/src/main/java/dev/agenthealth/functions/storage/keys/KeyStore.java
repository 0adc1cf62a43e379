package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;
import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retrying;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** API keys, by hash for whoever presents one and by id for the list, and the recently revoked ones. Thread-safe. */
public final class KeyStore {

    /** How long the sweep looks for agents with a revoked key's credential. */
    static final Duration REVOCATION_RETENTION = Duration.ofDays(2);

    private static final String KEY_ID = "id";
    private static final String HASH = "hash";
    private static final String ROLE = "role";
    private static final String NAME = "name";
    private static final String ROLE_IDS = "roles";
    private static final String CREATED_AT = "created";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;
    private final Transactions transactions;
    private final Clock clock;

    public KeyStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
        this.transactions = new Transactions(dynamoDb, retrying);
        this.clock = clock;
    }

    /** Stores a new key. */
    public void add(ApiKey key) {
        Transactions.Items items = new Transactions.Items();
        items.put(tables.registry(), item(RegistryKeys.apiKey(key.hash().hex()), key));
        items.put(tables.registry(), item(RegistryKeys.key(RegistryKeys.KEYS, key.keyId()), key));
        if (!transactions.write("new key", items.list())) {
            throw new IllegalStateException("an unconditional write was refused");
        }
    }

    /** The key with this hash; empty where none was issued or it was revoked. */
    public Optional<ApiKey> find(KeyHash hash) {
        Map<String, AttributeValue> item = retrying.call(
                        "read of a key",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.apiKey(hash.hex()))
                                .consistentRead(true)))
                .item();
        return item.isEmpty() ? Optional.empty() : Optional.of(read(item));
    }

    /**
     * A page of the keys in force, by id.
     *
     * @param after the last id of the page before; empty for the first
     */
    public List<ApiKey> page(String after, int limit) {
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":pk", s(RegistryKeys.KEYS)));
        Map<String, String> names = new HashMap<>(Map.of("#pk", RegistryKeys.PK));
        if (!after.isEmpty()) {
            values.put(":after", s(after));
            names.put("#sk", RegistryKeys.SK);
        }
        List<ApiKey> page = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            Map<String, AttributeValue> from = start;
            QueryResponse response = retrying.call(
                    "list of keys",
                    () -> dynamoDb.query(r -> r.tableName(tables.registry())
                            .keyConditionExpression("#pk = :pk" + (after.isEmpty() ? "" : " AND #sk > :after"))
                            .expressionAttributeNames(names)
                            .expressionAttributeValues(values)
                            .consistentRead(true)
                            .exclusiveStartKey(from.isEmpty() ? null : from)
                            .limit(limit - page.size())));
            response.items().forEach(item -> page.add(read(item)));
            // DynamoDB ends an answer at 1 MB, however many items were asked for.
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && page.size() < limit);
        return List.copyOf(page);
    }

    /** Revokes a key; {@code false} where there is none with this id. Its credential is cleared from agents by the sweep. */
    public boolean revoke(String keyId) {
        Map<String, AttributeValue> item = retrying.call(
                        "read of a key",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.key(RegistryKeys.KEYS, keyId))
                                .consistentRead(true)))
                .item();
        if (item.isEmpty()) {
            return false;
        }
        ApiKey key = read(item);
        Instant now = clock.instant();
        Map<String, AttributeValue> revocation = new HashMap<>(
                RegistryKeys.key(RegistryKeys.REVOKED, RegistryKeys.padded(now.toEpochMilli(), 13) + "#" + keyId));
        revocation.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        revocation.put(HASH, b(key.hash().bytes()));
        revocation.put(RegistryKeys.EXPIRES, n(now.plus(REVOCATION_RETENTION).getEpochSecond()));
        Transactions.Items items = new Transactions.Items();
        items.delete(tables.registry(), RegistryKeys.apiKey(key.hash().hex()));
        items.delete(Delete.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.key(RegistryKeys.KEYS, keyId))
                .conditionExpression("attribute_exists(#pk)")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK)));
        items.put(tables.registry(), revocation);
        return transactions.write("revocation", items.list());
    }

    /** The hashes of the keys revoked lately, whose credentials no agent may beat with any more. */
    public Set<KeyHash> revokedLately() {
        List<KeyHash> hashes = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            Map<String, AttributeValue> from = start;
            QueryResponse response = retrying.call(
                    "read of revocations",
                    () -> dynamoDb.query(r -> r.tableName(tables.registry())
                            .keyConditionExpression("#pk = :pk")
                            .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                            .expressionAttributeValues(Map.of(":pk", s(RegistryKeys.REVOKED)))
                            .exclusiveStartKey(from.isEmpty() ? null : from)));
            response.items().stream()
                    .filter(item -> !RegistryKeys.isExpired(item, clock.instant()))
                    .forEach(item -> hashes.add(KeyHash.ofBytes(bytes(item, HASH))));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
        return Set.copyOf(hashes);
    }

    private static Map<String, AttributeValue> item(Map<String, AttributeValue> at, ApiKey key) {
        Map<String, AttributeValue> item = new HashMap<>(at);
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(KEY_ID, s(key.keyId()));
        item.put(HASH, b(key.hash().bytes()));
        item.put(ROLE, s(key.role().word()));
        item.put(NAME, s(key.name()));
        item.put(ROLE_IDS, list(key.roleIds().stream().sorted().toList()));
        item.put(CREATED_AT, n(key.createdAt().toEpochMilli()));
        return item;
    }

    private static ApiKey read(Map<String, AttributeValue> item) {
        return new ApiKey(
                text(item, KEY_ID),
                KeyHash.ofBytes(bytes(item, HASH)),
                Role.ofWord(text(item, ROLE)).orElseThrow(() -> new IllegalStateException("a stored key has no role")),
                text(item, NAME),
                Set.copyOf(texts(item, ROLE_IDS)),
                moment(item, CREATED_AT, Instant.EPOCH));
    }
}
