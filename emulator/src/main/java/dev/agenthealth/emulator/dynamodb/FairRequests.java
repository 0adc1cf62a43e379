package dev.agenthealth.emulator.dynamodb;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Lets requests pass that a caller waits for. DynamoDB Local processes all requests in one thread, in their order, so that a heartbeat would wait
 * for each page of a list and for whatever sixteen threads of a sweep ask for. Requests in the background and scans take turns, two at a time, and a
 * scan takes one for each hundred items. The capacity of a scan is not summed up. Thread-safe.
 */
final class FairRequests implements InvocationHandler {

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
        return (DynamoDbClient) Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                new FairRequests(database, turns, background));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (arguments != null && arguments[0] instanceof ScanRequest request) {
            return scan(request);
        }
        if (!background) {
            return call(method, arguments);
        }
        turns.acquireUninterruptibly();
        try {
            return call(method, arguments);
        } finally {
            turns.release();
        }
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(database, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private ScanResponse scan(ScanRequest request) {
        int limit = request.limit() == null ? MAX_ITEMS : request.limit();
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        int scanned = 0;
        ScanRequest next = request;
        while (true) {
            ScanResponse slice = slice(
                    next.toBuilder().limit(Math.min(SLICE, limit - scanned)).build());
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

    private ScanResponse slice(ScanRequest request) {
        turns.acquireUninterruptibly();
        try {
            return database.scan(request);
        } finally {
            turns.release();
        }
    }
}
