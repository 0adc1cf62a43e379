package dev.agenthealth.model.event;

import dev.agenthealth.model.identity.Role;
import java.time.Instant;

/** The events about API keys. */
public final class KeyEvents {

    private KeyEvents() {}

    /** Returns the event that a key expires within a week. It is published once for each expiry that the key gets. */
    public static Event expiring(String keyId, String name, Role role, Instant expiresAt, Instant now) {
        return new EventDetail(EventType.KEY_EXPIRING)
                .with("key_id", keyId)
                .with("name", name)
                .with("role", role.wireName())
                .with("expires_at", expiresAt)
                .ofRegistry("key:" + keyId + ":expiring:" + expiresAt.toEpochMilli(), now);
    }
}
