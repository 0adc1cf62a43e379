package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT_SET;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.identity.WorkloadOwners;
import dev.agenthealth.functions.storage.usage.UsageLimitsText;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.address.AddressBlock;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.SharedLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores API keys: one item for each secret by its hash, for authentication, and one item by id. Also stores the credentials that recently
 * ended. Thread-safe.
 */
public final class KeyStore {

    /** The time for which the sweep looks for agents that still have an ended credential. */
    static final Duration REVOCATION_RETENTION = Duration.ofDays(2);

    /**
     * The time before the end of a secret at which the sweep begins to replace it on rows. It is longer than the time between two passes,
     * so that no heartbeat with the secret is counted after its end.
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
    private static final Attribute<Instant> EXPIRES_AT =
            KEY.optional("ends", MOMENT, key -> key.limits().expiresAt().orElse(Instant.EPOCH));
    private static final Attribute<List<AddressBlock>> ADDRESSES =
            KEY.optional("nets", TEXTS.as(List.of(), KeyStore::written, KeyStore::blocks), key -> key.limits()
                    .addresses());
    private static final Attribute<Set<KeyAction>> ACTIONS =
            KEY.optional("actions", AttributeType.wireNames(KeyAction.class), key -> key.limits()
                    .actions());
    private static final Attribute<UsageLimits> USAGE = KEY.optional("usage", UsageLimitsText.TYPE, ApiKey::usage);
    private static final Attribute<Long> REVISION = KEY.optional("rev", NUMBER, ApiKey::revision);

    /** The secret that replaces an ended secret. */
    private static final Attribute<KeyHash> NEXT = new Attribute<>("next", HASH_TYPE);

    private static final Attribute<Instant> FROM = new Attribute<>("from", MOMENT);

    /** Separates the hash of an earlier secret from its end. */
    private static final String END = " ";

