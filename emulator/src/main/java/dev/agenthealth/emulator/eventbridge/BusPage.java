package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.support.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows the events of the buses. {@code GET /_local/bus} answers {@code {"events": [...]}}, oldest first, as a rule's target receives them.
 * {@code matched_rules} has the logical ids of the rules that matched. {@code since} (an ISO 8601 time, to the second), {@code detail_type}
 * and {@code limit} select events.
 */
public final class BusPage implements Endpoint {

    public static final String PATH = "/_local/bus";

    private final BusEvents events;

    public BusPage(BusEvents events) {
        this.events = events;
    }

    @Override
    public RawResponse answer(RawRequest request) {
        if (!request.method().equals("GET")) {
            return RawResponse.problem(404, "route_not_found", "There is nothing at this path.");
        }
        Map<String, String> query;
        Instant since;
        int limit;
        try {
            query = query(request.rawQuery());
            since = Instant.parse(query.getOrDefault("since", Instant.EPOCH.toString()))
                    .truncatedTo(ChronoUnit.SECONDS);
            limit = Integer.parseInt(query.getOrDefault("limit", String.valueOf(BusEvents.CAPACITY)));
        } catch (DateTimeParseException | IllegalArgumentException e) {
            return RawResponse.problem(400, "invalid_request", "since must be an ISO 8601 time, limit a whole number");
        }
        ObjectNode answer = Json.object();
        ArrayNode array = answer.putArray("events");
        events.find(since, query.getOrDefault("detail_type", ""), Math.max(0, limit))
                .forEach(event -> array.add(withRules(event)));
        return RawResponse.json(200, answer);
    }

    private static ObjectNode withRules(BusEvents.BusEvent event) {
        ObjectNode json = event.envelope();
        ArrayNode rules = json.putArray("matched_rules");
        event.rules().forEach(rules::add);
        return json;
    }

    private static Map<String, String> query(String rawQuery) {
        return Stream.of(rawQuery.split("&"))
                .map(pair -> pair.split("=", 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(
                        pair -> pair[0],
                        pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8),
                        (first, second) -> second));
    }
}
