package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.model.sweep.FleetCount;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the sweep and its workers say to each other, as plain maps of texts and numbers: the form Lambda takes as it is. */
final class WorkerMessages {

    private static final String PHASE = "phase";
    private static final String ACT = "act";

    private WorkerMessages() {}

    /**
     * A request to a worker.
     *
     * @param act whether to act, rather than only to count
     */
    record Request(boolean act, SegmentRange range, Instant amnestyFrom, Instant now, Orders orders) {}

    static Map<String, Object> of(Request request) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put(PHASE, request.act() ? ACT : "count");
        message.put("from", request.range().from());
        message.put("to", request.range().to());
        message.put("total", request.range().total());
        message.put("amnesty_from", request.amnestyFrom().toString());
        message.put("now", request.now().toString());
        message.put("may_change_status", request.orders().mayChangeStatus());
        message.put("deaths", request.orders().deaths());
        return message;
    }

    static Request request(Map<String, Object> message) {
        return new Request(
                ACT.equals(message.get(PHASE)),
                new SegmentRange(
                        (int) number(message, "from"), (int) number(message, "to"), (int) number(message, "total")),
                Instant.parse((String) message.get("amnesty_from")),
                Instant.parse((String) message.get("now")),
                new Orders(Boolean.TRUE.equals(message.get("may_change_status")), number(message, "deaths")));
    }

    static Map<String, Object> of(FleetReading reading) {
        FleetCount count = reading.count();
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("active", count.active());
        message.put("draining", count.draining());
        message.put("unhealthy", count.unhealthy());
        message.put("gone", count.gone());
        message.put("silent", count.silent());
        message.put("dying", count.dying());
        message.put("freshest", count.freshest().toString());
        message.put("beats_per_second", count.beatsPerSecond());
        message.put("due", reading.due());
        return message;
    }

    static FleetReading reading(Map<String, Object> message) {
        return new FleetReading(
                new FleetCount(
                        number(message, "active"),
                        number(message, "draining"),
                        number(message, "unhealthy"),
                        number(message, "gone"),
                        number(message, "silent"),
                        number(message, "dying"),
                        Instant.parse((String) message.get("freshest")),
                        ((Number) message.get("beats_per_second")).doubleValue()),
                number(message, "due"));
    }

    static Map<String, Object> of(Deeds deeds) {
        return new LinkedHashMap<>(deeds.byName());
    }

    static Deeds deeds(Map<String, Object> message) {
        Map<String, Long> numbers = new HashMap<>();
        message.forEach((name, value) -> numbers.put(name, ((Number) value).longValue()));
        return Deeds.ofNames(numbers);
    }

    private static long number(Map<String, Object> message, String name) {
        return ((Number) message.get(name)).longValue();
    }
}
