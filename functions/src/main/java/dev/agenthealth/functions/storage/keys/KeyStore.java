package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;
import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** API keys, by hash for authentication and by id for the list, and the recently revoked ones. Thread-safe. */
public final class KeyStore {

    /** How long the sweep looks for agents that still carry a revoked key's credential. */
    static final Duration REVOCATION_RETENTION = Duration.ofDays(2);

    private static final String KEY_ID = "id";
    private static final String HASH = "hash";
    private static final String ROLE = "role";
    private static final String NAME = "name";
    private static final String ROLE_IDS = "roles";
    private static final String CREATED_AT = "created";

    private final Database database;
    private final Table registry;

    public KeyStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    public void add(ApiKey key) {
        database.transaction()
                .put(registry, item(ItemKind.API_KEY.key(key.hash().hex()), key))
                .put(registry, item(ItemKind.LISTED_KEY.key(key.keyId()), key))
                .commit();
    }

    /** The key with this hash; empty where none was issued or it was revoked. */
    public Optional<ApiKey> find(KeyHash hash) {
        return read(registry.get(ItemKind.API_KEY.key(hash.hex())));
    }

    /** The key with this id; empty where none was issued or it was revoked. */
    public Optional<ApiKey> find(String keyId) {
        return read(registry.get(ItemKind.LISTED_KEY.key(keyId)));
    }

    /**
     * A page of the keys in force, by id.
     *
     * @param after the last id of the page before; empty for the first
     */
    public List<ApiKey> page(String after, int limit) {
        Query query =
                Query.partition(ItemKind.LISTED_KEY.partition()).after(after).consistent();
        return registry.first(limit, query).stream()
                .flatMap(item -> read(item).stream())
                .toList();
    }

    /** Revokes a key; {@code false} where there is none with this id. The sweep clears its credential from agents. */
    public boolean revoke(String keyId) {
        Optional<ApiKey> key = find(keyId);
        if (key.isEmpty()) {
            return false;
        }
        KeyHash hash = key.get().hash();
        Instant now = database.now();
        Map<String, AttributeValue> revocation =
                Attributes.item(ItemKind.REVOKED_KEY.key(Attributes.padded(now.toEpochMilli(), 13), keyId));
        revocation.put(HASH, b(hash.bytes()));
        revocation.put(Attributes.EXPIRES, n(now.plus(REVOCATION_RETENTION).getEpochSecond()));
        return database.transaction()
                .delete(registry, ItemKind.API_KEY.key(hash.hex()))
                .delete(registry, ItemKind.LISTED_KEY.key(keyId), Condition.exists(Attributes.PK))
                .put(registry, revocation)
                .commit();
    }

    /** The hashes of the keys revoked within the last two days. */
    public Set<KeyHash> recentlyRevoked() {
        Set<KeyHash> hashes = new HashSet<>();
        for (Map<String, AttributeValue> item : registry.all(Query.partition(ItemKind.REVOKED_KEY.partition()))) {
            if (!Attributes.isExpired(item, database.now())) {
                hashes.add(KeyHash.ofBytes(bytes(item, HASH)));
            }
        }
        return Set.copyOf(hashes);
    }

    private static Map<String, AttributeValue> item(Map<String, AttributeValue> at, ApiKey key) {
        Map<String, AttributeValue> item = Attributes.item(at);
        item.put(KEY_ID, s(key.keyId()));
        item.put(HASH, b(key.hash().bytes()));
        item.put(ROLE, s(key.role().word()));
        item.put(NAME, s(key.name()));
        item.put(ROLE_IDS, list(key.roleIds().stream().sorted().toList()));
        item.put(CREATED_AT, n(key.createdAt().toEpochMilli()));
        return item;
    }

    private static Optional<ApiKey> read(Map<String, AttributeValue> item) {
        return item.isEmpty()
                ? Optional.empty()
                : Optional.of(new ApiKey(
                        text(item, KEY_ID),
                        KeyHash.ofBytes(bytes(item, HASH)),
                        Role.ofWord(text(item, ROLE))
                                .orElseThrow(() -> new IllegalStateException("a stored key has no role")),
                        text(item, NAME),
                        Set.copyOf(texts(item, ROLE_IDS)),
                        moment(item, CREATED_AT, Instant.EPOCH)));
    }
}
