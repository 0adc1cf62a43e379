package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.KeyUseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.CallerKind;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Records the first accepted use of each key on each day, once per instance. Thread-safe. */
public final class KeyUses {

    private static final int MAX_REMEMBERED = 10_000;
    private static final long MILLIS_PER_DAY = Duration.ofDays(1).toMillis();

    private final KeyUseStore store;
    private final Wiring wiring;
    private final boolean enabled;
    /** The last day of a use of each key, in days since 1970. */
    private final Map<String, Long> noted = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> leastUsed) {
            return size() > MAX_REMEMBERED;
        }
    });

    KeyUses(Wiring wiring, Database database) {
        this.store = new KeyUseStore(database);
        this.wiring = wiring;
        this.enabled = wiring.get(FunctionSettings.NOTE_KEY_USES);
    }

    /** Records that a request was accepted, if its caller has an issued key. */
    public void note(Caller caller, String address) {
        if (caller.kind() == CallerKind.KEY) {
            note(caller.keyId(), address);
        }
    }

    /** Records that a request with a key was accepted. A failure is only logged, because the request was answered. */
    public void note(String keyId, String address) {
        long today = Math.floorDiv(wiring.clock().millis(), MILLIS_PER_DAY);
        // A canary of the self-check has a credential without a key.
        boolean isIssued = !keyId.isEmpty() && !keyId.equals(Authenticator.ADMINISTRATOR);
        if (!enabled || !isIssued || !isFirst(keyId, today)) {
            return;
        }
        try {
            store.note(keyId, new KeyUseStore.Use(LocalDate.ofEpochDay(today), address));
        } catch (RuntimeException e) {
            wiring.log().failure("key_use_not_noted", keyId, e);
        }
    }

    private boolean isFirst(String keyId, long day) {
        Long last = noted.put(keyId, day);
        return last == null || last != day;
    }
}
