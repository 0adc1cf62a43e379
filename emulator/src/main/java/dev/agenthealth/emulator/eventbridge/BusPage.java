package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.agenthealth.emulator.http.Exchanges;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows the matched events: {@code GET /_local/bus} answers {@code {"events": [...]}}, oldest first, each as a rule's target
 * gets it. {@code since} (an ISO 8601 time, to the second), {@code detail_type} and {@code limit} narrow it down.
 */
public final class BusPage implements HttpHandler {

    /** Where the page is. */
    public static final String PATH = "/_local/bus";

    private final MatchedEvents events;

    public BusPage(MatchedEvents events) {
        this.events = events;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("GET")) {
            Exchanges.sendMessage(exchange, 404, "Not Found");
            return;
        }
        Instant since;
        int limit;
        Map<String, String> query;
        try {
            query = query(exchange);
            since = Instant.parse(query.getOrDefault("since", Instant.EPOCH.toString()))
                    .truncatedTo(ChronoUnit.SECONDS);
            limit = Integer.parseInt(query.getOrDefault("limit", String.valueOf(MatchedEvents.CAPACITY)));
        } catch (DateTimeParseException | IllegalArgumentException e) {
            Exchanges.sendMessage(exchange, 400, "since must be an ISO 8601 time, limit a whole number");
            return;
        }
        ObjectNode answer = Json.object();
        ArrayNode array = answer.putArray("events");
        events.find(since, query.getOrDefault("detail_type", ""), Math.max(0, limit))
                .forEach(array::add);
        Exchanges.send(exchange, 200, "application/json", Json.bytes(answer));
    }

    private static Map<String, String> query(HttpExchange exchange) {
        String query = exchange.getRequestURI().getRawQuery();
        return Stream.of((query == null ? "" : query).split("&"))
                .map(pair -> pair.split("=", 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(
                        pair -> pair[0],
                        pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8),
                        (first, second) -> second));
    }
}
