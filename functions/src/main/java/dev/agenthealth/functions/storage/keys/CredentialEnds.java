package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the ends of API keys and of their secrets. Some items cause the event about the end of a key. Other items tell the sweep which credentials
 * on rows to replace. Thread-safe.
 */
public final class CredentialEnds {

    /** The time for which the sweep looks for agents that still have an ended credential. */
    static final Duration REVOCATION_RETENTION = Duration.ofDays(2);

    /**
     * The time before the end of a secret at which the sweep begins to replace it on rows. It is longer than the time between two passes,
     * so that no heartbeat with the secret is counted after its end.
     */
    static final Duration REPLACED_AHEAD = Duration.ofMinutes(2);

    /** The secret that replaces an ended secret. */
    private static final Attribute<KeyHash> NEXT = new Attribute<>("next", KeyItem.HASH_TYPE);

    static final Attribute<Instant> FROM = new Attribute<>("from", MOMENT);

    /** The number of characters of a hash that go into an item's key. Different secrets may share an id. */
    public static final int HASH_DIGITS = 16;

    private static final int TIME_DIGITS = 13;

    private final Database database;
    private final Table registry;

    public CredentialEnds(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Writes the items for the new end of a key, and removes the items for its earlier end. */
    void replace(Transaction transaction, ApiKey before, ApiKey after) {
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> old = ends(before);
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> next = ends(after);
        old.keySet().stream().filter(key -> !next.containsKey(key)).forEach(key -> transaction.delete(registry, key));
        next.keySet().removeAll(old.keySet());
        put(transaction, next);
    }

    /** Writes all items, except a warning that would be too late: an operator who sets an end within the next week knows of it. */
    void put(Transaction transaction, Map<Map<String, AttributeValue>, Map<String, AttributeValue>> ends) {
        ends.values().stream()
                .filter(item -> KeyItem.HASH.isIn(item) || FROM.of(item).isAfter(database.now()))
                .forEach(item -> transaction.put(registry, item));
    }

    /**
     * Returns, by their keys, the items for the end of a key. They cause the event about the end, and remove the key's credentials from
     * rows at the end. Empty if the key has no end.
     */
    static Map<Map<String, AttributeValue>, Map<String, AttributeValue>> ends(ApiKey key) {
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items = new HashMap<>();
        key.limits().expiresAt().ifPresent(end -> {
            Instant warning = end.minus(KeyLimits.WARNED_AHEAD);
            Map<String, AttributeValue> place = ItemKind.EXPIRING_KEY.key(time(warning), key.keyId());
            Map<String, AttributeValue> announcement = Attributes.item(place);
            KeyItem.KEY_ID.put(announcement, key.keyId());
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
    void markRows(Transaction transaction, ApiKey before, ApiKey after) {
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
                        KeyItem.HASH.of(item),
                        new Owner(KeyItem.KEY_ID.of(item), NEXT.of(item)),
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

    /** Returns the item by which the sweep replaces a credential that ends. */
    Map<String, AttributeValue> ended(String keyId, KeyHash hash, KeyHash next, Instant end) {
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
        KeyItem.KEY_ID.put(item, next.keyId());
        KeyItem.HASH.put(item, hash);
        NEXT.put(item, next.credential());
        FROM.put(item, from);
        item.put(Attributes.EXPIRES, seconds(written.plus(REVOCATION_RETENTION)));
        return item;
    }

    private static String place(String keyId, KeyHash hash) {
        return keyId + "." + hash.hex().substring(0, HASH_DIGITS);
    }

    static String time(Instant moment) {
        return Attributes.padded(moment.toEpochMilli(), TIME_DIGITS);
    }
}
