package dev.agenthealth.model.event;

import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import java.time.Instant;

/** The events about leases, in the logs of their intents (RFC-0016 §9.1). Fencing tokens order the events of a scope. */
public final class LeaseEvents {

    private LeaseEvents() {}

    /** Returns the event that a lease was granted. */
    public static Event acquired(Lease lease) {
        return event(EventType.LEASE_ACQUIRED, "acquired", lease, lease.acquiredAt());
    }

    /**
     * Returns the event that a lease ended.
     *
     * @param lease the lease after its end
     * @throws IllegalArgumentException if the lease has not ended
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
        String reason = lease.reason() == LeaseReason.NONE ? "" : lease.reason().wireName();
        return new EventDetail(type)
                .with("intent_id", lease.intentId())
                .with("lease_id", lease.id())
                .with("agent_id", lease.agentId())
                .withText("role_id", lease.roleId())
                .with("scope", lease.scope())
                .with("fencing_token", lease.fencingToken())
                .withText("reason", reason)
                .with("expires_at", lease.expiresAt())
                .ofIntent(eventId, lease.intentId(), lease.agentId(), lease.incarnation(), at);
    }
}
