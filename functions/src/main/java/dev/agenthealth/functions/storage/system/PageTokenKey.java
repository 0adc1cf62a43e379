package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;

import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The key that encrypts page tokens, in the item of the runtime configuration. It is created for the first token, never changes, and is the
 * same for all functions. Thread-safe.
 */
public final class PageTokenKey {

    private static final String PAGE_KEY = "page_key";
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
            byte[] made = new byte[LENGTH];
            new SecureRandom().nextBytes(made);
            Update update = Update.upsert(ItemKind.CONFIGURATION.key())
                    .set(PAGE_KEY, b(made))
                    .when(Condition.absent(PAGE_KEY));
            cached = bytes(registry.updateAndGet(update).item(), PAGE_KEY);
        }
        return cached.clone();
    }

    /** Returns the key if any function created it. Without the key, no token exists. */
    public synchronized Optional<byte[]> find() {
        read(false);
        read(true);
        return cached.length == 0 ? Optional.empty() : Optional.of(cached.clone());
    }

    private void read(boolean consistent) {
        if (cached.length == 0) {
            cached = bytes(registry.get(ItemKind.CONFIGURATION.key(), consistent), PAGE_KEY);
        }
    }
}
