package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT_SET;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.identity.WorkloadOwners;
import dev.agenthealth.model.WireNamed;
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
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * API keys: once for each secret by its hash, for authentication, and once by id; and the credentials that recently ended. Thread-safe.
 */
public final class KeyStore {

    /** The time for which the sweep looks for agents that still carry a credential that ended. */
    static final Duration REVOCATION_RETENTION = Duration.ofDays(2);

    /**
     * The time before the end of a secret at which the sweep begins to replace it on rows: more than the time between two passes, so that no heartbeat with it
     * is counted afterwards.
     */
    static final Duration REPLACED_AHEAD = Duration.ofMinutes(2);

    private static final AttributeType<KeyHash> HASH_TYPE = BYTES.as(KeyHash.NONE, KeyHash::bytes, KeyHash::ofBytes);

    private static final Codec<ApiKey> KEY = new Codec<>();
    private static final Attribute<String> KEY_ID = KEY.always("id", TEXT, ApiKey::keyId);
    private static final Attribute<KeyHash> HASH = KEY.always("hash", HASH_TYPE, ApiKey::hash);
    private static final Attribute<String> ROLE =
            KEY.always("role", TEXT, key -> key.role().wireName());
    private static final Attribute<String> NAME = KEY.always("name", TEXT, ApiKey::name);
    private static final Attribute<Set<String>> ROLE_IDS = KEY.always("roles", TEXT_SET, ApiKey::roleIds);
    private static final Attribute<Set<String>> PROVIDER_IDS =
            KEY.always("providers", TEXT_SET, key -> key.providers().ids());
    private static final Attribute<Instant> CREATED_AT = KEY.always("created", MOMENT, ApiKey::createdAt);
    private static final Attribute<Map<KeyHash, Instant>> EARLIER =
            KEY.always("earlier", TEXTS.as(Map.of(), KeyStore::texts, KeyStore::earlier), ApiKey::earlier);
    private static final Attribute<Long> REVISION = KEY.optional("rev", NUMBER, ApiKey::revision);

    /** The secret that replaces one that ended. */
    private static final Attribute<KeyHash> NEXT = new Attribute<>("next", HASH_TYPE);

    private static final Attribute<Instant> FROM = new Attribute<>("from", MOMENT);

    /** Between the hash of an earlier secret and its end. */
    private static final String END = " ";

    /** Of a hash in the key of an item, where ids alone may be the same. */
    private static final int HASH_DIGITS = 16;

    private static final int TIME_DIGITS = 13;

    private final Database database;
    private final Table registry;
    private final WorkloadOwners workloads;

    public KeyStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.workloads = new WorkloadOwners(database);
    }

    public void add(ApiKey key) {
        database.transaction()
                .put(registry, KEY.item(ItemKind.API_KEY.key(key.hash().hex()), key))
                .put(registry, KEY.item(ItemKind.LISTED_KEY.key(key.keyId()), key))
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

    /** The key or the owner of workloads with this id as an owner; empty where it is not in force, or is a viewer's. */
    public Optional<Owner> owner(String keyId) {
        return workloads.isWorkload(keyId)
                ? workloads.find(keyId).map(found -> new Owner(keyId, KeyHash.NONE))
                : find(keyId).filter(key -> key.role() != Role.VIEWER).map(ApiKey::asOwner);
    }

    /** The providers that the agents of a key or of an owner of workloads may name; none where it is not in force. */
    public ProviderGrants providers(String keyId) {
        return (workloads.isWorkload(keyId)
                        ? workloads.find(keyId)
                        : find(keyId).map(ApiKey::providers))
                .orElse(ProviderGrants.NONE);
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
     * Returns the ids of the keys in force and of the owners of workloads that are granted one of these providers. Reads all of them, or nothing
     * where there are no providers.
     */
    public Set<String> granted(Set<String> providers) {
        if (providers.isEmpty()) {
            return Set.of();
        }
        Set<String> granted = new HashSet<>(workloads.granted(providers));
        registry.all(Query.partition(ItemKind.LISTED_KEY.partition()))
                .flatMap(item -> read(item).stream())
                .filter(key -> !Collections.disjoint(key.providers().ids(), providers))
                .forEach(key -> granted.add(key.keyId()));
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
                .put(registry, KEY.item(ItemKind.LISTED_KEY.key(after.keyId()), after), isAsRead(before))
                .put(registry, KEY.item(ItemKind.API_KEY.key(after.hash().hex()), after));
        after.earlier().forEach((hash, end) -> {
            Map<String, AttributeValue> item = KEY.item(ItemKind.API_KEY.key(hash.hex()), after);
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

    /** Revokes a key; {@code false} where there is none with this id. */
    public boolean revoke(String keyId) {
        return Attempts.untilPresent(() -> {
            Optional<ApiKey> key = find(keyId);
            return key.isEmpty() || revoke(key.get()) ? Optional.of(key.isPresent()) : Optional.empty();
        });
    }

    /** Revokes a key; {@code false} where it is no longer as it was read. The sweep clears its credentials from agents. */
    public boolean revoke(ApiKey key) {
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
        return Condition.exists(Attributes.PK).and(Condition.numberOrAbsent(REVISION.name(), key.revision()));
    }

    /**
     * The credentials that ended within the last two days or end soon, each with the owner that takes its place: the key with the secret that
     * replaced it, or with none where the key was revoked.
     */
    public Map<KeyHash, Owner> endedCredentials() {
        Map<KeyHash, Owner> next = new HashMap<>();
        registry.all(Query.partition(ItemKind.REVOKED_KEY.partition()))
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .filter(item -> !FROM.of(item).isAfter(database.now()))
                .forEach(item -> next.merge(
                        HASH.of(item),
                        new Owner(KEY_ID.of(item), NEXT.of(item)),
                        (one, other) -> one.credential().isNone() ? one : other));
        next.replaceAll((hash, owner) -> last(next, owner));
        return Map.copyOf(next);
    }

    /** Follows replacements: the credential that replaces another may have ended itself. */
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
        KEY_ID.put(item, keyId);
        HASH.put(item, hash);
        NEXT.put(item, next);
        FROM.put(item, from);
        item.put(Attributes.EXPIRES, seconds(from.plus(REVOCATION_RETENTION)));
        return item;
    }

    private static List<String> texts(Map<KeyHash, Instant> earlier) {
        return earlier.entrySet().stream()
                .map(secret -> secret.getKey().hex() + END + secret.getValue())
                .toList();
    }

    private static Map<KeyHash, Instant> earlier(List<String> texts) {
        return texts.stream()
                .map(secret -> secret.split(END))
                .collect(Collectors.toMap(parts -> KeyHash.ofHex(parts[0]), parts -> Instant.parse(parts[1])));
    }

    private static Optional<ApiKey> read(Map<String, AttributeValue> item) {
        return Optional.of(item)
                .filter(found -> !found.isEmpty())
                .map(found -> new ApiKey(
                        KEY_ID.of(found),
                        HASH.of(found),
                        EARLIER.of(found),
                        WireNamed.find(Role.class, ROLE.of(found))
                                .orElseThrow(() -> new IllegalStateException("a stored key has no role")),
                        NAME.of(found),
                        ROLE_IDS.of(found),
                        ProviderGrants.of(PROVIDER_IDS.of(found)),
                        CREATED_AT.of(found),
                        REVISION.of(found)));
    }
}
