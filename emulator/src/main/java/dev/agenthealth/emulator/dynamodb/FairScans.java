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
 * Scans one at a time, and a hundred items at a time: DynamoDB Local processes all requests in one thread, in their order, so that a
 * heartbeat would wait for each page of a list and of the sweep. The capacity of a scan is not summed up. Thread-safe.
 */
final class FairScans implements InvocationHandler {

    /** The number of items for which another request waits at most. */
    static final int SLICE = 100;

    /** The number of items on a page of a scan without a limit. */
    static final int MAX_ITEMS = 1_000;

    private final DynamoDbClient database;
    private final Semaphore turn = new Semaphore(1, true);

    private FairScans(DynamoDbClient database) {
        this.database = database;
    }

    static DynamoDbClient of(DynamoDbClient database) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, new FairScans(database));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (arguments != null && arguments[0] instanceof ScanRequest request) {
            return scan(request);
        }
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
        turn.acquireUninterruptibly();
        try {
            return database.scan(request);
        } finally {
            turn.release();
        }
    }
}
