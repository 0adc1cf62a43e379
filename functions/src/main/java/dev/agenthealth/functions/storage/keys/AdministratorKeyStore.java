package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.KeyHash;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Turns the administrator's key off and on. The key is stored by its hash, so that another key of the deployment works. Requests read a
 * cache, which costs half a read unit per half minute. Thread-safe.
 */
public final class AdministratorKeyStore {

    static final Duration MAX_AGE = Duration.ofSeconds(30);

    private static final Attribute<KeyHash> HASH =
            new Attribute<>("hash", BYTES.as(KeyHash.NONE, KeyHash::bytes, KeyHash::ofBytes));

    private final Database database;
    private KeyHash cached = KeyHash.NONE;
    private Instant until = Instant.MIN;

    public AdministratorKeyStore(Database database) {
        this.database = database;
    }

    /** Returns whether the key with this hash is turned off, with a delay of up to half a minute. */
    public synchronized boolean isOff(KeyHash key) {
        Instant now = database.now();
        if (!ClockRule.holds(until, MAX_AGE, now)) {
            cached = HASH.of(database.registry().get(ItemKind.ADMINISTRATOR_KEY.key(), false));
            until = now.plus(MAX_AGE);
        }
        return cached.equals(key);
    }

    /** Returns whether the key with this hash is turned off, as of now. */
    public boolean isOffNow(KeyHash key) {
        return HASH.of(database.registry().get(ItemKind.ADMINISTRATOR_KEY.key()))
                .equals(key);
    }

    /** Turns off the key with this hash. Returns {@code false} if it is already off. */
    public boolean switchOff(KeyHash key) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.ADMINISTRATOR_KEY.key());
        HASH.put(item, key);
        Condition another = HASH.isLessThan(key).or(HASH.isMoreThan(key));
        return database.registry().put(item, Condition.absent(Attributes.PK).or(another));
    }

    /** Turns on the key that is off. Returns {@code false} if no key is off. */
    public boolean switchOn() {
        return database.registry().delete(ItemKind.ADMINISTRATOR_KEY.key(), Condition.exists(Attributes.PK));
    }
}
