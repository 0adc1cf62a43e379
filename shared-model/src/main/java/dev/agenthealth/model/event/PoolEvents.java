package dev.agenthealth.model.event;

import java.time.Instant;

/** The events of pools, in the registry's own log (RFC-0016 §7, §12). */
public final class PoolEvents {

    private PoolEvents() {}

    /** Returns a pool has fewer active members than its workflow declares; published again when it falls further, until it recovers. */
    public static Event belowMinimum(String roleId, long activeInstances, int minInstances, Instant now) {
        String eventId = "pool:" + roleId + ":below:" + now.toEpochMilli();
        EventDetail detail = new EventDetail(EventType.POOL_BELOW_MINIMUM, EventSeverity.ofPool(activeInstances));
        return event(detail, eventId, roleId, activeInstances, minInstances, now);
    }

    /**
     * Returns a pool that was below its minimum has as many active members again as its workflow declares.
     *
     * @param minInstances 0 if no workflow declares a minimum any more
     * @param now at or after the time of the event that it follows
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
