package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;
import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * API keys: once for each secret by its hash, for authentication, and once by id; and the credentials that recently ended. Thread-safe.
 */
public final class KeyStore {

    /** How long the sweep looks for agents that still carry a credential that ended. */
    static final Duration REVOCATION_RETENTION = Duration.ofDays(2);

    /**
     * How long before the end of a secret the sweep begins to replace it on rows: more than the time between two passes, so that no heartbeat with it
     * is counted afterwards.
     */
    static final Duration REPLACED_AHEAD = Duration.ofMinutes(2);

    private static final String KEY_ID = "id";
    private static final String HASH = "hash";
    private static final String ROLE = "role";
    private static final String NAME = "name";
    private static final String ROLE_IDS = "roles";
    private static final String PROVIDER_IDS = "providers";
    private static final String CREATED_AT = "created";
    private static final String EARLIER = "earlier";

    /** Between the hash of an earlier secret and its end. */
    private static final String END = " ";

    private static final String REVISION = "rev";

    private static final String NEXT = "next";
    private static final String FROM = "from";

    /** Of a hash in the key of an item, where ids alone may be the same. */
    private static final int HASH_DIGITS = 16;

    private static final int TIME_DIGITS = 13;

    /** Retries where the key is changed meanwhile. */
    private static final int MAX_ATTEMPTS = 5;

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

    /** The key that has a secret with this hash; empty where it has none or the secret has ended. */
    public Optional<ApiKey> find(KeyHash hash) {
        return read(registry.get(ItemKind.API_KEY.key(hash.hex())))
                .filter(key -> key.endOf(hash).isAfter(database.now()));
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

    /**
     * Returns the ids of the keys in force that are granted one of these providers. Reads all keys, or nothing where there are no providers.
     */
    public Set<String> granted(Set<String> providers) {
        Set<String> granted = new HashSet<>();
        if (!providers.isEmpty()) {
            registry.all(Query.partition(ItemKind.LISTED_KEY.partition())).forEach(item -> read(item)
                    .filter(key -> !Collections.disjoint(key.providers().ids(), providers))
                    .ifPresent(key -> granted.add(key.keyId())));
        }
        return granted;
    }

    /**
     * Writes a change of a key. A secret that ends is noted for the sweep, which replaces it on rows by the newest.
     *
     * @return {@code false} where the key is no longer as it was read
     */
    public boolean change(ApiKey before, ApiKey after) {
        Instant now = database.now();
        Transaction transaction = database.transaction()
                .put(registry, item(ItemKind.LISTED_KEY.key(after.keyId()), after), isAsRead(before))
                .put(registry, item(ItemKind.API_KEY.key(after.hash().hex()), after));
        after.earlier().forEach((hash, end) -> {
            Map<String, AttributeValue> item = item(ItemKind.API_KEY.key(hash.hex()), after);
            item.put(Attributes.EXPIRES, seconds(end));
            transaction.put(registry, item);
        });
        for (KeyHash hash : before.secretsAt(now)) {
            Instant end = after.endOf(hash);
            if (end.equals(Instant.MIN)) {
                transaction.delete(registry, ItemKind.API_KEY.key(hash.hex()));
            }
            if (end.isBefore(before.endOf(hash))) {
                transaction.put(registry, ended(after.keyId(), hash, after.hash(), end));
            }
        }
        return transaction.commit();
    }

    /** Revokes a key; {@code false} where there is none with this id. The sweep clears its credentials from agents. */
    public boolean revoke(String keyId) {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            Optional<ApiKey> key = find(keyId);
            if (key.isEmpty() || revoke(key.get())) {
                return key.isPresent();
            }
        }
        throw new StorageBusyException(
                "the revocation of " + keyId, new IllegalStateException("it is changed all the time"));
    }

    private boolean revoke(ApiKey key) {
        Transaction transaction = database.transaction()
                .delete(registry, ItemKind.API_KEY.key(key.hash().hex()))
                .delete(registry, ItemKind.LISTED_KEY.key(key.keyId()), isAsRead(key))
                .put(registry, ended(key.keyId(), key.hash(), KeyHash.NONE, Instant.MIN));
        key.earlier().keySet().forEach(hash -> transaction
                .delete(registry, ItemKind.API_KEY.key(hash.hex()))
                .put(registry, ended(key.keyId(), hash, KeyHash.NONE, Instant.MIN)));
        return transaction.commit();
    }

