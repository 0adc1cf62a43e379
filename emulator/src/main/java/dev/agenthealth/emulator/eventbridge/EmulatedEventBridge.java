package dev.agenthealth.emulator.eventbridge;

import dev.agenthealth.emulator.support.ServiceErrors;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.EventBridgeException;
import software.amazon.awssdk.services.eventbridge.model.InternalException;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;

/**
 * EventBridge's operation {@code PutEvents} on the template's buses, with its limits of 10 entries and 256 KB per request. Other operations
 * are not supported. Thread-safe; closing does nothing.
 */
public final class EmulatedEventBridge implements EventBridgeClient {

    private static final String NAME = "EventBridge";
    private static final int MAX_ENTRIES = 10;
    private static final int MAX_TOTAL_BYTES = 256 * 1024;

    private final EventBuses buses;
    private final Clock clock;

    /** @param clock gives the time of events that were sent without a time */
    public EmulatedEventBridge(EventBuses buses, Clock clock) {
        this.buses = buses;
        this.clock = clock;
    }

    @Override
    public PutEventsResponse putEvents(PutEventsRequest request) {
        List<BusEntry> entries = request.entries().stream().map(this::entry).toList();
        if (entries.isEmpty() || entries.size() > MAX_ENTRIES) {
            throw refused("1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must"
                    + " have length greater than or equal to 1 and less than or equal to " + MAX_ENTRIES);
        }
        if (entries.stream().mapToInt(BusEntry::sizeBytes).sum() > MAX_TOTAL_BYTES) {
            throw refused("Total size of the entries in the request is over the limit.");
        }
        List<PutEventsResultEntry> results;
        try {
            results =
                    buses.put(entries).stream().map(EmulatedEventBridge::result).toList();
        } catch (RuntimeException e) {
            throw ServiceErrors.of(
                    InternalException.builder().cause(e), NAME, 500, "InternalException", "a target failed: " + e);
        }
        return PutEventsResponse.builder()
                .entries(results)
                .failedEntryCount((int) results.stream()
                        .filter(result -> result.errorCode() != null)
                        .count())
                .build();
    }

    private static PutEventsResultEntry result(PutResult result) {
        PutEventsResultEntry.Builder entryResult = PutEventsResultEntry.builder();
        if (result instanceof PutResult.Accepted accepted) {
            entryResult.eventId(accepted.eventId());
        } else if (result instanceof PutResult.Refused refused) {
            entryResult.errorCode(refused.errorCode()).errorMessage(refused.errorMessage());
        }
        return entryResult.build();
    }

    private BusEntry entry(PutEventsRequestEntry entry) {
        return new BusEntry(
                Optional.ofNullable(entry.time()).orElseGet(clock::instant),
                entry.time() != null,
                text(entry.source()),
                text(entry.detailType()),
                text(entry.detail()),
                entry.resources(),
                text(entry.eventBusName()));
    }

    private static String text(String optional) {
        return optional == null ? "" : optional;
    }

    private static AwsServiceException refused(String message) {
        return ServiceErrors.of(EventBridgeException.builder(), NAME, 400, "ValidationException", message);
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {}
}
