package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.model.event.KeyEvents;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Publishes an event for keys that end within a week, once an hour. Thread-safe. */
final class KeyEnds {

    private final KeyStore keys;

    KeyEnds(KeyStore keys) {
        this.keys = keys;
    }

    /** @param timeLeft whether there is time for one more transaction */
    void announce(Instant now, BooleanSupplier timeLeft) {
        keys.expiring().forEach((key, due) -> key.limits()
                .expiresAt()
                .filter(end -> timeLeft.getAsBoolean())
                .ifPresent(end ->
                        keys.announce(key, due, KeyEvents.expiring(key.keyId(), key.name(), key.role(), end, now))));
    }
}
