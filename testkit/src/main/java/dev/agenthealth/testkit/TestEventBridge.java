package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.eventbridge.EventBuses;
import dev.agenthealth.emulator.eventbridge.PutEventsEndpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

/**
 * The emulator's EventBridge, which keeps what is sent and answers as a test has scripted. An entry that breaks the {@link EventContract}
 * fails the test when the service closes. Thread-safe.
 */
public final class TestEventBridge implements AutoCloseable {

    private static final String PUT_EVENTS = "PutEvents";

    private final LazyService emulated;
    private final boolean anyEvents;

    private TestEventBridge(boolean anyEvents, List<String> buses) {
        this.anyEvents = anyEvents;
        this.emulated = new LazyService(
                new PutEventsEndpoint(new EventBuses(buses, List.of(), (target, envelope) -> {}), Clock.systemUTC()));
    }

    /** @param buses names of the buses that exist besides the default one */
    public static TestEventBridge of(List<String> buses) {
        return new TestEventBridge(false, buses);
    }

    /** A service that does not check the contract, for tests of how events are sent rather than of what they contain. */
    public static TestEventBridge ofAnyEvents(List<String> buses) {
        return new TestEventBridge(true, buses);
    }

    /** A client that makes up to 3 attempts, without a pause between them. */
    public EventBridgeClient client() {
        return emulated.endpoint().eventBridge();
    }

    /** Answers the next request without a script with these error codes, by entry; an empty or missing one accepts the entry. */
    public void answerEntries(String... errorCodes) {
        List<String> errors = List.of(errorCodes);
        emulated.calls().answerNext(PUT_EVENTS, request -> {
            boolean accepted = errors.stream().allMatch(String::isEmpty);
            return accepted ? emulated.service().answer(request) : results(entries(request), errors);
        });
    }

    /** Fails the next request without a script as a whole. */
    public void fail(int status, String error) {
        emulated.calls().failNext(PUT_EVENTS, status, error);
    }

    /** The entries of each request, retries included, oldest first. */
    public List<List<JsonNode>> requests() {
        return emulated.calls().of(PUT_EVENTS).stream()
                .map(TestEventBridge::entries)
                .toList();
    }

    private static List<JsonNode> entries(RawRequest request) {
        List<JsonNode> entries = new ArrayList<>();
        TestJson.read(new String(request.body(), StandardCharsets.UTF_8))
                .path("Entries")
                .forEach(entries::add);
        return List.copyOf(entries);
    }

    private static RawResponse results(List<JsonNode> entries, List<String> errors) {
        ObjectNode json = TestJson.object();
        ArrayNode results = json.putArray("Entries");
        int failed = 0;
        for (int i = 0; i < entries.size(); i++) {
            String error = i < errors.size() ? errors.get(i) : "";
            if (error.isEmpty()) {
                results.addObject().put("EventId", "event-" + i);
            } else {
                results.addObject().put("ErrorCode", error).put("ErrorMessage", "not accepted");
                failed++;
            }
        }
        return RawResponse.json(200, json.put("FailedEntryCount", failed));
    }

    @Override
    public void close() {
        emulated.close();
        if (!anyEvents) {
            EventContract.check(requests().stream()
                    .flatMap(List::stream)
                    .flatMap(entry -> EventContract.faultsOfEntry(entry).stream())
                    .toList());
        }
    }
}