    private static Condition isAsRead(ApiKey key) {
        return Condition.exists(Attributes.PK).and(Condition.numberOrAbsent(REVISION, key.revision()));
    }

    /**
     * The credentials that ended within the last two days or end soon, each with the owner that takes its place: the key with the secret that
     * replaced it, or with none where the key was revoked.
     */
    public Map<KeyHash, Owner> endedCredentials() {
        Map<KeyHash, Owner> next = new HashMap<>();
        for (Map<String, AttributeValue> item : registry.all(Query.partition(ItemKind.REVOKED_KEY.partition()))) {
            if (!Attributes.isExpired(item, database.now())
                    && !moment(item, FROM, Instant.EPOCH).isAfter(database.now())) {
                next.merge(
                        KeyHash.ofBytes(bytes(item, HASH)),
                        new Owner(text(item, KEY_ID), KeyHash.ofBytes(bytes(item, NEXT))),
                        (one, other) -> one.credential().isNone() ? one : other);
            }
        }
        next.replaceAll((hash, owner) -> last(next, owner));
        return Map.copyOf(next);
    }

    /** What replaces a credential may have ended itself. */
    private static Owner last(Map<KeyHash, Owner> next, Owner owner) {
        Owner last = owner;
        while (next.containsKey(last.credential())) {
            last = next.get(last.credential());
        }
        return last;
    }

    private Map<String, AttributeValue> ended(String keyId, KeyHash hash, KeyHash next, Instant end) {
        Instant now = database.now();
        boolean later = end.isAfter(now.plus(REPLACED_AHEAD));
        Instant from = later ? end.minus(REPLACED_AHEAD) : now;
        String place = keyId + "." + hash.hex().substring(0, HASH_DIGITS);
        Map<String, AttributeValue> item =
                Attributes.item(ItemKind.REVOKED_KEY.key(Attributes.padded(from.toEpochMilli(), TIME_DIGITS), place));
        item.put(KEY_ID, s(keyId));
        item.put(HASH, b(hash.bytes()));
        item.put(NEXT, b(next.bytes()));
        item.put(FROM, moment(from));
        item.put(Attributes.EXPIRES, seconds(from.plus(REVOCATION_RETENTION)));
        return item;
    }

    private static Map<String, AttributeValue> item(Map<String, AttributeValue> at, ApiKey key) {
        Map<String, AttributeValue> item = Attributes.item(at);
        item.put(KEY_ID, s(key.keyId()));
        item.put(HASH, b(key.hash().bytes()));
        item.put(ROLE, s(key.role().wireName()));
        item.put(NAME, s(key.name()));
        item.put(ROLE_IDS, list(key.roleIds().stream().sorted().toList()));
        item.put(PROVIDER_IDS, list(key.providers().ids().stream().sorted().toList()));
        item.put(CREATED_AT, moment(key.createdAt()));
        item.put(
                EARLIER,
                list(key.earlier().entrySet().stream()
                        .map(secret -> secret.getKey().hex() + END + secret.getValue())
                        .toList()));
        putNumber(item, REVISION, key.revision(), 0);
        return item;
    }

    private static Optional<ApiKey> read(Map<String, AttributeValue> item) {
        if (item.isEmpty()) {
            return Optional.empty();
        }
        Map<KeyHash, Instant> earlier = new HashMap<>();
        for (String secret : texts(item, EARLIER)) {
            String[] parts = secret.split(END);
            earlier.put(KeyHash.ofHex(parts[0]), Instant.parse(parts[1]));
        }
        return Optional.of(new ApiKey(
                text(item, KEY_ID),
                KeyHash.ofBytes(bytes(item, HASH)),
                earlier,
                Role.ofWireName(text(item, ROLE))
                        .orElseThrow(() -> new IllegalStateException("a stored key has no role")),
                text(item, NAME),
                Set.copyOf(texts(item, ROLE_IDS)),
                ProviderGrants.of(Set.copyOf(texts(item, PROVIDER_IDS))),
                moment(item, CREATED_AT, Instant.EPOCH),
                number(item, REVISION, 0)));
    }
}
