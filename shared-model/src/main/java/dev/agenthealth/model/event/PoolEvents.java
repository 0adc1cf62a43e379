package dev.agenthealth.model.event;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The events of pools, in the registry's own log (RFC-0016 §7, §12). */
public final class PoolEvents {

    private PoolEvents() {}

    /** A pool has fewer active members than its workflow declares; published once until it recovers. */
    public static Event belowMinimum(String roleId, long activeInstances, int minInstances, Instant now) {
        String eventId = "pool:" + roleId + ":below:" + now.toEpochMilli();
        return event(EventType.POOL_BELOW_MINIMUM, eventId, "warning", roleId, activeInstances, minInstances, now);
    }

    /**
     * A pool that was below its minimum has as many active members again as its workflow declares.
     *
     * @param minInstances 0 where no workflow declares a minimum any more
     * @param now at or after the time of the event that it follows
     */
    public static Event recovered(String roleId, long activeInstances, int minInstances, Instant now) {
        String eventId = "pool:" + roleId + ":recovered:" + now.toEpochMilli();
        return event(EventType.POOL_RECOVERED, eventId, "info", roleId, activeInstances, minInstances, now);
    }

    private static Event event(
            EventType type,
            String eventId,
            String severity,
            String roleId,
            long activeInstances,
            int minInstances,
            Instant now) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", type.wireName());
        detail.put("severity", severity);
        detail.put("role_id", roleId);
        detail.put("active_instances", activeInstances);
        detail.put("min_instances", (long) minInstances);
        detail.put("timestamp", now.toString());
        detail.put("event_id", eventId);
        return new Event(eventId, type, "", 0, now, detail);
    }
}
