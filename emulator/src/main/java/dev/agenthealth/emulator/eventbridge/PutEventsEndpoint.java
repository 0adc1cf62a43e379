package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.http.AwsService;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** EventBridge's operation {@code PutEvents} (AWS JSON 1.1), with its limits of 10 entries and 256 KB per request. */
public final class PutEventsEndpoint implements AwsService {

    private static final String OPERATION = "PutEvents";
    private static final String TARGET = "AWSEvents." + OPERATION;
    private static final String CONTENT_TYPE = "application/x-amz-json-1.1";
    private static final int MAX_ENTRIES = 10;
    private static final int MAX_TOTAL_BYTES = 256 * 1024;

    private final EventBuses buses;
    private final Clock clock;

    /** @param clock gives the time of events that were sent without one */
    public PutEventsEndpoint(EventBuses buses, Clock clock) {
        this.buses = buses;
        this.clock = clock;
    }

    @Override
    public Optional<String> operation(RawRequest request) {
        return request.header("X-Amz-Target").equals(TARGET) ? Optional.of(OPERATION) : Optional.empty();
    }

    @Override
    public RawResponse answer(RawRequest request) {
        List<BusEntry> entries = new ArrayList<>();
        try {
            for (JsonNode entry : Json.read(request.body()).path("Entries")) {
                entries.add(entry(entry));
            }
        } catch (IOException | ArithmeticException e) {
            return refused("SerializationException", "The request cannot be read.");
        }
        return exceededLimit(entries)
                .map(limit -> refused("ValidationException", limit))
                .orElseGet(
                        () -> json(200, result(entries.stream().map(buses::put).toList())));
    }

    private static Optional<String> exceededLimit(List<BusEntry> entries) {
        if (entries.isEmpty() || entries.size() > MAX_ENTRIES) {
            return Optional.of(
                    "1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must"
                            + " have length greater than or equal to 1 and less than or equal to " + MAX_ENTRIES);
        }
        int total = entries.stream().mapToInt(BusEntry::sizeBytes).sum();
        return total > MAX_TOTAL_BYTES
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

    /** Times are sent as seconds with a fraction. */
    private static Instant time(BigDecimal epochSeconds) {
        return Instant.ofEpochMilli(
                epochSeconds.movePointRight(3).toBigInteger().longValueExact());
    }

    private static ObjectNode result(List<PutResult> results) {
        ObjectNode result = Json.object();
        ArrayNode entries = result.putArray("Entries");
        int failed = 0;
        for (PutResult each : results) {
            ObjectNode entry = entries.addObject();
            if (each instanceof PutResult.Accepted accepted) {
                entry.put("EventId", accepted.eventId());
            } else if (each instanceof PutResult.Refused refused) {
                entry.put("ErrorCode", refused.errorCode()).put("ErrorMessage", refused.errorMessage());
                failed++;
            }
        }
        return result.put("FailedEntryCount", failed);
    }

    private static RawResponse refused(String type, String message) {
        return json(400, Json.object().put("__type", type).put("message", message));
    }

    private static RawResponse json(int status, ObjectNode body) {
        return RawResponse.of(status, CONTENT_TYPE, Json.bytes(body));
    }
}
