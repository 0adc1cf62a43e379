package dev.agenthealth.functions.storage.system;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The key that encrypts page tokens, in an item of its own. It is created for the first token, never changes, and is the same for all
 * functions. Earlier versions stored it in the item of the runtime configuration, from which it is copied. Thread-safe.
 */
public final class PageTokenKey {

    private static final Attribute<byte[]> PAGE_KEY = new Attribute<>("page_key", AttributeType.BYTES);
    private static final int LENGTH = 32;

    private final Table registry;
    private byte[] cached = {};

    public PageTokenKey(Database database) {
        this.registry = database.registry();
    }

    /** Returns the 32 bytes of the key. Costs half a read unit for each process. */
    public synchronized byte[] get() {
        read(false);
        if (cached.length == 0) {
            Update update = Update.upsert(ItemKind.PAGE_TOKEN_KEY.key())
                    .set(PAGE_KEY, older().orElseGet(PageTokenKey::created))
                    .when(PAGE_KEY.isAbsent());
            cached = PAGE_KEY.of(registry.updateAndGet(update).item());
        }
        return cached.clone();
    }

    /** Returns the key if any function created it. Without the key, no token exists. */
    public synchronized Optional<byte[]> find() {
        read(false);
        read(true);
        return cached.length == 0 ? older() : Optional.of(cached.clone());
    }

    /** Returns the key of an earlier version. */
    private Optional<byte[]> older() {
        byte[] key = PAGE_KEY.of(registry.get(ItemKind.CONFIGURATION.key()));
        return key.length == 0 ? Optional.empty() : Optional.of(key);
    }

    private static byte[] created() {
        byte[] key = new byte[LENGTH];
        new SecureRandom().nextBytes(key);
        return key;
    }

    private void read(boolean consistent) {
        if (cached.length == 0) {
            cached = PAGE_KEY.of(registry.get(ItemKind.PAGE_TOKEN_KEY.key(), consistent));
        }
    }
}
