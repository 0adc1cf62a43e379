package dev.agenthealth.model.event;

import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The events about the registry itself, one per episode. */
public final class RegistryEvents {

    private RegistryEvents() {}

    /** The registry stopped hearing its own canaries; no agent changes its status meanwhile. */
    public static Event blackout(int canariesSent, int canariesAnswered, Instant now) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("canaries_sent", (long) canariesSent);
        detail.put("canaries_answered", (long) canariesAnswered);
        return event(EventType.REGISTRY_BLACKOUT, now, "critical", detail);
    }

    /** Heartbeats arrive again; silence counts from now on. */
    public static Event blackoutOver(Instant since, Instant now) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("since", since.toString());
        detail.put("amnesty_from", now.toString());
        return event(EventType.REGISTRY_BLACKOUT_OVER, now, "info", detail);
    }

    /** A mass silence begins: marking agents as dead is limited. */
    public static Event massSilence(FleetCount fleet, long deathsPerMinute, Instant now) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("monitored_agents", fleet.get(FleetCounter.ESTABLISHED));
        detail.put("silent_agents", fleet.get(FleetCounter.ESTABLISHED_SILENT));
        detail.put("deaths_per_minute", deathsPerMinute);
        return event(EventType.REGISTRY_MASS_SILENCE, now, "critical", detail);
    }

    /** A mass silence is over: marking agents as dead is no longer limited. */
    public static Event massSilenceOver(FleetCount fleet, Instant since, Instant now) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("since", since.toString());
        detail.put("monitored_agents", fleet.get(FleetCounter.ESTABLISHED));
        detail.put("silent_agents", fleet.get(FleetCounter.ESTABLISHED_SILENT));
        return event(EventType.REGISTRY_MASS_SILENCE_OVER, now, "info", detail);
    }

    private static Event event(EventType type, Instant now, String severity, Map<String, Object> more) {
        String eventId = "registry:" + type.slug() + ":" + now.toEpochMilli();
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", type.wireName());
        detail.put("severity", severity);
        detail.putAll(more);
        detail.put("timestamp", now.toString());
        detail.put("event_id", eventId);
        return new Event(eventId, type, "", 0, now, detail);
    }
}
