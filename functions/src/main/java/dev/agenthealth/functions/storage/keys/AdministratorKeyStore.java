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
 * The administrator's key that is switched off. It is known by its hash, so that another key of the deployment works. What requests read is
 * cached for half a minute, for half a read unit. Thread-safe.
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

    /** Returns whether the key with this hash has been switched off for half a minute. */
    public synchronized boolean isOff(KeyHash key) {
        Instant now = database.now();
        if (!ClockRule.holds(until, MAX_AGE, now)) {
            cached = HASH.of(database.registry().get(ItemKind.ADMINISTRATOR_KEY.key(), false));
            until = now.plus(MAX_AGE);
        }
        return cached.equals(key);
    }

    /** Returns whether the key with this hash is switched off, as of now. */
    public boolean isOffNow(KeyHash key) {
        return HASH.of(database.registry().get(ItemKind.ADMINISTRATOR_KEY.key()))
                .equals(key);
    }

    /** Switches the key with this hash off; {@code false} where it is off. */
    public boolean switchOff(KeyHash key) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.ADMINISTRATOR_KEY.key());
        HASH.put(item, key);
        Condition another =
                Condition.lessThan(HASH.name(), HASH.stored(key)).or(Condition.moreThan(HASH.name(), HASH.stored(key)));
        return database.registry().put(item, Condition.absent(Attributes.PK).or(another));
    }

    /** Switches on whichever key is off; {@code false} where none is. */
    public boolean switchOn() {
        return database.registry().delete(ItemKind.ADMINISTRATOR_KEY.key(), Condition.exists(Attributes.PK));
    }
}
