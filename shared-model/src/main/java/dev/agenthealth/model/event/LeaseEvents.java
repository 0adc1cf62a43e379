package dev.agenthealth.model.event;

import dev.agenthealth.model.lease.Lease;
import dev.agenthealth.model.lease.LeaseReason;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The events of leases, in the intents' logs (RFC-0016 §9.1). A scope's events are ordered by their fencing tokens.
 */
public final class LeaseEvents {

    private LeaseEvents() {}

    /** A lease was granted. */
    public static Event acquired(Lease lease) {
        return event(EventType.LEASE_ACQUIRED, "acquired", lease, lease.acquiredAt());
    }

    /**
     * A lease ended.
     *
     * @param lease after its end
     * @throws IllegalArgumentException where it has not ended
     */
    public static Event ended(Lease lease) {
        return switch (lease.status()) {
            case RELEASED -> event(EventType.LEASE_RELEASED, "released", lease, lease.endedAt());
            case EXPIRED -> event(EventType.LEASE_EXPIRED, "expired", lease, lease.endedAt());
            case REVOKED -> event(EventType.LEASE_REVOKED, "revoked", lease, lease.endedAt());
            case ACTIVE -> throw new IllegalArgumentException("lease " + lease.id() + " has not ended");
        };
    }

    private static Event event(EventType type, String what, Lease lease, Instant at) {
        String eventId = "lease:" + lease.id() + ":" + what;
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", type.wireName());
        detail.put("intent_id", lease.intentId());
        detail.put("lease_id", lease.id());
        detail.put("agent_id", lease.agentId());
        if (!lease.roleId().isEmpty()) {
            detail.put("role_id", lease.roleId());
        }
        detail.put("scope", lease.scope());
        detail.put("fencing_token", lease.fencingToken());
        if (lease.reason() != LeaseReason.NONE) {
            detail.put("reason", lease.reason().wireName());
        }
        detail.put("expires_at", lease.expiresAt().toString());
        detail.put("timestamp", at.toString());
        detail.put("event_id", eventId);
        detail.put("incarnation", lease.incarnation());
        return new Event(eventId, type, lease.agentId(), lease.intentId(), 0, at, detail);
    }
}
