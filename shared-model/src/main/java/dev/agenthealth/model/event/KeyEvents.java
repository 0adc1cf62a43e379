package dev.agenthealth.model.event;

import dev.agenthealth.model.identity.Role;
import java.time.Instant;

/** The events about API keys. */
public final class KeyEvents {

    private KeyEvents() {}

    /** Returns a key ends within a week, and is refused from then on. Once for each end that it is given. */
    public static Event expiring(String keyId, String name, Role role, Instant expiresAt, Instant now) {
        return new EventDetail(EventType.KEY_EXPIRING)
                .with("key_id", keyId)
                .with("name", name)
                .with("role", role.wireName())
                .with("expires_at", expiresAt)
                .ofRegistry("key:" + keyId + ":expiring:" + expiresAt.toEpochMilli(), now);
    }
}
