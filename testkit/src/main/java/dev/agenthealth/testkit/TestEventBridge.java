package dev.agenthealth.testkit;

import dev.agenthealth.emulator.eventbridge.EmulatedEventBridge;
import dev.agenthealth.emulator.eventbridge.EventBuses;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;

/**
 * The emulator's EventBridge, which keeps sent entries and gives scripted answers. When it closes, an entry that breaks the {@link
 * EventContract} fails the test. Thread-safe.
 */
public final class TestEventBridge implements AutoCloseable {

    private final EmulatedEventBridge emulated;
    private final ScriptedCalls<PutEventsRequest, PutEventsResponse> calls;
    private final boolean anyEvents;

    private TestEventBridge(boolean anyEvents, List<String> buses) {
        this.anyEvents = anyEvents;
        this.emulated =
                new EmulatedEventBridge(new EventBuses(buses, List.of(), (target, envelopes) -> {}), Clock.systemUTC());
        this.calls = new ScriptedCalls<>(emulated::putEvents);
    }

    /** @param buses names of the existing buses besides the default bus */
    public static TestEventBridge of(List<String> buses) {
        return new TestEventBridge(false, buses);
    }

    /** Returns a service that does not check the contract, for tests of sending rather than of contents. */
    public static TestEventBridge ofAnyEvents(List<String> buses) {
        return new TestEventBridge(true, buses);
    }

    public EventBridgeClient client() {
        return new EventBridgeClient() {
            @Override
            public PutEventsResponse putEvents(PutEventsRequest request) {
                return calls.call(request);
            }

            @Override
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {}
        };
    }

    /** Answers the next request without a script with these error codes, by entry; an empty or missing code accepts the entry. */
    public void answerEntries(String... errorCodes) {
        List<String> errors = List.of(errorCodes);
        boolean accepted = errors.stream().allMatch(String::isEmpty);
        calls.answerNext(request -> accepted
                ? emulated.putEvents(request)
                : results(request.entries().size(), errors));
    }

    /** Fails the next request without a script as a whole. */
    public void fail(SdkException failure) {
        calls.failNext(failure);
    }

    /** Returns the entries of each request, oldest first. */
    public List<List<PutEventsRequestEntry>> requests() {
        return calls.requests().stream().map(PutEventsRequest::entries).toList();
    }

    private static PutEventsResponse results(int entries, List<String> errors) {
        List<PutEventsResultEntry> results = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            String error = i < errors.size() ? errors.get(i) : "";
            PutEventsResultEntry.Builder result = PutEventsResultEntry.builder();
            results.add((error.isEmpty()
                            ? result.eventId("event-" + i)
                            : result.errorCode(error).errorMessage("not accepted"))
                    .build());
        }
        int failed = (int)
                results.stream().filter(result -> result.errorCode() != null).count();
        return PutEventsResponse.builder()
                .entries(results)
                .failedEntryCount(failed)
                .build();
    }

    @Override
    public void close() {
        if (!anyEvents) {
            EventContract.check(requests().stream()
                    .flatMap(List::stream)
                    .flatMap(entry -> EventContract.faultsOfEntry(entry).stream())
                    .toList());
        }
    }
}
