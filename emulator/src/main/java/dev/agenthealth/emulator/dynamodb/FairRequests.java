package dev.agenthealth.emulator.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * The client of a function whose requests share a database fairly: scans take a turn for each slice of their items, and so do all requests in the
 * background. The capacity of a scan is not summed up. Thread-safe.
 */
final class FairRequests extends ForwardingClient {

    /** The number of items of a scan for which another request waits at most. */
    static final int SLICE = 200;

    /** The same while heartbeats wait. */
    static final int SHORT_SLICE = 50;

    /** The number of items on a page of a scan without a limit. */
    static final int MAX_ITEMS = 1_000;

    private final DynamoDbClient database;
    private final Turns turns;
    private final Caller caller;

    /** @param turns that all clients of the database share */
    FairRequests(DynamoDbClient database, Turns turns, Caller caller) {
        this.database = database;
        this.turns = turns;
        this.caller = caller;
    }

    @Override
    <R> R send(Object request, Function<DynamoDbClient, R> operation) {
        Supplier<R> sent = () -> operation.apply(database);
        return switch (caller) {
            case AGENTS -> turns.heartbeat(sent);
            case CLIENTS -> request instanceof ScanRequest ? turns.list(sent) : sent.get();
            case NONE -> turns.background(sent);
        };
    }

    @Override
    public ScanResponse scan(ScanRequest request) {
        int limit = request.limit() == null ? MAX_ITEMS : request.limit();
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        int count = 0;
        int scanned = 0;
        ScanRequest.Builder next = request.toBuilder();
        while (true) {
            int left = limit - scanned;
            ScanResponse slice = send(
                    request,
                    to -> to.scan(next.limit(Math.min(left, turns.areBusy() ? SHORT_SLICE : SLICE))
                            .build()));
            items.addAll(slice.items());
            count += slice.count();
            scanned += slice.scannedCount();
            if (!slice.hasLastEvaluatedKey() || scanned >= limit) {
                return slice.toBuilder()
                        .items(items)
                        .count(count)
                        .scannedCount(scanned)
                        .build();
            }
            next.exclusiveStartKey(slice.lastEvaluatedKey());
        }
    }
}
