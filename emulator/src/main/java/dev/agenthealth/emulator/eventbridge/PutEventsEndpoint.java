package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.agenthealth.emulator.http.Exchanges;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Speaks the part of EventBridge's API (AWS JSON 1.1) that publishing needs: the operation {@code PutEvents}, with its limits
 * of 10 entries and 256 KB a request.
 */
public final class PutEventsEndpoint {

    private static final String TARGET = "AWSEvents.PutEvents";
    private static final String CONTENT_TYPE = "application/x-amz-json-1.1";
    private static final int MAXIMUM_ENTRIES = 10;
    private static final int MAXIMUM_TOTAL_BYTES = 256 * 1024;

    /** Far above what 256 KB of entries can need, escaped and all. */
    private static final int MAXIMUM_BODY_BYTES = 4 * 1024 * 1024;

    private final EventBuses buses;
    private final Clock clock;

    /** @param clock gives the time of events that were sent without one */
    public PutEventsEndpoint(EventBuses buses, Clock clock) {
        this.buses = buses;
        this.clock = clock;
    }

    /** True when the request is one for this endpoint. */
    public static boolean accepts(HttpExchange exchange) {
        return TARGET.equals(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
    }

    /** Answers a {@code PutEvents} request. */
    public void handle(HttpExchange exchange) throws IOException {
        Optional<byte[]> body = Exchanges.body(exchange, MAXIMUM_BODY_BYTES);
        if (body.isEmpty()) {
            refuse(exchange, "ValidationException", "Total size of the entries in the request is over the limit.");
            return;
        }
        List<BusEntry> entries = new ArrayList<>();
        try {
            JsonNode request = Json.read(body.get());
            for (JsonNode entry : request.path("Entries")) {
                entries.add(entry(entry));
            }
        } catch (IOException | ArithmeticException e) {
            refuse(exchange, "SerializationException", "The request cannot be read.");
            return;
        }
        Optional<String> broken = brokenLimit(entries);
        if (broken.isPresent()) {
            refuse(exchange, "ValidationException", broken.get());
        } else {
            send(exchange, 200, answer(entries.stream().map(buses::put).toList()));
        }
    }

    private static Optional<String> brokenLimit(List<BusEntry> entries) {
        if (entries.isEmpty() || entries.size() > MAXIMUM_ENTRIES) {
            return Optional.of(
                    "1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must"
                            + " have length greater than or equal to 1 and less than or equal to " + MAXIMUM_ENTRIES);
        }
        int total = entries.stream().mapToInt(BusEntry::sizeBytes).sum();
        return total > MAXIMUM_TOTAL_BYTES
                ? Optional.of("Total size of the entries in the request is over the limit.")
                : Optional.empty();
    }

    private BusEntry entry(JsonNode entry) {
        List<String> resources = new ArrayList<>();
        entry.path("Resources").forEach(resource -> resources.add(resource.asText()));
        boolean timed = entry.path("Time").isNumber();
        return new BusEntry(
                timed ? time(entry.path("Time").decimalValue()) : clock.instant(),
                timed,
                entry.path("Source").asText(""),
                entry.path("DetailType").asText(""),
                entry.path("Detail").asText(""),
                resources,
                entry.path("EventBusName").asText(""));
    }

    /** Times travel as seconds with a fraction. */
    private static Instant time(BigDecimal epochSeconds) {
        return Instant.ofEpochMilli(
                epochSeconds.movePointRight(3).toBigInteger().longValueExact());
    }

    private static ObjectNode answer(List<PutResult> results) {
        ObjectNode answer = Json.object();
        ArrayNode entries = answer.putArray("Entries");
        int failed = 0;
        for (PutResult result : results) {
            ObjectNode entry = entries.addObject();
            if (result instanceof PutResult.Accepted accepted) {
                entry.put("EventId", accepted.eventId());
            } else if (result instanceof PutResult.Refused refused) {
                entry.put("ErrorCode", refused.errorCode()).put("ErrorMessage", refused.errorMessage());
                failed++;
            }
        }
        return answer.put("FailedEntryCount", failed);
    }

    private static void refuse(HttpExchange exchange, String type, String message) throws IOException {
        send(exchange, 400, Json.object().put("__type", type).put("message", message));
    }

    private static void send(HttpExchange exchange, int status, ObjectNode body) throws IOException {
        Exchanges.send(exchange, status, CONTENT_TYPE, Json.bytes(body));
    }
}
