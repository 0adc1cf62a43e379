package dev.agenthealth.functions.access;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.keys.KeyUseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.CallerKind;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Notes the first accepted use of each key on each day, once in each instance. Thread-safe. */
public final class KeyUses {

    private static final int MAX_REMEMBERED = 10_000;

    private final KeyUseStore store;
    private final Clock clock;
    private final Log log;
    private final Map<String, LocalDate> noted = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LocalDate> leastUsed) {
            return size() > MAX_REMEMBERED;
        }
    });

    KeyUses(KeyUseStore store, Clock clock, Log log) {
        this.store = store;
        this.clock = clock;
        this.log = log;
    }

    /** Notes that a request was accepted, where its caller has a key that was issued. */
    public void note(Caller caller, String address) {
        if (caller.kind() == CallerKind.KEY) {
            note(caller.keyId(), address);
        }
    }

    /** Notes that a request with a key was accepted. A failure is logged: the request was answered. */
    public void note(String keyId, String address) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        if (keyId.equals(Authenticator.ADMINISTRATOR) || today.equals(noted.put(keyId, today))) {
            return;
        }
        try {
            store.note(keyId, new KeyUseStore.Use(today, address));
        } catch (RuntimeException e) {
            log.failure("key_use_not_noted", keyId, e);
        }
    }
}
