package dev.agenthealth.model.event;

import java.time.Instant;

/** The events about pools, in the registry's own log (RFC-0016 §7, §12). */
public final class PoolEvents {

    private PoolEvents() {}

    /**
     * Returns the event that a pool has fewer active members than its workflow declares. It is published again whenever the number falls further,
     * until the pool recovers.
     */
    public static Event belowMinimum(String roleId, long activeInstances, int minInstances, Instant now) {
        String eventId = "pool:" + roleId + ":below:" + now.toEpochMilli();
        EventDetail detail = new EventDetail(EventType.POOL_BELOW_MINIMUM, EventSeverity.ofPool(activeInstances));
        return event(detail, eventId, roleId, activeInstances, minInstances, now);
    }

    /**
     * Returns the event that a pool recovered: it has as many active members as its workflow declares.
     *
     * @param minInstances the declared minimum; 0 if no workflow declares one any more
     * @param now the moment of the event, not before the event about the loss
     */
    public static Event recovered(String roleId, long activeInstances, int minInstances, Instant now) {
        String eventId = "pool:" + roleId + ":recovered:" + now.toEpochMilli();
        return event(new EventDetail(EventType.POOL_RECOVERED), eventId, roleId, activeInstances, minInstances, now);
    }

    private static Event event(
            EventDetail detail, String eventId, String roleId, long activeInstances, int minInstances, Instant now) {
        return detail.with("role_id", roleId)
                .with("active_instances", activeInstances)
                .with("min_instances", (long) minInstances)
                .ofRegistry(eventId, now);
    }
}