    /** The number of characters of a hash that go into an item's key. Different secrets may share an id. */
    public static final int HASH_DIGITS = 16;

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
        Transaction transaction = database.transaction()
                .put(registry, KEY.item(ItemKind.API_KEY.key(key.hash().hex()), key))
                .put(registry, KEY.item(ItemKind.LISTED_KEY.key(key.keyId()), key));
        put(transaction, ends(key));
        putLimits(transaction, UsageLimits.NONE, key);
        transaction.commit();
    }

    /** Stores a key with all its secrets. Returns {@code false} if a key has the id or one of the secrets. */
    public boolean addIfUnknown(ApiKey key) {
        Condition unknown = Condition.absentOrExpired(database.now());
        Transaction transaction = database.transaction()
                .put(registry, KEY.item(ItemKind.API_KEY.key(key.hash().hex()), key), unknown)
                .put(registry, KEY.item(ItemKind.LISTED_KEY.key(key.keyId()), key), unknown);
        key.earlier().forEach((hash, end) -> {
            if (end.isAfter(database.now())) {
                transaction.put(registry, ofEarlier(key, hash, end), unknown);
                transaction.put(
                        registry, ended(key.keyId(), key.credentialOf(hash), key.credentialOf(key.hash()), end));
            }
        });
        put(transaction, ends(key));
        putLimits(transaction, UsageLimits.NONE, key);
        return transaction.commit();
    }

    /** Returns the limits that the agents of a key share, from their item. */
    public static SharedLimit limits(Map<String, AttributeValue> item) {
        return new SharedLimit(LimitHolder.owner(ItemKind.OWNER_LIMITS.afterPrefix(item)), USAGE.of(item));
    }

    private void putLimits(Transaction transaction, UsageLimits before, ApiKey after) {
        Map<String, AttributeValue> place = ItemKind.OWNER_LIMITS.key(after.keyId());
        if (after.usage().isDeclared()) {
            transaction.put(registry, USAGE.put(Attributes.item(place), after.usage()));
        } else if (before.isDeclared()) {
            transaction.delete(registry, place);
        }
    }

    private static Map<String, AttributeValue> ofEarlier(ApiKey key, KeyHash hash, Instant end) {
        Map<String, AttributeValue> item = KEY.item(ItemKind.API_KEY.key(hash.hex()), key);
        item.put(Attributes.EXPIRES, seconds(end));
        return item;
    }

    /** Returns the key that has a secret with this hash; empty if no key has it or the secret has ended. */
    public Optional<ApiKey> find(KeyHash hash) {
        return findEvenExpired(hash).filter(this::isInForce);
    }

    /** Returns the key that has a secret with this hash, even if the key has expired; empty if no key has it or the secret has ended. */
    public Optional<ApiKey> findEvenExpired(KeyHash hash) {
        return read(registry.get(ItemKind.API_KEY.key(hash.hex())))
                .filter(key -> key.endOf(hash).isAfter(database.now()));
    }

    /** Returns the key with this id, even if it has expired; empty if none was issued or it was revoked. */
    public Optional<ApiKey> find(String keyId) {
        return read(registry.get(ItemKind.LISTED_KEY.key(keyId)));
    }

    /** Returns the key or the owner of workloads with this id as a caller; empty if it is not in force. */
    public Optional<Caller> holder(String keyId) {
        return workloads.isWorkload(keyId)
                ? workloads.find(keyId).map(found -> Caller.ofWorkloads(keyId))
                : find(keyId).filter(this::isInForce).map(ApiKey::asCaller);
    }

    /** Returns the key or the owner of workloads with this id as an owner; empty if it is not in force, or belongs to a viewer. */
    public Optional<Owner> owner(String keyId) {
        return holder(keyId).filter(Caller::mayChange).map(Caller::asOwner);
    }

    /** Returns the providers that the agents of a key or of an owner of workloads may name; {@link ProviderGrants#NONE} if it is not in force. */
    public ProviderGrants providers(String keyId) {
        return (workloads.isWorkload(keyId)
                        ? workloads.find(keyId)
                        : find(keyId).filter(this::isInForce).map(ApiKey::providers))
                .orElse(ProviderGrants.NONE);
    }

    /** Returns the key of the item from which {@link #providersIn} decides; empty for an owner of workloads, which has no such item. */
    public List<Map<String, AttributeValue>> keysOfProviders(String keyId) {
        return workloads.isWorkload(keyId) ? List.of() : List.of(ItemKind.LISTED_KEY.key(keyId));
    }

    /**
     * Returns the providers that the agents of a key may name; {@link ProviderGrants#NONE} if it is not in force.
     *
     * @param items the items of {@link #keysOfProviders}, and possibly other items, but of no other key
     */
    public ProviderGrants providersIn(Database.Items items) {
        return items.in(ItemKind.LISTED_KEY.partition()).registry().stream()
                .findFirst()
                .flatMap(KeyStore::read)
                .filter(this::isInForce)
                .map(ApiKey::providers)
                .orElse(ProviderGrants.NONE);
    }

    private boolean isInForce(ApiKey key) {
        return !key.limits().hasEnded(database.now());
    }

    /**
     * Returns a page of the keys that are not revoked, by id.
     *
     * @param after the last id of the previous page; empty for the first page
     */
    public List<ApiKey> page(String after, int limit) {
        Query query =
                Query.partition(ItemKind.LISTED_KEY.partition()).after(after).consistent();
        return registry.first(limit, query).stream()
                .flatMap(item -> read(item).stream())
                .toList();
    }

    /**
     * Returns the ids of the keys in force and of the owners of workloads with a grant of one of these providers. Reads all of them, or
     * nothing if {@code providers} is empty.
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
     * Writes a change of a key. The transaction also stores each ending secret for the sweep, which replaces it on rows by the newest
     * secret.
     *
     * @return {@code false} if the key is no longer as it was read, or another key has a secret of the key
     */
    public boolean change(ApiKey before, ApiKey after) {
        Instant now = database.now();
        Transaction transaction = database.transaction()
                .put(registry, KEY.item(ItemKind.LISTED_KEY.key(after.keyId()), after), isAsRead(before))
                .put(
                        registry,
                        KEY.item(ItemKind.API_KEY.key(after.hash().hex()), after),
                        ownOrUnknown(before, after.hash(), now));
        after.earlier()
                .forEach((hash, end) ->
                        transaction.put(registry, ofEarlier(after, hash, end), ownOrUnknown(before, hash, now)));
        for (KeyHash hash : before.secretsAt(now)) {
            Instant end = after.endOf(hash);
            if (end.equals(Instant.MIN)) {
                transaction.delete(registry, ItemKind.API_KEY.key(hash.hex()));
            }
            if (end.isBefore(before.endOf(hash))) {
                transaction.put(
                        registry,
                        ended(after.keyId(), before.credentialOf(hash), after.credentialOf(after.hash()), end));
            }
        }
        replaceEnds(transaction, before, after);
        putLimits(transaction, before.usage(), after);
        markRows(transaction, before, after);
        return transaction.commit();
    }

    /** Returns the condition that no other key has a secret. Another import may give the secret to another key at the same time. */
    private static Condition ownOrUnknown(ApiKey before, KeyHash hash, Instant now) {
        return before.secrets().contains(hash) ? Condition.NONE : Condition.absentOrExpired(now);
    }

    /** Revokes a key. Returns {@code false} if there is none with this id. */
    public boolean revoke(String keyId) {
        return OptimisticUpdates.untilPresent(() -> {
            Optional<ApiKey> key = find(keyId);
            return key.isEmpty() || revoke(key.get()) ? Optional.of(key.isPresent()) : Optional.empty();
        });
    }

    /** Revokes a key. Returns {@code false} if it is no longer as it was read. The sweep removes its credentials from agents. */
    public boolean revoke(ApiKey key) {
        Transaction transaction =
                database.transaction().delete(registry, ItemKind.LISTED_KEY.key(key.keyId()), isAsRead(key));
        for (KeyHash hash : key.secrets()) {
            transaction
                    .delete(registry, ItemKind.API_KEY.key(hash.hex()))
                    .put(registry, ended(key.keyId(), key.credentialOf(hash), KeyHash.NONE, Instant.MIN));
        }
        ends(key).keySet().forEach(item -> transaction.delete(registry, item));
        if (key.usage().isDeclared()) {
            transaction.delete(registry, ItemKind.OWNER_LIMITS.key(key.keyId()));
        }
        transaction.delete(registry, ItemKind.KEY_USE.key(key.keyId()));
        return transaction.commit();
    }

    /** Writes the items for the new end of a key, and removes the items for its earlier end. */
    private void replaceEnds(Transaction transaction, ApiKey before, ApiKey after) {
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> old = ends(before);
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> next = ends(after);
        old.keySet().stream().filter(key -> !next.containsKey(key)).forEach(key -> transaction.delete(registry, key));
        next.keySet().removeAll(old.keySet());
        put(transaction, next);
    }

    /** Writes all items, except a warning that would be too late: an operator who sets an end within the next week knows of it. */
    private void put(Transaction transaction, Map<Map<String, AttributeValue>, Map<String, AttributeValue>> ends) {
        ends.values().stream()
                .filter(item -> HASH.isIn(item) || FROM.of(item).isAfter(database.now()))
                .forEach(item -> transaction.put(registry, item));
    }

    /**
     * Returns, by their keys, the items for the end of a key. They cause the event about the end, and remove the key's credentials from
     * rows at the end. Empty if the key has no end.
     */
    private static Map<Map<String, AttributeValue>, Map<String, AttributeValue>> ends(ApiKey key) {
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items = new HashMap<>();
        key.limits().expiresAt().ifPresent(end -> {
            Instant warning = end.minus(KeyLimits.WARNED_AHEAD);
            Map<String, AttributeValue> place = ItemKind.EXPIRING_KEY.key(time(warning), key.keyId());
            Map<String, AttributeValue> announcement = Attributes.item(place);
            KEY_ID.put(announcement, key.keyId());
            FROM.put(announcement, warning);
            announcement.put(Attributes.EXPIRES, seconds(end));
            items.put(place, announcement);
            for (KeyHash hash : key.secrets()) {
                String name = place(key.keyId(), hash) + ".end";
                Map<String, AttributeValue> at = ItemKind.REVOKED_KEY.key(time(end), name);
                items.put(at, replaced(at, new Owner(key.keyId(), KeyHash.NONE), hash.ofLimitedKey(), end, end));
            }
        });
        return items;
    }

    /**
     * Makes the sweep mark the rows of a key that gets its first limit or loses its last one. Until the sweep has marked a row, its
     * heartbeats are counted without a look-up of the key. Only one of the two marks exists at a time, so that replacements form no cycle.
     */
    private void markRows(Transaction transaction, ApiKey before, ApiKey after) {
        if (before.limits().isNone() == after.limits().isNone()) {
            return;
        }
        for (KeyHash hash : after.secrets()) {
            KeyHash now = before.credentialOf(hash);
            transaction
                    .delete(registry, marked(after, after.credentialOf(hash)))
                    .put(
                            registry,
                            replaced(marked(after, now), after.asOwner(), now, after.createdAt(), database.now()));
        }
    }

    /** Returns the key of the mark of a change of limits. */
    private static Map<String, AttributeValue> marked(ApiKey key, KeyHash credential) {
        return ItemKind.REVOKED_KEY.key(time(key.createdAt()), place(key.keyId(), credential) + ".limits");
    }

    /**
     * Returns the keys for which an event about their end is due by now.
     *
     * @return when each event is due, by the key
     */
    public Map<ApiKey, Instant> expiring() {
        Map<ApiKey, Instant> due = new LinkedHashMap<>();
        registry.all(Query.partition(ItemKind.EXPIRING_KEY.partition())
                        .before(time(database.now().plusMillis(1))))
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .forEach(item -> find(KEY_ID.of(item)).ifPresent(key -> due.put(key, FROM.of(item))));
        return due;
    }

    /**
     * Publishes the event about the end of a key.
     *
     * @return {@code false} if the event was published since it was read, or the key has another end
     */
    public boolean announce(ApiKey key, Instant due, Event event) {
        Transaction transaction = database.transaction()
                .delete(registry, ItemKind.EXPIRING_KEY.key(time(due), key.keyId()), Condition.exists(Attributes.PK));
        return EventWrites.add(transaction, database, List.of(event)).commit();
    }

    private static Condition isAsRead(ApiKey key) {
        return Condition.exists(Attributes.PK).and(Condition.numberOrAbsent(REVISION.name(), key.revision()));
    }

    /**
     * Returns the credentials that ended within the last two days or end soon, each with its replacement. The replacement is the key with
     * the next secret, or without a secret if the key was revoked.
     */
    public Map<KeyHash, Owner> endedCredentials() {
        Map<KeyHash, Owner> next = new HashMap<>();
        registry.all(Query.partition(ItemKind.REVOKED_KEY.partition())
                        .before(time(database.now().plusMillis(1))))
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .filter(item -> !FROM.of(item).isAfter(database.now()))
                .forEach(item -> next.merge(
                        HASH.of(item),
                        new Owner(KEY_ID.of(item), NEXT.of(item)),
                        (one, other) -> one.credential().isNone() ? one : other));
        next.replaceAll((hash, owner) -> last(next, owner));
        return Map.copyOf(next);
    }

    /** Follows replacements, because the replacement of a credential may have ended itself. */
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
        Map<String, AttributeValue> key = ItemKind.REVOKED_KEY.key(time(from), place(keyId, hash));
        return replaced(key, new Owner(keyId, next), hash, from, from);
    }

    /**
     * Returns the item by which the sweep replaces a credential on rows.
     *
     * @param from when the replacement begins
     * @param written the moment at which its retention begins
     */
    private static Map<String, AttributeValue> replaced(
            Map<String, AttributeValue> key, Owner next, KeyHash hash, Instant from, Instant written) {
        Map<String, AttributeValue> item = Attributes.item(key);
        KEY_ID.put(item, next.keyId());
        HASH.put(item, hash);
        NEXT.put(item, next.credential());
        FROM.put(item, from);
        item.put(Attributes.EXPIRES, seconds(written.plus(REVOCATION_RETENTION)));
        return item;
    }

    private static String place(String keyId, KeyHash hash) {
        return keyId + "." + hash.hex().substring(0, HASH_DIGITS);
    }

    private static String time(Instant moment) {
        return Attributes.padded(moment.toEpochMilli(), TIME_DIGITS);
    }

    private static List<String> written(List<AddressBlock> blocks) {
        return blocks.stream().map(AddressBlock::text).toList();
    }

    private static List<AddressBlock> blocks(List<String> texts) {
        return texts.stream().flatMap(text -> AddressBlock.of(text).stream()).toList();
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
                        new KeyLimits(
                                Optional.of(EXPIRES_AT.of(found)).filter(end -> end.isAfter(Instant.EPOCH)),
                                ADDRESSES.of(found),
                                ACTIONS.of(found)),
                        USAGE.of(found),
                        CREATED_AT.of(found),
                        REVISION.of(found)));
    }
}
