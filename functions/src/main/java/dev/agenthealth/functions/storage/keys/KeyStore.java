package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.identity.WorkloadOwners;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores API keys: one item for each secret by its hash, for authentication, and one item by id. {@link CredentialEnds} has the
 * credentials that end. Thread-safe.
 */
public final class KeyStore {

    private final Database database;
    private final Table registry;
    private final WorkloadOwners workloads;
    private final CredentialEnds ends;

    public KeyStore(Database database) {
        this.database = database;
        this.registry = database.registry();
        this.workloads = new WorkloadOwners(database);
        this.ends = new CredentialEnds(database);
    }

    public void add(ApiKey key) {
        Transaction transaction = database.transaction()
                .put(registry, KeyItem.of(ItemKind.API_KEY.key(key.hash().hex()), key))
                .put(registry, KeyItem.of(ItemKind.LISTED_KEY.key(key.keyId()), key));
        ends.put(transaction, CredentialEnds.ends(key));
        putLimits(transaction, UsageLimits.NONE, key);
        transaction.commit();
    }

    /** Stores a key with all its secrets. Returns {@code false} if a key has the id or one of the secrets. */
    public boolean addIfUnknown(ApiKey key) {
        Condition unknown = Condition.absentOrExpired(database.now());
        Transaction transaction = database.transaction()
                .put(registry, KeyItem.of(ItemKind.API_KEY.key(key.hash().hex()), key), unknown)
                .put(registry, KeyItem.of(ItemKind.LISTED_KEY.key(key.keyId()), key), unknown);
        key.earlier().forEach((hash, end) -> {
            if (end.isAfter(database.now())) {
                transaction.put(registry, ofEarlier(key, hash, end), unknown);
                transaction.put(
                        registry, ends.ended(key.keyId(), key.credentialOf(hash), key.credentialOf(key.hash()), end));
            }
        });
        ends.put(transaction, CredentialEnds.ends(key));
        putLimits(transaction, UsageLimits.NONE, key);
        return transaction.commit();
    }

    private void putLimits(Transaction transaction, UsageLimits before, ApiKey after) {
        Map<String, AttributeValue> place = ItemKind.OWNER_LIMITS.key(after.keyId());
        if (after.usage().isDeclared()) {
            transaction.put(registry, KeyItem.USAGE.put(Attributes.item(place), after.usage()));
        } else if (before.isDeclared()) {
            transaction.delete(registry, place);
        }
    }

    private static Map<String, AttributeValue> ofEarlier(ApiKey key, KeyHash hash, Instant end) {
        Map<String, AttributeValue> item = KeyItem.of(ItemKind.API_KEY.key(hash.hex()), key);
        item.put(Attributes.EXPIRES, seconds(end));
        return item;
    }

    /** Returns the key that has a secret with this hash; empty if no key has it or the secret has ended. */
    public Optional<ApiKey> find(KeyHash hash) {
        return findEvenExpired(hash).filter(this::isInForce);
    }

    /** Returns the key that has a secret with this hash, even if the key has expired; empty if no key has it or the secret has ended. */
    public Optional<ApiKey> findEvenExpired(KeyHash hash) {
        return KeyItem.read(registry.get(ItemKind.API_KEY.key(hash.hex())))
                .filter(key -> key.endOf(hash).isAfter(database.now()));
    }

    /** Returns the key with this id, even if it has expired; empty if none was issued or it was revoked. */
    public Optional<ApiKey> find(String keyId) {
        return KeyItem.read(registry.get(ItemKind.LISTED_KEY.key(keyId)));
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
        List<Map<String, AttributeValue>> found =
                items.in(ItemKind.LISTED_KEY.partition()).registry();
        return found.isEmpty() ? ProviderGrants.NONE : KeyItem.providers(found.get(0), database.now());
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
                .flatMap(item -> KeyItem.read(item).stream())
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
                .flatMap(item -> KeyItem.read(item).stream())
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
                .put(registry, KeyItem.of(ItemKind.LISTED_KEY.key(after.keyId()), after), isAsRead(before))
                .put(
                        registry,
                        KeyItem.of(ItemKind.API_KEY.key(after.hash().hex()), after),
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
                        ends.ended(after.keyId(), before.credentialOf(hash), after.credentialOf(after.hash()), end));
            }
        }
        ends.replace(transaction, before, after);
        putLimits(transaction, before.usage(), after);
        ends.markRows(transaction, before, after);
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
                    .put(registry, ends.ended(key.keyId(), key.credentialOf(hash), KeyHash.NONE, Instant.MIN));
        }
        CredentialEnds.ends(key).keySet().forEach(item -> transaction.delete(registry, item));
        if (key.usage().isDeclared()) {
            transaction.delete(registry, ItemKind.OWNER_LIMITS.key(key.keyId()));
        }
        transaction.delete(registry, ItemKind.KEY_USE.key(key.keyId()));
        return transaction.commit();
    }

    /**
     * Returns the keys for which an event about their end is due by now.
     *
     * @return when each event is due, by the key
     */
    public Map<ApiKey, Instant> expiring() {
        Map<ApiKey, Instant> due = new LinkedHashMap<>();
        registry.all(Query.partition(ItemKind.EXPIRING_KEY.partition())
                        .before(CredentialEnds.time(database.now().plusMillis(1))))
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .forEach(item ->
                        find(KeyItem.KEY_ID.of(item)).ifPresent(key -> due.put(key, CredentialEnds.FROM.of(item))));
        return due;
    }

    /**
     * Publishes the event about the end of a key.
     *
     * @return {@code false} if the event was published since it was read, or the key has another end
     */
    public boolean announce(ApiKey key, Instant due, Event event) {
        Transaction transaction = database.transaction()
                .delete(
                        registry,
                        ItemKind.EXPIRING_KEY.key(CredentialEnds.time(due), key.keyId()),
                        Condition.exists(Attributes.PK));
        return EventWrites.add(transaction, database, List.of(event)).commit();
    }

    private static Condition isAsRead(ApiKey key) {
        return Condition.exists(Attributes.PK).and(Condition.numberOrAbsent(KeyItem.REVISION.name(), key.revision()));
    }
}
