package dev.agenthealth.functions.health.availability;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.CsvResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.availability.Availability;
import dev.agenthealth.model.health.availability.AvailabilityState;
import dev.agenthealth.model.health.availability.Incident;
import dev.agenthealth.model.health.availability.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The format of an availability for a caller: JSON, or incidents as CSV (RFC 4180).
 *
 * @param window the window that the caller chose
 * @param csv whether the format is CSV
 */
record AvailabilityAnswer(Window window, boolean csv) {

    private static final List<AvailabilityState> SHOWN_SHARES =
            List.of(AvailabilityState.UP, AvailabilityState.DEGRADED, AvailabilityState.DOWN);

    /**
     * Reads {@code window}, and {@code format} or the header {@code Accept}.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 for other parameters and values
     */
    static AvailabilityAnswer of(ApiRequest request) {
        Fields query = request.queryFields();
        Window window = query.oneOf("window", Window.values(), Window::wireName).orElse(Window.DAY);
        boolean csv = CsvResponse.isWanted(request, query);
        query.check();
        return new AvailabilityAnswer(window, csv);
    }

    /**
     * Returns the response.
     *
     * @param subject the name of the field with the id of the agent or role; empty for the fleet
     * @param truncated whether there were too many changes to read all of them
     */
    ApiResponse of(String subject, String id, Availability availability, boolean truncated) {
        return csv ? csv(subject, id, availability) : json(subject, id, availability, truncated);
    }

    private ApiResponse json(String subject, String id, Availability availability, boolean truncated) {
        ObjectNode json = Json.object();
        if (!subject.isEmpty()) {
            json.put(subject, id);
        }
        json.put("window", window.wireName());
        json.put("from", Timestamps.text(availability.from()));
        json.put("to", Timestamps.text(availability.to()));
        json.put("availability", availability.ratio().orElse(null));
        ObjectNode shares = json.putObject("shares");
        for (AvailabilityState state : SHOWN_SHARES) {
            shares.put(state.wireName(), availability.shares().get(state));
        }
        json.put("heartbeats_share", availability.heartbeats().share().orElse(null));
        json.put(
                "by_heartbeats_until",
                availability.heartbeats().until().map(Timestamps::text).orElse(null));
        for (AvailabilityState state : AvailabilityState.values()) {
            json.put(state.wireName() + "_seconds", availability.seconds().get(state));
        }
        json.put("truncated", truncated);
        ArrayNode incidents = json.putArray("incidents");
        availability.incidents().forEach(incident -> incidents.add(json(incident)));
        ArrayNode intervals = json.putArray("intervals");
        availability.intervals().forEach(span -> intervals.add(json(span)));
        return ApiResponse.json(200, json);
    }

    private static ObjectNode json(Incident incident) {
        ObjectNode json = Json.object();
        json.put("from", Timestamps.text(incident.from()));
        json.put("to", incident.to().map(Timestamps::text).orElse(null));
        json.put("seconds", incident.seconds());
        json.put("state", incident.state().wireName());
        json.put("reason", incident.reason().map(WireNamed::wireName).orElse(null));
        return json;
    }

    private static ObjectNode json(Span span) {
        return Json.object()
                .put("from", Timestamps.text(span.from()))
                .put("to", Timestamps.text(span.to()))
                .put("state", span.state().wireName());
    }

    private static ApiResponse csv(String subject, String id, Availability availability) {
        List<String> of = subject.isEmpty() ? List.of() : List.of(id);
        List<List<String>> lines = new ArrayList<>();
        lines.add(line(subject.isEmpty() ? List.of() : List.of(subject), "from", "to", "seconds", "state", "reason"));
        availability
                .incidents()
                .forEach(incident -> lines.add(line(
                        of,
                        Timestamps.text(incident.from()),
                        incident.to().map(Timestamps::text).orElse(""),
                        Long.toString(incident.seconds()),
                        incident.state().wireName(),
                        incident.reason().map(WireNamed::wireName).orElse(""))));
        return CsvResponse.of(lines);
    }

    private static List<String> line(List<String> first, String... others) {
        return Stream.concat(first.stream(), Stream.of(others)).toList();
    }
}
