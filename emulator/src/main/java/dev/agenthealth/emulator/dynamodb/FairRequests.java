package dev.agenthealth.emulator.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Lets requests pass that a caller waits for. DynamoDB Local processes all requests in one thread, in their order, so that a heartbeat would wait
 * for each page of a list and for whatever sixteen threads of a sweep ask for. Requests in the background and scans take turns, two at a time, and a
 * scan takes one for each hundred items. The capacity of a scan is not summed up. Thread-safe.
 */
final class FairRequests extends ForwardingClient {

    /** The number of items of a scan for which another request waits at most. */
    static final int SLICE = 100;

    /** The number of items on a page of a scan without a limit. */
    static final int MAX_ITEMS = 1_000;

    /** How many requests take a turn at the same time: while one is in the database, the result of the other is converted. */
    static final int TURNS = 2;

    private final DynamoDbClient database;
    private final Semaphore turns;
    private final boolean background;

    private FairRequests(DynamoDbClient database, Semaphore turns, boolean background) {
        this.database = database;
        this.turns = turns;
        this.background = background;
    }

    /** The turns that the clients of a database share. */
    static Semaphore turns() {
        return new Semaphore(TURNS, true);
    }

    /** @param background whether all requests take turns, and not scans alone */
    static DynamoDbClient of(DynamoDbClient database, Semaphore turns, boolean background) {
        return new FairRequests(database, turns, background);
    }

    @Override
    <R> R send(Object request, Function<DynamoDbClient, R> operation) {
        return background ? inTurn(operation) : operation.apply(database);
    }

    private <R> R inTurn(Function<DynamoDbClient, R> operation) {
        turns.acquireUninterruptibly();
        try {
            return operation.apply(database);
        } finally {
            turns.release();
        }
    }

    @Override
    public ScanResponse scan(ScanRequest request) {
        int limit = request.limit() == null ? MAX_ITEMS : request.limit();
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        int scanned = 0;
        ScanRequest next = request;
        while (true) {
            ScanRequest part =
                    next.toBuilder().limit(Math.min(SLICE, limit - scanned)).build();
            ScanResponse slice = inTurn(to -> to.scan(part));
            items.addAll(slice.items());
            scanned += slice.scannedCount();
            if (!slice.hasLastEvaluatedKey() || scanned >= limit) {
                return slice.toBuilder()
                        .items(items)
                        .count(items.size())
                        .scannedCount(scanned)
                        .build();
            }
            next = request.toBuilder()
                    .exclusiveStartKey(slice.lastEvaluatedKey())
                    .build();
        }
    }
}
