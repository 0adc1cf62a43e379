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
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", EventType.POOL_BELOW_MINIMUM.word());
        detail.put("severity", "warning");
        detail.put("role_id", roleId);
        detail.put("active_instances", activeInstances);
        detail.put("min_instances", (long) minInstances);
        detail.put("timestamp", now.toString());
        detail.put("event_id", eventId);
        return new Event(eventId, EventType.POOL_BELOW_MINIMUM, "", 0, now, detail);
    }
}
